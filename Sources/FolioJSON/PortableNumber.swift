/// A number that every JSON reader understands alike.
///
/// An integer within 2^53 - 1, or a fraction of a magnitude between 10^-6 and 10^15 that the
/// shortest digits which tell a double apart write exactly.
public enum PortableNumber: Hashable, Sendable {
  /// A whole number within 2^53 - 1 of 0.
  case integer(Int64)
  /// A number with a fraction.
  case double(Double)

  /// The number that JSON's digits write in their one form; nil for any other digits.
  init?(canonical digits: RawSpan) {
    // 17 digits, at most five zeros before them, a sign, "0.".
    guard digits.byteCount <= 25 else { return nil }
    let text = digits.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    guard let value = Double(text), let shortest = Self.digits(value),
      shortest.elementsEqual(text.utf8), value != value.rounded(.towardZero)
    else { return nil }
    self = .double(value)
  }

  /// The number that JSON's digits write in any form; nil where it cannot be kept exactly.
  init?(reading digits: RawSpan) {
    guard let decimal = PlainDecimal(digits) else { return nil }
    self.init(decimal)
  }

  /// The number that `value` is; nil where it is not portable.
  public init?(_ value: Double) {
    if let whole = Int64(exactly: value), whole.magnitude <= portableIntegerMax {
      self = .integer(whole)
    } else {
      guard Self.digits(value) != nil else { return nil }
      self = .double(value)
    }
  }

  private init?(_ decimal: PlainDecimal) {
    if decimal.digits.isEmpty {
      self = .integer(0)
    } else if decimal.exponent >= 0 {
      guard decimal.digits.count + decimal.exponent <= 16 else { return nil }
      var magnitude: UInt64 = 0
      for digit in decimal.digits { magnitude = magnitude * 10 + UInt64(digit - 0x30) }
      for _ in 0..<decimal.exponent { magnitude *= 10 }
      guard magnitude <= portableIntegerMax else { return nil }
      self = .integer(decimal.isNegative ? -Int64(magnitude) : Int64(magnitude))
    } else {
      guard decimal.digits.count <= 17, decimal.exponent >= -40 else { return nil }
      let plain = decimal.plain
      guard let value = Double(String(decoding: plain, as: UTF8.self)),
        Self.digits(value).map({ $0 == plain }) ?? false
      else { return nil }
      self = .double(value)
    }
  }

  /// The shortest digits that tell `value` apart, without exponent; nil where it is not portable.
  ///
  /// A whole number has no point.
  public static func digits(_ value: Double) -> [UInt8]? {
    guard value.isFinite else { return nil }
    if value == value.rounded(.towardZero) {
      guard value.magnitude <= Double(portableIntegerMax) else { return nil }
      return Array(String(Int64(value)).utf8)
    }
    guard value.magnitude >= 1e-6, value.magnitude <= 1e15 else { return nil }
    let described = value.description
    let isPlain = !described.utf8.contains(UInt8(ascii: "e"))
    if isPlain { return Array(described.utf8) }
    let text = Array(described.utf8)
    return PlainDecimal(text.span.bytes)?.plain
  }
}

/// Digits without leading or trailing zeros, and a power of ten.
private struct PlainDecimal {
  var isNegative = false
  /// ASCII digits; none for zero.
  var digits: [UInt8] = []
  /// The power of ten that the digits, as an integer, are multiplied by.
  var exponent = 0

  /// The number that the grammar of JSON writes so; nil where the exponent is beyond reason.
  init?(_ text: RawSpan) {
    var fractionCount = 0
    var isFraction = false
    var index = 0
    func at(_ index: Int) -> UInt8 { text.unsafeLoad(fromByteOffset: index, as: UInt8.self) }
    while index < text.byteCount, at(index) | 0x20 != UInt8(ascii: "e") {
      switch at(index) {
      case UInt8(ascii: "-"): isNegative = true
      case UInt8(ascii: "."): isFraction = true
      default:
        if !digits.isEmpty || at(index) != 0x30 { digits.append(at(index)) }
        if isFraction { fractionCount += 1 }
      }
      index += 1
    }
    var written = 0
    var isWrittenNegative = false
    index += 1
    while index < text.byteCount {
      switch at(index) {
      case UInt8(ascii: "-"): isWrittenNegative = true
      case UInt8(ascii: "+"): break
      default: written = min(written * 10 + Int(at(index) - 0x30), 1 << 40)
      }
      index += 1
    }
    while let last = digits.last, last == 0x30 {
      digits.removeLast()
      fractionCount -= 1
    }
    guard written < 1 << 40 || digits.isEmpty else { return nil }
    exponent = (isWrittenNegative ? -written : written) - fractionCount
  }

  /// The digits with a point and without exponent.
  var plain: [UInt8] {
    var text: [UInt8] = isNegative ? [UInt8(ascii: "-")] : []
    let point = digits.count + exponent
    if point <= 0 {
      text += [0x30, UInt8(ascii: ".")] + Array(repeating: 0x30, count: -point) + digits
    } else {
      text += digits[..<point] + [UInt8(ascii: ".")] + digits[point...]
    }
    return text
  }
}
