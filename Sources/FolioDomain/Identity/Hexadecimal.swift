/// Why text is no identity.
@nonexhaustive
public enum IdentityError: DomainError, Hashable {
  /// Not exactly that many lower-case hexadecimal digits.
  case hexadecimal(digitCount: Int)
  /// Not a UUID in lower case with hyphens.
  case uuid

  /// The stable name of the rule.
  public var code: String {
    switch self {
    case .hexadecimal: "idMalformed"
    case .uuid: "documentIdMalformed"
    }
  }

  /// What is wrong, where, and which limit is passed.
  public var message: String {
    switch self {
    case .hexadecimal(let count): "not an id of \(count) lower-case hexadecimal digits"
    case .uuid: "not a document's id, which is a UUID in lower case"
    }
  }

  /// What to do about it.
  public var hint: String {
    switch self {
    case .hexadecimal: "copy the id as it was shown"
    case .uuid: "write it like 6a1f0c3e-9d42-4b7a-8f15-20c1d3e4f5a6, or leave it out for a new one"
    }
  }
}

/// Hexadecimal digits, lower case only, eight at a time.
package enum Hexadecimal {
  private static let high: UInt64 = 0x8080_8080_8080_8080

  /// The 32 bits of eight digits, the first in the lowest byte of `digits`; nil for other bytes.
  @inline(__always)
  private static func value(_ digits: UInt64) -> UInt64? {
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
  private static func digits(_ value: UInt64) -> UInt64 {
    var nibbles = value
    nibbles = (nibbles | nibbles &<< 16) & 0x0000_FFFF_0000_FFFF
    nibbles = (nibbles | nibbles &<< 8) & 0x00FF_00FF_00FF_00FF
    nibbles = (nibbles | nibbles &<< 4) & 0x0F0F_0F0F_0F0F_0F0F
    let isLetter = ((nibbles &+ 0x0606_0606_0606_0606) &>> 4) & 0x0101_0101_0101_0101
    return (nibbles &+ 0x3030_3030_3030_3030 &+ isLetter &* 39).byteSwapped
  }

  /// Writes the sixteen digits of 64 bits.
  package static func write(_ word: UInt64, to pointer: UnsafeMutableRawPointer) {
    pointer.storeBytes(of: digits(word &>> 32).littleEndian, as: UInt64.self)
    pointer.storeBytes(
      of: digits(word & 0xFFFF_FFFF).littleEndian, toByteOffset: 8, as: UInt64.self)
  }

  /// The number of sixteen digits, or nil where a byte is none.
  ///
  /// - Precondition: There are sixteen bytes at `offset`.
  @inline(__always)
  static func word(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> UInt64? {
    func load(_ offset: Int) -> UInt64 {
      UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    guard let upper = value(load(offset)), let lower = value(load(offset + 8)) else { return nil }
    return upper &<< 32 | lower
  }

  /// The number of sixteen digits at `offset`, or nil where a byte is none.
  package static func word(_ bytes: RawSpan, _ offset: Int) -> UInt64? {
    bytes.extracting(offset..<offset + 16).withUnsafeBytes { word($0, at: 0) }
  }

  /// The number of 32 digits at `offset`, or nil where a byte is none.
  package static func wide(_ bytes: RawSpan, _ offset: Int) -> UInt128? {
    bytes.extracting(offset..<offset + 32).withUnsafeBytes { digits in
      guard let high = word(digits, at: 0), let low = word(digits, at: 16) else { return nil }
      return UInt128(high) &<< 64 | UInt128(low)
    }
  }

  /// The number of up to 16 digits, or nil where a byte is none.
  static func word(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> UInt64? {
    var value: UInt64 = 0
    for byte in bytes[range] {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt64(byte - 48)
      case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 | UInt64(byte - 87)
      default: return nil
      }
    }
    return value
  }

  /// Appends the lowest `digitCount` digits of `value`.
  static func append(_ value: UInt64, digitCount: Int = 16, to bytes: inout [UInt8]) {
    var digits: [16 of UInt8] = .init(repeating: 0)
    var span = digits.mutableSpan
    span.withUnsafeMutableBytes { pointer in
      if let start = pointer.baseAddress { write(value, to: start) }
    }
    for index in (16 - digitCount)..<16 { bytes.append(digits[index]) }
  }
}

/// An identity of 128 bits, written as 32 lower-case hexadecimal digits.
public protocol Identifier128: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The bits, first byte most significant.
  var value: UInt128 { get }
  /// The id of those bits.
  init(_ value: UInt128)
}

extension Identifier128 {
  /// A new one.
  ///
  /// O(1).
  public init(random source: some RandomSource) { self.init(source.next128()) }

  /// The id of 32 lower-case hexadecimal digits.
  public init(_ text: String) throws(IdentityError) {
    var text = text
    guard let id = text.withUTF8({ Self(utf8: UnsafeRawBufferPointer($0)) }) else {
      throw .hexadecimal(digitCount: 32)
    }
    self = id
  }

  /// The id of 32 lower-case hexadecimal digits in UTF-8, or nil.
  ///
  /// O(1), without allocation.
  public init?(utf8 bytes: UnsafeRawBufferPointer) {
    guard bytes.count == 32, let high = Hexadecimal.word(bytes, at: 0),
      let low = Hexadecimal.word(bytes, at: 16)
    else { return nil }
    self.init(UInt128(high) << 64 | UInt128(low))
  }

  /// The id as 32 lower-case hexadecimal digits.
  public var text: String {
    var bytes: [UInt8] = []
    appendText(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the text in UTF-8.
  ///
  /// O(1).
  public func appendText(to bytes: inout [UInt8]) {
    Hexadecimal.append(UInt64(truncatingIfNeeded: value >> 64), to: &bytes)
    Hexadecimal.append(UInt64(truncatingIfNeeded: value), to: &bytes)
  }

  /// By the bits, which is by the bytes and by the text.
  public static func < (a: Self, b: Self) -> Bool { a.value < b.value }

  /// The text form.
  public var description: String { text }
}

extension DeviceID: Identifier128 {}
extension InstanceID: Identifier128 {}
extension TransactionID: Identifier128 {}
extension LogID: Identifier128 {}
