/// An amount made ready to be valued at many prices.
///
/// Most amounts and prices have few digits: their product then has no more than 18 places, and is
/// found without a division.
struct AmountFactor: Sendable {
  private let amount: Amount
  /// The amount's digits without the zeros at their end, and how many those are; 0 where there are
  /// too many.
  private let digits: UInt64
  private let zeros: Int

  init(_ amount: Amount) {
    self.amount = amount
    var rest = amount.units.magnitude
    var zeros = 0
    while rest != 0, case let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10),
      digit == 0
    {
      rest = quotient
      zeros += 1
    }
    digits = UInt64(exactly: rest) ?? 0
    self.zeros = zeros
  }

  private init(_ amount: Amount, _ digits: UInt64, _ zeros: Int) {
    self.amount = amount
    self.digits = digits
    self.zeros = zeros
  }

  /// The same with the other sign.
  var negated: AmountFactor { AmountFactor(Amount(unchecked: -amount.units), digits, zeros) }

  /// What the amount is worth at a price, as `Value.init(_:at:)` has it, in units of 10^-18.
  @inline(__always)
  func units(at price: Price) -> Int256 {
    let places = zeros - Int(price.scale)
    guard digits != 0, places >= 0, places < 20 else { return Value(amount, at: price).units }
    let power = DecimalDigits.powersOfTen[places]
    let product = digits.multipliedFullWidth(by: price.mantissa.magnitude)
    let low = product.low.multipliedFullWidth(by: power)
    var units = Int256(high: 0, low: UInt128(low.high) << 64 | UInt128(low.low))
    if product.high != 0 {
      let high = product.high.multipliedFullWidth(by: power)
      units += Int256(high: Int128(high.high), low: UInt128(high.low) << 64)
    }
    return amount.units < 0 ? -units : units
  }
}
