/// A sum of money: an exact decimal with 18 places, kept in 256 bits.
public struct Value: Hashable, Sendable {
  /// The value in units of 10^-18 of the currency.
  public var units: Int256

  /// The value of that many units of 10^-18.
  public init(units: Int256) { self.units = units }

  /// Nothing.
  public static let zero = Value(units: .zero)

  /// The sum of money that an exact decimal names.
  public init(_ amount: Amount) { units = Int256(amount) }

  /// The value of `text` in the one decimal form, or nil where it is not in it or out of range.
  public init?(_ text: String) {
    guard let units = Int256(decimalText: text) else { return nil }
    self.units = units
  }

  /// amount x price, in full width, rounded once, half to even, at 18 places.
  ///
  /// - Complexity: O(1).
  public init(_ amount: Amount, at price: Price) {
    if let short = Self.shortProduct(amount, price) {
      units = short
      return
    }
    var product = WideMagnitude(amount.units.magnitude)
    // 127 bits times 60 fit in 256, whatever the scale.
    _ = product.multiply(by: price.mantissa.magnitude)
    product.divideRounding(byPowerOfTen: Int(price.scale))
    units = product.signed(isNegative: amount.units < 0) ?? .zero
  }

  /// The same for a merged sum, or nil where that is out of an amount's range.
  public init?(_ sum: Int256, at price: Price) {
    guard let amount = sum.amount else { return nil }
    self.init(amount, at: price)
  }

  /// sum x the product of all factors, rounded once, half to even, at 18 places.
  ///
  /// For an asset that is valued by its successor: the factors of the chain and the last price.
  /// Nil where the sum is out of an amount's range, where there are more than nine factors, or
  /// where the result needs more than 256 bits.
  /// - Complexity: O(factors).
  public init?(_ sum: Int256, factors: [Price]) {
    guard let amount = sum.amount, factors.count <= 9 else { return nil }
    var product = WideMagnitude(amount.units.magnitude)
    var scale = 0
    for factor in factors {
      guard product.multiply(by: factor.mantissa.magnitude) else { return nil }
      scale += Int(factor.scale)
    }
    product.divideRounding(byPowerOfTen: scale)
    guard let units = product.signed(isNegative: amount.units < 0) else { return nil }
    self.units = units
  }

  /// The value in a currency one unit of which costs `price`, rounded once, half to even, at 18
  /// places; nil where the price is 0 or the result needs more than 256 bits.
  public func divided(by price: Price) -> Value? {
    guard !price.isZero else { return nil }
    var quotient = WideMagnitude(units)
    guard quotient.multiply(byPowerOfTen: Int(price.scale)) else { return nil }
    quotient.divideRounding(by: price.mantissa.magnitude)
    return quotient.signed(isNegative: units.isNegative).map(Value.init(units:))
  }

  /// The value times an exact factor, rounded once, half to even, at 18 places; nil where the
  /// result needs more than 256 bits.
  public func multiplied(by factor: Price) -> Value? {
    var product = WideMagnitude(units)
    guard product.multiply(by: factor.mantissa.magnitude) else { return nil }
    product.divideRounding(byPowerOfTen: Int(factor.scale))
    return product.signed(isNegative: units.isNegative).map(Value.init(units:))
  }

  /// The exact sum.
  public static func + (a: Value, b: Value) -> Value { Value(units: a.units + b.units) }
  /// The exact difference.
  public static func - (a: Value, b: Value) -> Value { Value(units: a.units - b.units) }
  /// The value with the other sign.
  public static prefix func - (a: Value) -> Value { Value(units: -a.units) }
  /// Adds in place.
  public static func += (a: inout Value, b: Value) { a.units += b.units }
  /// Subtracts in place.
  public static func -= (a: inout Value, b: Value) { a.units -= b.units }

  /// Whether the value is below 0.
  public var isNegative: Bool { units.isNegative }
  /// Whether the value is 0.
  public var isZero: Bool { units.isZero }
  /// The value without its sign.
  public var magnitude: Value { isNegative ? -self : self }

  /// The value in the one decimal form, with all its digits.
  public var text: String { units.decimalText }

  /// Appends the one decimal form in UTF-8.
  public func appendText(to bytes: inout [UInt8]) { units.appendDecimalText(to: &bytes) }
}

extension Value: Comparable {
  /// Whether `a` comes before `b`.
  public static func < (a: Value, b: Value) -> Bool { a.units < b.units }
}

extension Value: CustomStringConvertible {
  /// The text form.
  public var description: String { text }
}
