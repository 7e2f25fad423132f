extension ReportBuilder {
  /// The report of the snapshots that were given.
  ///
  /// - Parameter walker: The one that was given last, at the same slot.
  public consuming func finish(_ walker: borrowing SnapshotWalker) throws(ReportError) -> Report {
    guard let range else { throw .noSnapshots }
    precondition(walker.slot == range.upperBound, "the walker went on")
    if case .then = options.categories { categories = walker.categories }
    if range.count == 1 { try startFromNothing(walker) }
    try end(walker)
    let reports = assetReports(walker)
    let assets = reports.map(\.report)
    let rated = rated(assets)
    return Report(
      range: range, currency: currency.currency ?? base, whole: tallies[0].figures,
      categories: categoryReports, types: typeReports, assets: assets,
      gainers: ranked(assets, rated.filter { $0.rate > Rate(units: .zero) }) { $0 > $1 },
      losers: ranked(assets, rated.filter { $0.rate < Rate(units: .zero) }) { $0 < $1 },
      sold: reports.filter(\.isSold).map(\.report), series: series, startTotals: startTotals,
      endTotals: endTotals)
  }

  /// A single snapshot: six hours before there was nothing, and all of it came in.
  private mutating func startFromNothing(
    _ walker: borrowing SnapshotWalker
  ) throws(ReportError) {
    for i in tallies.indices { tallies[i].figures.start = .zero }
    for place in walker.held {
      assets[place].isUnpricedAtStart = false
      guard let value = walker.value(at: place) else { continue }
      for element in elements(of: place) { add(value, at: .later, to: element) }
    }
    let flow = try closeFlows()
    series[0].deposits = flow.deposits
    series[0].withdrawals = flow.withdrawals
  }

  /// The last snapshot: what it is worth is where each element ends.
  private mutating func end(_ walker: borrowing SnapshotWalker) throws(ReportError) {
    for i in tallies.indices { tallies[i].value = .zero }
    addValues(walker)
    for i in tallies.indices {
      tallies[i].figures.end = try currency.convert(tallies[i].value, at: .later)
    }
  }

  private func assetReports(
    _ walker: borrowing SnapshotWalker
  ) -> [(report: AssetReport, isSold: Bool)] {
    var reports: [(report: AssetReport, isSold: Bool)] = []
    for place in assets.indices {
      let asset = assets[place]
      guard let tally = asset.tally else { continue }
      let isHeld = !asset.amount.isZero
      let pricedAt = asset.hasValue ? walker.quote(at: place)?.pricedAt : nil
      let report = AssetReport(
        asset: asset.key, figures: tallies[tally.own].figures, amount: asset.amount,
        isUnpricedAtStart: asset.isUnpricedAtStart,
        isUnpricedAtEnd: isHeld && !asset.hasValue, isEverPriced: asset.isEverPriced,
        category: categories[asset.category], pricedAt: pricedAt,
        isStaleAtEnd: pricedAt.map { Quote.isStale($0.index, at: walker.slot) } ?? false)
      let isAboveZero = isHeld && !asset.amount.isNegative
      reports.append((report, isSold: asset.wasAboveZero && !isAboveZero))
    }
    return reports.sorted { $0.report.asset < $1.report.asset }
  }

  private var categoryReports: [CategoryReport] {
    var reports: [CategoryReport] = []
    for case (let number, let tally?) in categoryTallies.enumerated() {
      reports.append(
        CategoryReport(category: categories[number], figures: tallies[tally].figures))
    }
    return reports.sorted { $0.category.key < $1.category.key }
  }

  private var typeReports: [TypeReport] {
    typeTallies.map { TypeReport(type: $0.key, figures: tallies[$0.value].figures) }
      .sorted { $0.type < $1.type }
  }

  /// The assets held above 0 that have a rate, by their places among the reports.
  private func rated(_ reports: [AssetReport]) -> [(place: Int, rate: Rate)] {
    reports.enumerated().compactMap { place, report in
      guard !report.amount.isZero, !report.amount.isNegative else { return nil }
      return report.rate.map { (place, $0) }
    }
  }

  /// The first of those by rate; equal ones in byte order, which the reports have.
  private func ranked(
    _ reports: [AssetReport], _ rated: [(place: Int, rate: Rate)],
    _ precedes: (Rate, Rate) -> Bool
  ) -> [AssetReport] {
    rated.sorted { $0.rate == $1.rate ? $0.place < $1.place : precedes($0.rate, $1.rate) }
      .prefix(options.rankedMax).map { reports[$0.place] }
  }
}
