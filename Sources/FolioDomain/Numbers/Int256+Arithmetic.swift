extension Int256 {
  /// Whether the number is below 0.
  public var isNegative: Bool { high < 0 }
  /// Whether the number is 0.
  public var isZero: Bool { high == 0 && low == 0 }

  /// The number of an amount's units of 10^-18.
  public init(_ amount: Amount) { self.init(amount.units) }

  /// The same number in 128 bits, or nil where it does not fit.
  public var int128: Int128? {
    let value = Int128(truncatingIfNeeded: low)
    return high == (value < 0 ? -1 : 0) ? value : nil
  }

  /// The amount of that many units of 10^-18, or nil where it is out of an amount's range.
  public var amount: Amount? { int128.flatMap(Amount.init(units:)) }

  /// The magnitude's two halves.
  var magnitudeWords: (high: UInt128, low: UInt128) {
    guard isNegative else { return (UInt128(truncatingIfNeeded: high), low) }
    let negated = -self
    return (UInt128(truncatingIfNeeded: negated.high), negated.low)
  }

  /// The sum.
  ///
  /// 2^127 amounts can be added before it wraps.
  public static func + (a: Int256, b: Int256) -> Int256 {
    let (low, carry) = a.low.addingReportingOverflow(b.low)
    return Int256(high: a.high &+ b.high &+ (carry ? 1 : 0), low: low)
  }

  /// The difference.
  public static func - (a: Int256, b: Int256) -> Int256 {
    let (low, borrow) = a.low.subtractingReportingOverflow(b.low)
    return Int256(high: a.high &- b.high &- (borrow ? 1 : 0), low: low)
  }

  /// The number with the other sign.
  public static prefix func - (a: Int256) -> Int256 { .zero - a }

  /// Adds in place.
  public static func += (a: inout Int256, b: Int256) { a = a + b }

  /// Subtracts in place.
  public static func -= (a: inout Int256, b: Int256) { a = a - b }
}

extension Int256: Comparable {
  /// Whether `a` comes before `b`.
  public static func < (a: Int256, b: Int256) -> Bool {
    a.high == b.high ? a.low < b.low : a.high < b.high
  }
}

extension Int256 {
  /// Appends the number x 10^-18 in the one decimal form.
  ///
  /// An amount out of range is shown so too.
  public func appendDecimalText(to bytes: inout [UInt8]) {
    if isNegative { bytes.append(UInt8(ascii: "-")) }
    var rest = WideMagnitude(self)
    let unit = DecimalDigits.powersOfTen[18]
    let fraction = rest.divide(by: unit)
    // 2^255 has 77 digits: at most four groups of 18 stand before the point.
    var groups: [5 of UInt64] = .init(repeating: 0)
    var count = 0
    repeat {
      groups[count] = rest.divide(by: unit)
      count += 1
    } while !rest.isZero
    DecimalDigits.append(groups[count - 1], to: &bytes)
    for i in stride(from: count - 2, through: 0, by: -1) {
      DecimalDigits.append(groups[i], width: 18, to: &bytes)
    }
    DecimalDigits.appendFraction(fraction, places: 18, to: &bytes)
  }

  /// The number x 10^-18 in the one decimal form.
  public var decimalText: String {
    var bytes: [UInt8] = []
    appendDecimalText(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension Int256 {
  /// The number in units of 10^-18 that `text` names in the one decimal form.
  ///
  /// Nil where it is not in that form, has more than 18 decimal places, or needs more than 256
  /// bits.
  public init?(decimalText text: String) {
    var text = text
    let parsed = text.withUTF8 { Self.parse(UnsafeRawBufferPointer($0)) }
    guard let parsed else { return nil }
    self = parsed
  }

  private static func parse(_ bytes: UnsafeRawBufferPointer) -> Int256? {
    guard let scan = try? DecimalScan(bytes, .wire), scan.scale <= 18,
      scan.integerDigitCount <= 60
    else { return nil }
    var number = WideMagnitude(0)
    var fits = true
    scan.forEachDigit(bytes) { digit in
      fits = fits && (number.multiply(by: 10, adding: digit))
    }
    guard fits, number.multiply(byPowerOfTen: 18 - scan.scale) else { return nil }
    return number.signed(isNegative: scan.isNegative)
  }
}
