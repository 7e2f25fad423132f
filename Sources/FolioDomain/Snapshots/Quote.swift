/// The price that counts for an asset in a snapshot, and the slot it was seen in.
public struct Quote: Hashable, Sendable {
  /// The price: the asset's own, or that of the asset at the end of its chain of successors.
  public var price: Price
  /// The slot of the table the price stands in, which is never later than the snapshot.
  ///
  /// The base currency's is the snapshot's own.
  public var pricedAt: Slot
  /// The factors of the chain of successors, whose product is how many units of the priced asset
  /// one unit stands for; empty where the asset takes its own price.
  public var factors: [Price]

  /// How many slots a price may be carried over without being stale: four days of four slots.
  ///
  /// One carried over for exactly four days is not stale; one slot more, and it is.
  public static let freshSlots: Int64 = 16

  /// A price with its origin.
  public init(price: Price, pricedAt: Slot, factors: [Price] = []) {
    self.price = price
    self.pricedAt = pricedAt
    self.factors = factors
  }

  /// Whether the price is more than 4 days old at a snapshot.
  ///
  /// O(1).
  public func isStale(at slot: Slot) -> Bool {
    Self.isStale(pricedAt.index, at: slot)
  }

  /// The same of a price that was seen in a slot.
  @inlinable
  package static func isStale(pricedAt: Slot, at slot: Slot) -> Bool {
    pricedAt.index < slot.index - freshSlots
  }

  @inline(__always)
  static func isStale(_ pricedAtIndex: Int64, at slot: Slot) -> Bool {
    pricedAtIndex < slot.index - freshSlots
  }

  /// What a sum of amounts is worth: sum x factors x price in full width, rounded once, half to
  /// even, at 18 places.
  ///
  /// O(1).
  ///
  /// - Returns: nil where the sum is out of an amount's range, or the value has more than 38 digits
  ///   before the point. Without factors the second cannot be.
  public func value(of sum: Int256) -> Value? {
    guard let amount = sum.amount else { return nil }
    guard !factors.isEmpty else { return Value(amount, at: price) }
    guard let value = Value(sum, factors: factors + CollectionOfOne(price)) else { return nil }
    return value.magnitude.units < Self.valueLimit ? value : nil
  }

  /// 10^56 units, 10^38 in money: an amount at a price stays below it by their own limits.
  ///
  /// With a factor it must too, so that no sum of values comes near 256 bits.
  private static let valueLimit: Int256 = {
    let (high, low) = UInt128(100_000_000_000_000_000_000_000_000_000_000_000_000)
      .multipliedFullWidth(by: 1_000_000_000_000_000_000)
    return Int256(high: Int128(high), low: low)
  }()
}
