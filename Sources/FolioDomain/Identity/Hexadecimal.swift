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

/// Hexadecimal digits, lower case only.
enum Hexadecimal {
  /// Appends the lowest `digitCount` digits of `value`.
  static func append(_ value: UInt64, digitCount: Int = 16, to bytes: inout [UInt8]) {
    for i in stride(from: (digitCount - 1) * 4, through: 0, by: -4) {
      let digit = UInt8(truncatingIfNeeded: value >> UInt64(i)) & 15
      bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit)
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
    guard bytes.count == 32, let high = Hexadecimal.word(bytes, 0..<16),
      let low = Hexadecimal.word(bytes, 16..<32)
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
