/// What was held at the start of a slot, and what it was worth.
public struct Snapshot: Hashable, Sendable {
  /// The slot, at whose start the snapshot stands.
  public var slot: Slot
  /// The assets whose amount is not 0, in byte order of type and id.
  public var assets: [SnapshotAsset]

  /// A snapshot of those assets.
  public init(slot: Slot, assets: [SnapshotAsset]) {
    self.slot = slot
    self.assets = assets
  }

  /// What the assets come to.
  ///
  /// O(n).
  public var totals: SnapshotTotals {
    var totals = SnapshotTotals()
    for asset in assets {
      totals.add(asset.value, pricedAtIndex: asset.quote?.pricedAt.index ?? .min, at: slot)
    }
    return totals
  }
}

/// An asset in a snapshot.
public struct SnapshotAsset: Hashable, Sendable {
  /// The asset.
  public var asset: AssetKey
  /// What is held of it, in units of 10^-18; below 0 where devices that edited apart sold too much.
  public var amount: Int256
  /// The category it was in.
  public var category: Category
  /// Its price, and the price's slot; nil where it is unpriced.
  public var quote: Quote?
  /// What it is worth; nil where it is unpriced, or its amount or value is out of range.
  public var value: Value?

  /// An asset with those members; its value follows from amount and quote.
  public init(asset: AssetKey, amount: Int256, category: Category, quote: Quote?) {
    self.asset = asset
    self.amount = amount
    self.category = category
    self.quote = quote
    value = quote?.value(of: amount)
  }

  /// Whether the amount lies beyond what an `Amount` can be, so that it is shown but not valued.
  public var isOutOfRange: Bool { amount.amount == nil }
}

/// What the assets of a snapshot come to.
public struct SnapshotTotals: Hashable, Sendable {
  /// The sum of the values of those that have one.
  public var value = Value.zero
  /// How many assets there are.
  public var assetCount = 0
  /// How many have no value, for want of a price or because a limit is passed; they are not in the
  /// sum.
  public var unpricedCount = 0
  /// How many have a value by a price of more than 4 days ago.
  public var staleCount = 0

  /// Of nothing.
  public init() {}

  /// Adds an asset of that value, whose price stands in that slot's table; with -1 `times`, and the
  /// value below 0, takes it away again.
  mutating func add(
    _ assetValue: Value?, pricedAtIndex: Int64, at slot: Slot, times: Int = 1
  ) {
    assetCount += times
    guard let assetValue else {
      unpricedCount += times
      return
    }
    value += assetValue
    if Quote.isStale(pricedAtIndex, at: slot) { staleCount += times }
  }
}
