/// An exact decimal quantity of an asset: at most 20 digits before the point and 18 after it.
public struct Amount: Hashable, Sendable {
  /// The quantity in units of 10^-18; its magnitude is below 10^38.
  public let units: Int128

  /// The quantity of that many units of 10^-18, or nil where its magnitude is 10^38 or more.
  public init?(units: Int128) {
    guard units.magnitude < Self.limit else { return nil }
    self.units = units
  }

  /// 10^38: the first magnitude, in units, that is out of range.
  public static let limit: UInt128 = 100_000_000_000_000_000_000_000_000_000_000_000_000

  /// An amount whose range is already known to be right.
  init(unchecked units: Int128) { self.units = units }

  /// Nothing.
  public static let zero = Amount(unchecked: 0)
}

extension Amount: Comparable {
  /// Whether `a` comes before `b`.
  public static func < (a: Amount, b: Amount) -> Bool { a.units < b.units }
}
