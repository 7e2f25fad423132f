/// How strictly the text of a decimal is read.
public enum DecimalForm: Sendable {
  /// The one form that is sent and stored: `-?(0|[1-9][0-9]*)(\.[0-9]*[1-9])?`, and no `-0`.
  case wire
  /// As a person types it: trailing zeros after the point are allowed.
  case typed
  /// As an importer finds it: also with an exponent, and any JSON number.
  case imported
}

/// Why text is not a decimal, before any limit of a type is looked at.
enum DecimalSyntaxError: Error {
  case malformed(offset: Int)
  case notCanonical
}

/// The significant digits of a decimal's text, found without evaluating them.
///
/// The number is the integer of those digits x 10^-`scale`, negated where `isNegative`.
struct DecimalScan {
  var isNegative = false
  /// How many digits there are from the first to the last that is not 0; 0 for the number 0.
  var digitCount = 0
  /// The decimal places of the last significant digit; below 0 where zeros follow it.
  var scale = 0
  /// Where the first significant digit stands, and one past the last.
  private var first = 0
  private var end = 0

  /// Digits before the point, of the number without leading zeros.
  var integerDigitCount: Int { max(0, digitCount - scale) }

  init(_ bytes: UnsafeRawBufferPointer, _ form: DecimalForm) throws(DecimalSyntaxError) {
    var i = 0
    if i < bytes.count, bytes[i] == UInt8(ascii: "-") {
      isNegative = true
      i += 1
    }
    let integerStart = i
    i = Self.endOfDigits(bytes, from: i)
    let integerEnd = i
    guard integerEnd > integerStart else { throw .malformed(offset: i) }
    if integerEnd - integerStart > 1, bytes[integerStart] == UInt8(ascii: "0") {
      throw .malformed(offset: integerStart)
    }
    var fractionCount = 0
    if i < bytes.count, bytes[i] == UInt8(ascii: ".") {
      let start = i + 1
      i = Self.endOfDigits(bytes, from: start)
      guard i > start else { throw .malformed(offset: i) }
      fractionCount = i - start
    }
    let digitsEnd = i
    var exponent = 0
    if form == .imported { (exponent, i) = try Self.exponent(bytes, from: i) }
    guard i == bytes.count else { throw .malformed(offset: i) }
    if form == .wire, fractionCount > 0, bytes[digitsEnd - 1] == UInt8(ascii: "0") {
      throw .notCanonical
    }
    findDigits(
      bytes, integerStart..<digitsEnd, integerEnd: integerEnd,
      placesAtEnd: fractionCount - exponent)
    if digitCount == 0, isNegative {
      guard form == .imported else { throw .notCanonical }
      isNegative = false
    }
  }

  private static func endOfDigits(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    var i = start
    while i < bytes.count, bytes[i] &- UInt8(ascii: "0") < 10 { i += 1 }
    return i
  }

  /// Reads `e-7` and the like; the magnitude stops growing where no limit can be met any more.
  private static func exponent(
    _ bytes: UnsafeRawBufferPointer, from start: Int
  ) throws(DecimalSyntaxError) -> (value: Int, end: Int) {
    guard start < bytes.count, bytes[start] | 0x20 == UInt8(ascii: "e") else { return (0, start) }
    var i = start + 1
    var isNegative = false
    if i < bytes.count, bytes[i] == UInt8(ascii: "-") || bytes[i] == UInt8(ascii: "+") {
      isNegative = bytes[i] == UInt8(ascii: "-")
      i += 1
    }
    let digits = i
    i = endOfDigits(bytes, from: i)
    guard i > digits else { throw .malformed(offset: i) }
    var value = 0
    for byte in bytes[digits..<i] where value < 1 << 40 {
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
    }
    return (isNegative ? -value : value, i)
  }

  private mutating func findDigits(
    _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>, integerEnd: Int, placesAtEnd: Int
  ) {
    let isZeroOrPoint = { (byte: UInt8) in byte == UInt8(ascii: "0") || byte == UInt8(ascii: ".") }
    first = range.lowerBound
    end = range.upperBound
    while first < end, isZeroOrPoint(bytes[first]) { first += 1 }
    guard first < end else { return }
    while isZeroOrPoint(bytes[end - 1]) { end -= 1 }
    let dropped = range.upperBound - end
    // A point among the dropped bytes, or among the kept ones, is no digit.
    let pointIsDropped = integerEnd < range.upperBound && integerEnd >= end
    let pointIsKept = integerEnd > first && integerEnd < end
    digitCount = end - first - (pointIsKept ? 1 : 0)
    scale = placesAtEnd - (dropped - (pointIsDropped ? 1 : 0))
  }

  /// The significant digits as an integer; at most 38 of them.
  func mantissa(_ bytes: UnsafeRawBufferPointer) -> UInt128 {
    var small: UInt64 = 0
    if digitCount <= 19 {
      for byte in bytes[first..<end] where byte != UInt8(ascii: ".") {
        small = small &* 10 &+ UInt64(byte &- UInt8(ascii: "0"))
      }
      return UInt128(small)
    }
    var value: UInt128 = 0
    for byte in bytes[first..<end] where byte != UInt8(ascii: ".") {
      value = value &* 10 &+ UInt128(byte &- UInt8(ascii: "0"))
    }
    return value
  }

  /// Gives each significant digit to `body`, the first one first.
  func forEachDigit(_ bytes: UnsafeRawBufferPointer, _ body: (UInt64) -> Void) {
    for byte in bytes[first..<end] where byte != UInt8(ascii: ".") {
      body(UInt64(byte &- UInt8(ascii: "0")))
    }
  }
}

/// A decimal in the shape that nearly all have: up to 18 digits before the point and as many behind
/// it, in the one form; it is one of every form then.
struct PlainDecimal {
  var isNegative = false
  /// What stands before the point.
  var whole: UInt64 = 0
  /// What stands behind it, as an integer.
  var fraction: UInt64 = 0
  /// How many digits stand behind it.
  var places = 0

  /// Nil where the text has another shape, whatever is to be said of it.
  @inline(__always)
  init?(_ bytes: UnsafeRawBufferPointer) {
    var offset = 0
    if bytes.first == UInt8(ascii: "-") {
      isNegative = true
      offset = 1
    }
    let start = offset
    whole = Self.digits(bytes, &offset)
    let count = offset - start
    guard count > 0, count <= 18, count == 1 || bytes[start] != UInt8(ascii: "0") else {
      return nil
    }
    if offset < bytes.count {
      guard bytes[offset] == UInt8(ascii: ".") else { return nil }
      offset += 1
      let start = offset
      fraction = Self.digits(bytes, &offset)
      places = offset - start
      guard offset == bytes.count, places > 0, places <= 18,
        bytes[offset - 1] != UInt8(ascii: "0")
      else { return nil }
    }
    if isNegative, whole == 0, fraction == 0 { return nil }
  }

  /// The digits from `offset` on, which is moved behind them; more than 19 run over.
  @inline(__always)
  private static func digits(_ bytes: UnsafeRawBufferPointer, _ offset: inout Int) -> UInt64 {
    var value: UInt64 = 0
    while offset < bytes.count, case let digit = bytes[offset] &- UInt8(ascii: "0"), digit < 10 {
      value = value &* 10 &+ UInt64(digit)
      offset += 1
    }
    return value
  }
}
