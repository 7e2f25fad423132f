/// A rate of change: an exact decimal with 18 places; 0.05 is five in a hundred.
public struct Rate: Hashable, Sendable {
  /// The rate in units of 10^-18.
  public var units: Int256

  /// The rate of that many units of 10^-18.
  public init(units: Int256) { self.units = units }

  /// part / whole, rounded once, half to even, at 18 places.
  ///
  /// Nil where the whole is not above 0, for then there is no rate, or where the rate needs more
  /// than 256 bits.
  /// - Complexity: O(bits of the quotient).
  public init?(_ part: Value, of whole: Value) {
    guard whole > .zero else { return nil }
    var quotient = WideMagnitude(part.units)
    guard quotient.multiply(byPowerOfTen: 18) else { return nil }
    quotient.divideRounding(by: WideMagnitude(whole.units))
    guard let units = quotient.signed(isNegative: part.isNegative) else { return nil }
    self.units = units
  }

  /// The rate in the one decimal form, with all its digits.
  public var text: String { units.decimalText }

  /// Appends the one decimal form in UTF-8.
  public func appendText(to bytes: inout [UInt8]) { units.appendDecimalText(to: &bytes) }
}

extension Rate: Comparable {
  /// Whether `a` comes before `b`.
  public static func < (a: Rate, b: Rate) -> Bool { a.units < b.units }
}

extension Rate: CustomStringConvertible {
  /// The text form.
  public var description: String { text }
}
