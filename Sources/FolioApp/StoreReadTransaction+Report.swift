public import FolioDomain
public import FolioStore

extension StoreReadTransaction {
  /// The report over a range of closed slots, both ends included.
  ///
  /// - Parameters:
  ///   - from: The first slot; nil is the first snapshot's.
  ///   - to: The last slot; nil is the latest closed one.
  /// - Throws: `ReportError`, and what reading throws.
  /// - Complexity: O(slots x assets), in memory of a few slots and the series.
  public func report(
    from: Slot? = nil, to: Slot? = nil, options: ReportOptions = ReportOptions()
  ) throws -> Report {
    let range = try Report.range(from: from, to: to, closed: try snapshotSlots())
    var builder = ReportBuilder(options: options, rules: try pricingRules())
    var report: Report?
    try walkSnapshots(range, tracking: options.currency.map { [$0] } ?? []) { walker in
      try builder.add(&walker)
      if walker.slot == range.upperBound { report = try builder.finish(walker) }
    }
    guard let report else { throw ReportError.noSnapshots }
    return report
  }
}
