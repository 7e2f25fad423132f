extension ReportBuilder {
  /// The report of the snapshots that were given; the walker stands where it stood at the last.
  public consuming func finish(_ walker: inout SnapshotWalker) throws(ReportError) -> Report {
    guard let range else { throw .noSnapshots }
    precondition(range.upperBound == walker.slot)
    if range.count == 1 { try startFromNothing(&walker) }
    sumValues(&walker)
    for i in tallies.indices {
      tallies[i].figures.end = try currency.convert(tallies[i].value, at: .later)
    }
    let assets = assetReports(walker)
    return Report(
      range: range, currency: currency.currency ?? base, whole: tallies[0].figures,
      categories: categoryReports(walker), types: typeReports, assets: assets.map(\.report),
      gainers: ranked(assets.map(\.report), { $0 > $1 }, where: { $0 > Rate(units: .zero) }),
      losers: ranked(assets.map(\.report), { $0 < $1 }, where: { $0 < Rate(units: .zero) }),
      sold: assets.filter(\.isSold).map(\.report), series: series, startTotals: startTotals,
      endTotals: endTotals)
  }

  /// A single snapshot: six hours before there was nothing, and all of it came in.
  private mutating func startFromNothing(_ walker: inout SnapshotWalker) throws(ReportError) {
    for i in tallies.indices { tallies[i].figures.start = .zero }
    for place in walker.held {
      assets[place].isUnpricedAtStart = false
      guard let value = walker.value(at: place), let tally = assets[place].tally else { continue }
      let category = categoryTally(category(of: place, walker))
      for element in [0, tally.type, tally.own, category] {
        if !tallies[element].isTouched { touched.append(element) }
        tallies[element].add(value, at: .later)
      }
    }
    let flow = try closeFlows()
    series[0].deposits = flow.deposits
    series[0].withdrawals = flow.withdrawals
  }

  private func assetReports(
    _ walker: borrowing SnapshotWalker
  ) -> [(report: AssetReport, isSold: Bool)] {
    var reports: [(report: AssetReport, isSold: Bool)] = []
    for (place, asset) in assets.enumerated() {
      guard let tally = asset.tally else { continue }
      let holding = walker.holdings[place]
      let isAboveZero = !holding.amount.isZero && !holding.amount.isNegative
      let report = AssetReport(
        asset: holding.asset, figures: tallies[tally.own].figures, amount: holding.amount,
        isUnpricedAtStart: asset.isUnpricedAtStart,
        isUnpricedAtEnd: !holding.amount.isZero && !asset.isValued,
        isEverPriced: asset.isEverPriced)
      reports.append((report, isSold: asset.wasAboveZero && !isAboveZero))
    }
    return reports.sorted { $0.report.asset < $1.report.asset }
  }

  private func categoryReports(_ walker: borrowing SnapshotWalker) -> [CategoryReport] {
    var reports: [CategoryReport] = []
    for case (let number, let tally?) in categoryTallies.enumerated() {
      reports.append(
        CategoryReport(
          category: category(numbered: number, walker), figures: tallies[tally].figures))
    }
    return reports.sorted { $0.category.key < $1.category.key }
  }

  private var typeReports: [TypeReport] {
    typeTallies.map { TypeReport(type: $0.key, figures: tallies[$0.value].figures) }
      .sorted { $0.type < $1.type }
  }

  /// The assets held above 0 whose rate passes `isListed`, the first by rate; equal ones in byte
  /// order.
  private func ranked(
    _ reports: [AssetReport], _ precedes: (Rate, Rate) -> Bool, where isListed: (Rate) -> Bool
  ) -> [AssetReport] {
    var rated: [(report: AssetReport, rate: Rate)] = []
    for report in reports where !report.amount.isZero && !report.amount.isNegative {
      if let rate = report.rate, isListed(rate) { rated.append((report, rate)) }
    }
    rated.sort {
      $0.rate == $1.rate ? $0.report.asset < $1.report.asset : precedes($0.rate, $1.rate)
    }
    return rated.prefix(options.rankedMax).map(\.report)
  }
}
