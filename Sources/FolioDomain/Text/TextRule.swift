@_spi(_Unicode) import Swift

/// What is done to text that a person writes before it is stored or compared.
public enum TextRule {
  /// The text without white space at its ends.
  ///
  /// - Complexity: O(length).
  public static func trimmed(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return String(scalars[first...last])
  }

  /// The text in Unicode's normal form C.
  ///
  /// - Complexity: O(length).
  public static func normalized(_ text: String) -> String {
    guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
    var scalars = String.UnicodeScalarView()
    scalars.append(contentsOf: text._nfc)
    return String(scalars)
  }

  /// The text by which two spellings of one name are found equal: in lower case and in normal form
  /// C.
  ///
  /// The device that writes makes it, and it is compared by bytes from then on, so that a later
  /// version of Unicode changes no identity.
  /// - Complexity: O(length).
  public static func folded(_ text: String) -> String {
    normalized(normalized(text).lowercased())
  }

  /// The offset in bytes of the first control character (U+0000 to U+001F, U+007F to U+009F).
  ///
  /// - Complexity: O(length).
  public static func controlCharacterOffset(in text: String) -> Int? {
    withBytes(text) { controlCharacterOffset(in: $0) }
  }

  /// The same of valid UTF-8.
  static func controlCharacterOffset(in bytes: UnsafeRawBufferPointer) -> Int? {
    // As nearly every name: plain ASCII.
    if bytes.allSatisfy({ $0 &- 0x20 < 0x5F }) { return nil }
    var previous: UInt8 = 0
    for offset in bytes.indices {
      let byte = bytes[offset]
      if byte < 0x20 || byte == 0x7F { return offset }
      if previous == 0xC2, byte < 0xA0 { return offset - 1 }
      previous = byte
    }
    return nil
  }

  /// The text of UTF-8 bytes, or nil where they are none.
  static func text(_ bytes: UnsafeRawBufferPointer) -> String? {
    // The check of the standard library that refuses, and does not repair, is several times as slow
    // as a look for bytes that need it.
    if bytes.allSatisfy({ $0 < 0x80 }) { return String(ascii: bytes) }
    return String(validating: bytes, as: UTF8.self)
  }
}

extension String {
  /// The text of bytes that are known to be ASCII.
  init(ascii bytes: UnsafeRawBufferPointer) {
    // Short ones, which most are, need no check then that they are UTF-8.
    self.init(unsafeUninitializedCapacity: bytes.count) { buffer in
      UnsafeMutableRawBufferPointer(buffer).copyMemory(from: bytes)
      return bytes.count
    }
  }
}
