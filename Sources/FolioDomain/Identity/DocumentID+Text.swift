extension DocumentID {
  /// A new random UUID, version 4.
  ///
  /// O(1).
  public init(random source: some RandomSource) {
    let versionAndVariant: UInt128 = 0xf << 76 | 0x3 << 62
    self.init(source.next128() & ~versionAndVariant | 0x4 << 76 | 0x2 << 62)
  }

  /// The document of a UUID in lower case with hyphens, of any version.
  public init(_ text: String) throws(IdentityError) {
    var text = text
    guard let id = text.withUTF8({ DocumentID(utf8: UnsafeRawBufferPointer($0)) }) else {
      throw .uuid
    }
    self = id
  }

  /// The document of a UUID in UTF-8, or nil.
  ///
  /// O(1), without allocation.
  public init?(utf8 bytes: UnsafeRawBufferPointer) {
    let hyphen = UInt8(ascii: "-")
    guard bytes.count == 36, bytes[8] == hyphen, bytes[13] == hyphen, bytes[18] == hyphen,
      bytes[23] == hyphen, let a = Hexadecimal.word(bytes, 0..<8),
      let b = Hexadecimal.word(bytes, 9..<13),
      let c = Hexadecimal.word(bytes, 14..<18), let d = Hexadecimal.word(bytes, 19..<23),
      let e = Hexadecimal.word(bytes, 24..<36)
    else { return nil }
    self.init(UInt128(a << 32 | b << 16 | c) << 64 | UInt128(d << 48 | e))
  }

  /// The UUID in lower case with hyphens.
  public var text: String {
    var bytes: [UInt8] = []
    appendText(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the text in UTF-8.
  ///
  /// O(1).
  public func appendText(to bytes: inout [UInt8]) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 36) { buffer in
      guard let start = buffer.baseAddress else { return }
      writeText(to: start)
      bytes.append(contentsOf: UnsafeBufferPointer(start: start, count: 36))
    }
  }

  /// Writes the 36 bytes of the text.
  func writeText(to start: UnsafeMutablePointer<UInt8>) {
    // Sixteen digits each, of which some then make room for the hyphens.
    Hexadecimal.write(UInt64(truncatingIfNeeded: value >> 64), to: start)
    Hexadecimal.write(UInt64(truncatingIfNeeded: value), to: start + 20)
    (start + 14).update(from: start + 12, count: 4)
    (start + 9).update(from: start + 8, count: 4)
    (start + 19).update(from: start + 20, count: 4)
    for hyphen in stride(from: 8, through: 23, by: 5) { start[hyphen] = UInt8(ascii: "-") }
  }
}

extension DocumentID: Comparable, CustomStringConvertible {
  /// By the bits, which is by the bytes and by the text.
  public static func < (a: DocumentID, b: DocumentID) -> Bool { a.value < b.value }

  /// The text form.
  public var description: String { text }
}
