/// How a portfolio did over a range of slots, as a whole, by category, by type and by asset.
///
/// How the figures come about is said at `ReportBuilder`.
public struct Report: Hashable, Sendable {
  /// The slots, both ends included.
  public var range: ClosedRange<Slot>
  /// The currency all figures are in.
  public var currency: AssetKey
  /// The whole portfolio.
  public var whole: ReportFigures
  /// Each category that had an asset in some snapshot of the range, in byte order of the keys.
  public var categories: [CategoryReport]
  /// Each type of which there was an asset in some snapshot of the range, in byte order.
  public var types: [TypeReport]
  /// Each asset that was in some snapshot of the range, in byte order.
  public var assets: [AssetReport]
  /// Assets with a positive rate of which more than 0 is held at the end, by rate, greatest first.
  public var gainers: [AssetReport]
  /// Assets with a negative rate of which more than 0 is held at the end, by rate, least first.
  public var losers: [AssetReport]
  /// Assets of which more than 0 was held in some snapshot of the range and is no more at its end.
  public var sold: [AssetReport]
  /// A point for each snapshot, in order.
  public var series: [SeriesPoint]
  /// What the first snapshot comes to, in the base currency.
  public var startTotals: SnapshotTotals
  /// What the last snapshot comes to, in the base currency.
  public var endTotals: SnapshotTotals
}

/// What became of a value over a range.
public struct ReportFigures: Hashable, Sendable {
  /// The value in the first snapshot; 0 where the range has only one.
  public var start = Value.zero
  /// The value in the last snapshot.
  public var end = Value.zero
  /// What came in.
  public var deposits = Value.zero
  /// What went out.
  public var withdrawals = Value.zero

  /// Of nothing.
  public init() {}

  /// end - start + withdrawals - deposits.
  public var profit: Value { end - start + withdrawals - deposits }

  /// profit / (start + deposits), rounded half to even at 18 places; nil where what it is a part of
  /// is not above 0.
  public var rate: Rate? { Rate(profit, of: start + deposits) }
}

/// A category in a report.
public struct CategoryReport: Hashable, Sendable {
  /// The category, in the spelling that was met last.
  public var category: Category
  /// Its figures.
  public var figures: ReportFigures
}

/// An asset type in a report.
public struct TypeReport: Hashable, Sendable {
  /// The type.
  public var type: AssetType
  /// Its figures.
  public var figures: ReportFigures
}

/// An asset in a report.
public struct AssetReport: Hashable, Sendable {
  /// The asset.
  public var asset: AssetKey
  /// Its figures, where a snapshot in which it has no value counts as one without it.
  public var figures: ReportFigures
  /// What is held of it in the last snapshot, in units of 10^-18.
  public var amount: Int256
  /// Whether it is in the first snapshot without a value.
  public var isUnpricedAtStart: Bool
  /// Whether it is in the last snapshot without a value.
  public var isUnpricedAtEnd: Bool
  /// Whether it has a value in some snapshot of the range.
  public var isEverPriced: Bool
  /// The category that it counted in when it was last in a snapshot of the range.
  public var category: Category
  /// The slot of the price that counts in the last snapshot; nil where it has no value there.
  public var pricedAt: Slot?
  /// Whether that price is more than 4 days old.
  public var isStaleAtEnd: Bool

  /// The value in the first snapshot, or nil where it was held and cannot be valued.
  public var start: Value? { isUnpricedAtStart ? nil : figures.start }
  /// The value in the last snapshot, or nil where it is held and cannot be valued.
  public var end: Value? { isUnpricedAtEnd ? nil : figures.end }
  /// The profit while it had a value; nil where it never had.
  public var profit: Value? { isEverPriced ? figures.profit : nil }
  /// The rate of change while it had a value; nil where it never had, or where there is none.
  public var rate: Rate? { isEverPriced ? figures.rate : nil }
}

/// A snapshot in a report.
public struct SeriesPoint: Hashable, Sendable {
  /// Its slot.
  public var slot: Slot
  /// Its value.
  public var value: Value
  /// What came in since the snapshot before it.
  public var deposits: Value
  /// What went out since the snapshot before it.
  public var withdrawals: Value
  /// How many assets in it have no value, and so are in no total.
  public var unpricedCount: Int
  /// How many have a value by a price of more than 4 days ago.
  public var staleCount: Int

  /// A point of those members.
  public init(
    slot: Slot, value: Value, deposits: Value, withdrawals: Value, unpricedCount: Int,
    staleCount: Int
  ) {
    self.slot = slot
    self.value = value
    self.deposits = deposits
    self.withdrawals = withdrawals
    self.unpricedCount = unpricedCount
    self.staleCount = staleCount
  }
}
