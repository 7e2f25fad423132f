/// Lower-case hexadecimal digits, eight at a time.
enum Hexadecimal {
  private static let high: UInt64 = 0x8080_8080_8080_8080

  /// The 32 bits of eight digits, the first in the lowest byte of `digits`; nil for other bytes.
  @inline(__always)
  static func value(_ digits: UInt64) -> UInt64? {
    // Each byte is below 0x80 in what follows, so that no sum runs over into the next.
    guard digits & high == 0 else { return nil }
    let isDigit = (digits &+ 0x5050_5050_5050_5050) & ~(digits &+ 0x4646_4646_4646_4646) & high
    let isLetter = (digits &+ 0x1F1F_1F1F_1F1F_1F1F) & ~(digits &+ 0x1919_1919_1919_1919) & high
    guard isDigit | isLetter == high else { return nil }
    var nibbles = (digits & 0x0F0F_0F0F_0F0F_0F0F) &+ (isLetter &>> 7) &* 9
    nibbles = nibbles.byteSwapped
    nibbles = (nibbles | nibbles &>> 4) & 0x00FF_00FF_00FF_00FF
    nibbles = (nibbles | nibbles &>> 8) & 0x0000_FFFF_0000_FFFF
    return (nibbles | nibbles &>> 16) & 0xFFFF_FFFF
  }

  /// The eight digits of 32 bits, the first in the lowest byte.
  @inline(__always)
  static func digits(_ value: UInt64) -> UInt64 {
    var nibbles = value
    nibbles = (nibbles | nibbles &<< 16) & 0x0000_FFFF_0000_FFFF
    nibbles = (nibbles | nibbles &<< 8) & 0x00FF_00FF_00FF_00FF
    nibbles = (nibbles | nibbles &<< 4) & 0x0F0F_0F0F_0F0F_0F0F
    let isLetter = ((nibbles &+ 0x0606_0606_0606_0606) &>> 4) & 0x0101_0101_0101_0101
    return (nibbles &+ 0x3030_3030_3030_3030 &+ isLetter &* 39).byteSwapped
  }

  /// The 64 bits of sixteen digits at `offset`; nil for other bytes.
  @inline(__always)
  static func word(_ bytes: RawSpan, _ offset: Int) -> UInt64? {
    func load(_ offset: Int) -> UInt64 {
      UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    guard let upper = value(load(offset)), let lower = value(load(offset + 8)) else { return nil }
    return upper &<< 32 | lower
  }

  /// Writes the sixteen digits of 64 bits.
  @inline(__always)
  static func write(_ word: UInt64, to pointer: UnsafeMutablePointer<UInt8>) {
    let raw = UnsafeMutableRawPointer(pointer)
    raw.storeBytes(of: digits(word &>> 32).littleEndian, as: UInt64.self)
    raw.storeBytes(of: digits(word & 0xFFFF_FFFF).littleEndian, toByteOffset: 8, as: UInt64.self)
  }
}
