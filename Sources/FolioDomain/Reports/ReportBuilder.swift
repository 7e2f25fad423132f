/// Makes a report from the snapshots of a range, given one after the other.
///
/// Every figure comes from snapshots alone. Between two that follow each other, with amounts a and
/// a' of an asset and prices p and p':
/// - An increase is a deposit of (a' - a) x p', a decrease a withdrawal of (a - a') x p. Each is
///   one term, rounded once. The profit, end - start + withdrawals - deposits, is then the sum of
///   min(a, a') x (p' - p), but for one unit of the 18th place a term.
/// - A price counts as it counts in its snapshot: its own, carried over, or a successor's with the
///   factors. That a price is carried, and stale, changes no figure: p' is then p. In the snapshot
///   where a successor begins, the price moves to the factors x the successor's price, like any
///   move.
/// - An asset without a value in a snapshot, for want of a price or out of range, counts there as
///   if it were not held. So one that becomes priced enters at the later snapshot, like a deposit
///   of a' x p'; one that no longer has a value leaves at the earlier one, like a withdrawal of a x
///   p.
/// - What is below 0 comes in and goes out with the other sign: entering is a withdrawal then, and
///   leaving a deposit.
/// - The first snapshot's value is start, not deposit. A range with a single snapshot starts from
///   nothing: its value comes in, at its own price, and start is 0.
/// - An asset that goes from one category to another leaves the one and enters the other at the
///   later price. What was sold in the same step leaves the old one at the earlier price; what was
///   bought enters the new one. At no other level does a move show.
/// - In another currency than the base one each figure of a snapshot is converted once, by that
///   snapshot's rate: what is at the later price by the later rate, what is at the earlier by the
///   earlier. Parts then add up to the whole but for one unit of the 18th place each.
///
/// The walker is at each slot's start when it is given, with that slot's table observed:
///
///     var builder = ReportBuilder(options: ReportOptions(), rules: rules)
///     try walker.walk(through: last, changes: changes, tables: tables) { try builder.add(&$0) }
///     let report = try builder.finish(walker)
public struct ReportBuilder: Sendable {
  let options: ReportOptions
  let base: AssetKey
  var currency: DisplayCurrency

  var range: ClosedRange<Slot>?
  var series: [SeriesPoint] = []
  var startTotals = SnapshotTotals()
  var endTotals = SnapshotTotals()

  /// The whole first, then each type, category and asset in the order of their appearing.
  var tallies = [ReportTally()]
  /// The tallies with flows since the snapshot before.
  var touched: [Int] = []
  var typeTallies: [AssetType: Int] = [:]
  /// The tally of each category, by its number; nil where no asset of it was in a snapshot.
  var categoryTallies: [Int?] = []
  /// The numbers of the categories: the walker's, or where today's count, the builder's own.
  var categories = CategoryNumbering()
  /// What is known of each of the walker's holdings, by place.
  var assets: [Asset] = []

  /// An asset's state in the snapshot before, and what was seen of it.
  struct Asset: Sendable {
    let key: AssetKey
    /// The tallies of the asset and its type; nil where it was in no snapshot of the range.
    var tally: (own: Int, type: Int)?
    var todaysCategory = 0
    var amount = Int256.zero
    var category = 0
    var hasValue = false
    var isUnpricedAtStart = false
    var isEverPriced = false
    var wasAboveZero = false
  }

  /// A builder that was given no snapshot.
  public init(options: ReportOptions, rules: PricingRules) {
    self.options = options
    base = rules.base
    currency = DisplayCurrency(options.currency, base: rules.base)
  }

  /// Takes the snapshot at the walker's slot.
  ///
  /// - Precondition: The walker is one slot further than it was the last time.
  /// - Complexity: O(assets of which more changed than the price), beside that of the totals.
  public mutating func add(_ walker: inout SnapshotWalker) throws(ReportError) {
    let slot = walker.slot
    precondition(range.map { $0.upperBound.firstSnapshot == slot } ?? true, "a slot was left out")
    currency.advance(&walker)
    endTotals = walker.totals()
    for place in assets.count..<walker.holdings.count {
      assets.append(Asset(key: walker.holdings[place].asset))
    }
    var point = SeriesPoint(
      slot: slot, value: try currency.convert(endTotals.value, at: .later), deposits: .zero,
      withdrawals: .zero, unpricedCount: endTotals.unpricedCount,
      staleCount: endTotals.staleCount)
    if let first = range?.lowerBound {
      for place in walker.placesToCompare() where isChanged(place, walker) {
        appear(place, walker)
        compare(place, walker)
        remember(place, walker)
      }
      let flow = try closeFlows()
      (point.deposits, point.withdrawals) = (flow.deposits, flow.withdrawals)
      range = first...slot
    } else {
      startTotals = endTotals
      range = slot...slot
      try begin(walker)
    }
    series.append(point)
  }
}
