/// The currency that a report is in, and the rates to convert into it by.
///
/// A figure of a snapshot is converted as it is, once, by the rate of its own slot: value /
/// (factors x price), exactly, rounded half to even at 18 places.
struct DisplayCurrency: Sendable {
  /// The currency; nil is the base currency, which nothing is converted into.
  let currency: AssetKey?
  private var number: AssetNumber?
  /// The rate at the later of the two snapshots looked at, and at the earlier one.
  private var now: Quote?
  private var before: Quote?
  private var slot = Slot(index: 0)

  /// Which of two consecutive snapshots a figure belongs to.
  enum Point { case earlier, later }

  /// Digits before the point that a figure may have, so that no sum of figures comes near 256 bits.
  private static let digitLimit = 52

  private static let limit: Int256 = {
    let (high, low) = DecimalDigits.powerOfTen(38)
      .multipliedFullWidth(by: DecimalDigits.powerOfTen(digitLimit + 18 - 38))
    return Int256(high: Int128(high), low: low)
  }()

  init(_ currency: AssetKey?, base: AssetKey) {
    self.currency = currency == base ? nil : currency
  }

  /// Goes on to the rate of the walker's slot.
  mutating func advance(_ walker: inout SnapshotWalker) {
    before = now
    slot = walker.slot
    guard let currency else { return }
    let number = number ?? walker.number(of: currency)
    self.number = number
    now = walker.prices.quote(of: number, at: slot)
  }

  func convert(_ value: Value, at point: Point) throws(ReportError) -> Value {
    guard let currency, !value.isZero else { return value }
    let slot = point == .later ? slot : Slot(index: slot.index - 1)
    guard let rate = point == .later ? now : before, !rate.isZero else {
      throw .noRate(currency, at: slot)
    }
    guard let converted = value.divided(by: rate), converted.magnitude.units < Self.limit else {
      throw .outOfRange(currency, at: slot, digitLimit: Self.digitLimit)
    }
    return converted
  }
}

extension Quote {
  /// Whether a unit is worth nothing.
  var isZero: Bool { price.isZero || factors.contains(where: \.isZero) }
}

extension Value {
  /// The value in units of what `quote`, which is not 0, prices; nil where it needs more than 256
  /// bits.
  func divided(by quote: Quote) -> Value? {
    guard !quote.factors.isEmpty else { return divided(by: quote.price) }
    var quotient = WideMagnitude(units)
    var divisor = WideMagnitude(1)
    for price in quote.factors + CollectionOfOne(quote.price) {
      guard quotient.multiply(byPowerOfTen: Int(price.scale)),
        divisor.multiply(by: price.mantissa.magnitude)
      else { return nil }
    }
    quotient.divideRounding(by: divisor)
    return quotient.signed(isNegative: isNegative).map(Value.init(units:))
  }
}
