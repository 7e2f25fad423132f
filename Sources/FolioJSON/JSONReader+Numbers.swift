/// The greatest integer that every JSON reader keeps: 2^53 - 1.
@usableFromInline let portableIntegerMax: UInt64 = 9_007_199_254_740_991

/// A number as it stands in the input.
struct JSONNumberToken {
  /// The offset of its first byte.
  var start: Int
  /// The offset after its last byte.
  var end: Int
  /// Whether it has neither fraction nor exponent.
  var isInteger: Bool
  /// Whether it starts with a minus sign.
  var isNegative: Bool
  /// The digits before the point, or `UInt64.max` where they are more than 18.
  var magnitude: UInt64
}

extension JSONReader {
  /// Reads an integer in plain digits, within 2^53 - 1 of 0.
  ///
  /// - Throws: `JSONError` with `numberNotInteger` for a fraction, an exponent or `-0`, with
  ///   `numberOutOfRange` beyond 2^53 - 1, under all rules.
  public mutating func readInteger() throws(JSONError) -> Int64 {
    if let plain = readPlainInteger() { return plain }
    let token = try scanNumber()
    return try integer(token)
  }

  /// Reads an integer in plain digits that lies within `range`.
  ///
  /// - Throws: As `readInteger()`, and `badValue` outside of `range`.
  public mutating func readInteger(in range: ClosedRange<Int64>) throws(JSONError) -> Int64 {
    let start = offset
    if let plain = readPlainInteger() {
      guard range.contains(plain) else { throw JSONError(.badValue, at: start) }
      return plain
    }
    let token = try scanNumber()
    let value = try integer(token)
    guard range.contains(value) else { throw JSONError(.badValue, at: token.start) }
    return value
  }

  /// Reads a number that a document may hold.
  ///
  /// Where the reader takes any number, other spellings of such a number are taken too (`1.50`,
  /// `1e3`), read exactly; where it takes portable ones, only the one form is.
  ///
  /// - Throws: `JSONError` with `numberNotPortable` for any other number.
  public mutating func readPortableNumber() throws(JSONError) -> PortableNumber {
    let token = try scanNumber()
    if token.isInteger, token.magnitude <= portableIntegerMax,
      !(token.isNegative && token.magnitude == 0)
    {
      return .integer(token.isNegative ? -Int64(token.magnitude) : Int64(token.magnitude))
    }
    let digits = bytes.extracting(token.start..<token.end)
    let number =
      rules.numbers == .any ? PortableNumber(reading: digits) : PortableNumber(canonical: digits)
    guard let number else { throw JSONError(.numberNotPortable, at: token.start) }
    return number
  }

  /// Reads an integer as nearly all are: 1 to 15 digits, behind which an item or a container ends.
  ///
  /// Nil, with nothing taken, where something else comes next, whatever is to be said of it.
  @inline(__always)
  private mutating func readPlainInteger() -> Int64? {
    var index = cursor
    var value: UInt64 = 0
    if index &+ 8 < byteCount, let digits = Self.eightDigits(word(index)) {
      value = digits
      index &+= 8
    }
    while index < byteCount, case let digit = byte(index) &- 0x30, digit <= 9 {
      value = value &* 10 &+ UInt64(digit)
      index &+= 1
    }
    let count = index &- cursor
    guard count > 0, count <= 15, count == 1 || byte(cursor) != 0x30, index < byteCount else {
      return nil
    }
    switch byte(index) {
    case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"):
      cursor = index
      return Int64(value)
    default: return nil
    }
  }

