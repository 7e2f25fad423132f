/// An exact decimal price: at most 18 significant digits and 36 decimal places, never negative.
///
/// Held reduced: `mantissa` has no trailing zero digit while `scale` is above 0, so that equal
/// prices have equal members.
public struct Price: Hashable, Sendable {
  /// The significant digits, from 0 to 10^18 - 1.
  public let mantissa: Int64
  /// How many of the digits stand after the point, from 0 to 36.
  public let scale: UInt8

  /// `mantissa` x 10^-`scale`, reduced; nil where a limit is passed.
  @inlinable
  public init?(mantissa: Int64, scale: Int) {
    var mantissa = mantissa
    var scale = scale
    while scale > 0, mantissa % 10 == 0 {
      mantissa /= 10
      scale -= 1
    }
    guard mantissa >= 0, mantissa < 1_000_000_000_000_000_000, (0...36).contains(scale) else {
      return nil
    }
    self.mantissa = mantissa
    self.scale = UInt8(scale)
  }

  /// A price already known to be reduced and within its limits.
  init(unchecked mantissa: Int64, scale: UInt8) {
    self.mantissa = mantissa
    self.scale = scale
  }
}
