#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Writes the parts of a key so that the bytes order as the parts do.
///
/// Numbers are written big-endian, signed ones with the sign flipped; text as UTF-8 with a NUL
/// behind it. The same parts in the same order can be read back with ``KeyReader``. A builder can
/// be used for many keys in turn with ``removeAll()``, which keeps its memory.
public struct KeyBuilder: Sendable, Hashable {
  /// The bytes written.
  public private(set) var bytes: [UInt8]

  /// An empty key with room for most, so that it is allocated once.
  public init() {
    self.init(reserving: 48)
  }

  /// An empty key with room for that many bytes.
  public init(reserving byteCount: Int) {
    bytes = []
    bytes.reserveCapacity(byteCount)
  }

  /// How many bytes are written.
  public var byteCount: Int { bytes.count }

  /// Starts over, keeping the memory.
  public mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
  }

  /// Takes the key back to its first `byteCount` bytes, for keys with a head in common.
  public mutating func truncate(to byteCount: Int) {
    bytes.removeLast(bytes.count - byteCount)
  }

  /// Appends one byte.
  public mutating func append(_ value: UInt8) {
    bytes.append(value)
  }

  /// Appends two bytes, big-endian.
  public mutating func append(_ value: UInt16) {
    appendBigEndian(value)
  }

  /// Appends four bytes, big-endian.
  public mutating func append(_ value: UInt32) {
    appendBigEndian(value)
  }

  /// Appends eight bytes, big-endian.
  public mutating func append(_ value: UInt64) {
    appendBigEndian(value)
  }

  /// Appends sixteen bytes, big-endian.
  public mutating func append(_ value: UInt128) {
    appendBigEndian(value)
  }

  /// Appends four bytes, big-endian with the sign flipped.
  public mutating func append(_ value: Int32) {
    appendBigEndian(UInt32(bitPattern: value) ^ (1 << 31))
  }

  /// Appends eight bytes, big-endian with the sign flipped.
  public mutating func append(_ value: Int64) {
    appendBigEndian(UInt64(bitPattern: value) ^ (1 << 63))
  }

  /// Appends bytes of a length that the reader knows, such as an id or a hash.
  public mutating func append(fixed value: some Collection<UInt8>) {
    bytes.append(contentsOf: value)
  }

  /// Appends text as UTF-8 and a NUL, so that a text comes before every longer one it begins.
  ///
  /// - Throws: ``StorageError/keyTextHasNUL``; nothing is appended then.
  public mutating func append(text: String) throws(StorageError) {
    try append(headOfText: text)
    bytes.append(0)
  }

  /// Appends the head of a text, without a NUL: the prefix of every key whose text begins with it.
  ///
  /// - Throws: ``StorageError/keyTextHasNUL``; nothing is appended then.
  public mutating func append(headOfText text: String) throws(StorageError) {
    // Nearly every text has its bytes in a row, and need not be held for the time.
    var isWhole = unsafe text.utf8.withContiguousStorageIfAvailable {
      unsafe append(withoutNUL: $0)
    }
    if isWhole == nil {
      var copy = text
      isWhole = copy.withUTF8 { unsafe append(withoutNUL: $0) }
    }
    if isWhole == false { throw .keyTextHasNUL }
  }

  /// Appends bytes; false where there is a NUL among them, and nothing is appended.
  private mutating func append(withoutNUL utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let start = utf8.baseAddress else { return true }
    if unsafe memchr(start, 0, utf8.count) != nil { return false }
    unsafe bytes.append(contentsOf: utf8)
    return true
  }

  @inline(__always)
  private mutating func appendBigEndian<Number: FixedWidthInteger>(_ value: Number) {
    unsafe withUnsafeBytes(of: value.bigEndian) { unsafe bytes.append(contentsOf: $0) }
  }
}
