/// Base64 with the URL alphabet and without padding (RFC 4648, section 5), in its one form.
enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  private static func value(_ byte: UInt8) -> UInt32? {
    switch byte {
    case 0x41...0x5A: UInt32(byte - 0x41)
    case 0x61...0x7A: UInt32(byte - 0x61 + 26)
    case 0x30...0x39: UInt32(byte - 0x30 + 52)
    case UInt8(ascii: "-"): 62
    case UInt8(ascii: "_"): 63
    default: nil
    }
  }

  /// The bytes that `text` stands for; nil where another text would be their form.
  static func decode(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    guard text.count % 4 != 1 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count * 3 / 4)
    var bits: UInt32 = 0
    var bitCount = 0
    for byte in text {
      guard let value = value(byte) else { return nil }
      bits = bits << 6 | value
      bitCount += 6
      if bitCount >= 8 {
        bitCount -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
        bits &= (1 << UInt32(bitCount)) - 1
      }
    }
    // Bits that belong to no byte must be zero, or two texts would stand for the same bytes.
    return bits == 0 ? bytes : nil
  }

  /// How many characters stand for `byteCount` bytes.
  static func count(of byteCount: Int) -> Int { (byteCount * 4 + 2) / 3 }

  /// Writes the text of `bytes`.
  static func encode(_ bytes: [UInt8], to pointer: UnsafeMutablePointer<UInt8>) {
    var next = pointer
    var bits: UInt32 = 0
    var bitCount = 0
    for byte in bytes {
      bits = bits << 8 | UInt32(byte)
      bitCount += 8
      while bitCount >= 6 {
        bitCount -= 6
        next.pointee = alphabet[Int(bits >> UInt32(bitCount)) & 63]
        next += 1
      }
      bits &= (1 << UInt32(bitCount)) - 1
    }
    if bitCount > 0 { next.pointee = alphabet[Int(bits << UInt32(6 - bitCount)) & 63] }
  }
}
