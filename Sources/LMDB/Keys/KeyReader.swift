#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Reads the parts of a key in the order ``KeyBuilder`` wrote them.
public struct KeyReader: ~Escapable {
  private let span: RawSpan
  private var offset = 0

  /// A reader at the first byte of a key.
  @_lifetime(copy span)
  public init(_ span: RawSpan) {
    self.span = span
  }

  /// How many bytes are left.
  public var remaining: Int { span.byteCount - offset }

  /// Whether every byte was read.
  public var isAtEnd: Bool { remaining == 0 }

  /// Reads one byte.
  public mutating func readUInt8() throws(StorageError) -> UInt8 { try readBigEndian() }

  /// Reads two bytes, big-endian.
  public mutating func readUInt16() throws(StorageError) -> UInt16 { try readBigEndian() }

  /// Reads four bytes, big-endian.
  public mutating func readUInt32() throws(StorageError) -> UInt32 { try readBigEndian() }

  /// Reads eight bytes, big-endian.
  public mutating func readUInt64() throws(StorageError) -> UInt64 { try readBigEndian() }

  /// Reads sixteen bytes, big-endian.
  public mutating func readUInt128() throws(StorageError) -> UInt128 { try readBigEndian() }

  /// Reads four bytes, big-endian with the sign flipped.
  public mutating func readInt32() throws(StorageError) -> Int32 {
    Int32(bitPattern: try readUInt32() ^ (1 << 31))
  }

  /// Reads eight bytes, big-endian with the sign flipped.
  public mutating func readInt64() throws(StorageError) -> Int64 {
    Int64(bitPattern: try readUInt64() ^ (1 << 63))
  }

  /// Reads that many bytes as they are.
  public mutating func readFixed(_ byteCount: Int) throws(StorageError) -> [UInt8] {
    guard byteCount >= 0, remaining >= byteCount else { throw .keyUnreadable(byteOffset: offset) }
    defer { offset += byteCount }
    return unsafe span.withUnsafeBytes { bytes in
      unsafe [UInt8](bytes[offset..<offset + byteCount])
    }
  }

  /// Reads text up to its NUL.
  ///
  /// - Throws: ``StorageError/keyUnreadable(byteOffset:)`` without a NUL, or where it is no UTF-8.
  public mutating func readText() throws(StorageError) -> String {
    let start = offset
    guard let end = endOfText(), let text = span.text(start..<end) else {
      throw .keyUnreadable(byteOffset: start)
    }
    offset = end + 1
    return text
  }

  /// Where the NUL of the text at the reader's place is; nil without one.
  private func endOfText() -> Int? {
    unsafe span.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress, offset < bytes.count,
        let found = unsafe memchr(base + offset, 0, bytes.count - offset)
      else { return nil }
      return unsafe UnsafeRawPointer(found) - base
    }
  }

  /// Checks that nothing is left.
  ///
  /// - Throws: ``StorageError/keyUnreadable(byteOffset:)`` where bytes are left.
  public func finish() throws(StorageError) {
    guard isAtEnd else { throw .keyUnreadable(byteOffset: offset) }
  }

  private mutating func readBigEndian<Number: FixedWidthInteger & BitwiseCopyable>()
    throws(StorageError) -> Number
  {
    let width = MemoryLayout<Number>.size
    guard remaining >= width else { throw .keyUnreadable(byteOffset: offset) }
    defer { offset += width }
    return unsafe Number(
      bigEndian: span.unsafeLoadUnaligned(fromByteOffset: offset, as: Number.self))
  }
}