  /// The number of eight digits, the first in the lowest byte; nil for other bytes.
  @inline(__always)
  private static func eightDigits(_ word: UInt64) -> UInt64? {
    let high: UInt64 = 0xF0F0_F0F0_F0F0_F0F0
    let zeros: UInt64 = 0x3030_3030_3030_3030
    guard word & high == zeros, (word &+ 0x0606_0606_0606_0606) & high == zeros else { return nil }
    // Pairs of digits, then of pairs, then of fours.
    var value = word & 0x0F0F_0F0F_0F0F_0F0F
    value = (value &* 10 &+ value &>> 8) & 0x00FF_00FF_00FF_00FF
    value = (value &* 100 &+ value &>> 16) & 0x0000_FFFF_0000_FFFF
    return (value &* 10_000 &+ value &>> 32) & 0xFFFF_FFFF
  }

  /// The integer that `token` is.
  private func integer(_ token: JSONNumberToken) throws(JSONError) -> Int64 {
    guard token.isInteger, !(token.isNegative && token.magnitude == 0) else {
      throw JSONError(.numberNotInteger, at: token.start)
    }
    guard token.magnitude <= portableIntegerMax else {
      throw JSONError(.numberOutOfRange, at: token.start)
    }
    return token.isNegative ? -Int64(token.magnitude) : Int64(token.magnitude)
  }

  /// Reads a number and holds it to the reader's rule.
  mutating func skipNumber(_ numbers: JSONRules.Numbers) throws(JSONError) {
    if readPlainInteger() != nil { return }
    let token = try scanNumber()
    switch numbers {
    case .any: break
    case .integers: _ = try integer(token)
    case .portable:
      if token.isInteger, token.magnitude <= portableIntegerMax,
        !(token.isNegative && token.magnitude == 0)
      {
        return
      }
      guard PortableNumber(canonical: bytes.extracting(token.start..<token.end)) != nil else {
        throw JSONError(.numberNotPortable, at: token.start)
      }
    }
  }

  /// Reads the longest number of the grammar that starts here.
  mutating func scanNumber() throws(JSONError) -> JSONNumberToken {
    let first = try nextByte()
    let start = offset
    guard first == UInt8(ascii: "-") || (0x30...0x39).contains(first) else { throw mismatch() }
    let isNegative = first == UInt8(ascii: "-")
    if isNegative { cursor += 1 }
    let magnitude = try scanIntegerDigits(start)
    var isInteger = true
    if offset < byteCount, byte(offset) == UInt8(ascii: ".") {
      isInteger = false
      cursor += 1
      try scanDigits(start)
    }
    if offset < byteCount, byte(offset) | 0x20 == UInt8(ascii: "e") {
      isInteger = false
      cursor += 1
      if offset < byteCount, byte(offset) == UInt8(ascii: "+") || byte(offset) == UInt8(ascii: "-")
      {
        cursor += 1
      }
      try scanDigits(start)
    }
    // Within brackets a number at the end of input may be half of one.
    if offset == byteCount, depth > 0 { throw unexpected(offset) }
    return JSONNumberToken(
      start: start, end: offset, isInteger: isInteger, isNegative: isNegative, magnitude: magnitude)
  }

  /// Reads `0`, or digits that do not start with it.
  private mutating func scanIntegerDigits(_ start: Int) throws(JSONError) -> UInt64 {
    let from = offset
    try requireDigit(start)
    if byte(offset) == 0x30 {
      cursor += 1
      return 0
    }
    var magnitude: UInt64 = 0
    while offset < byteCount {
      let digit = byte(offset) &- 0x30
      guard digit <= 9 else { break }
      magnitude = magnitude &* 10 &+ UInt64(digit)
      cursor += 1
    }
    return offset - from <= 18 ? magnitude : .max
  }

  private mutating func scanDigits(_ start: Int) throws(JSONError) {
    try requireDigit(start)
    while offset < byteCount, byte(offset) &- 0x30 <= 9 { cursor += 1 }
  }

  private func requireDigit(_ start: Int) throws(JSONError) {
    guard offset < byteCount else { throw unexpected(offset) }
    guard byte(offset) &- 0x30 <= 9 else { throw JSONError(.badNumber, at: start) }
  }
}
