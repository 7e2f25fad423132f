extension ReportBuilder {
  /// The report of the snapshots that were given.
  public consuming func finish() throws(ReportError) -> Report {
    guard let range else { throw .noSnapshots }
    if range.count == 1 { try startFromNothing() }
    try end()
    let reports = assetReports(at: range.upperBound)
    let assets = reports.map(\.report)
    return Report(
      range: range, currency: currency.currency ?? base, whole: tallies[0].figures,
      categories: categoryReports, types: typeReports, assets: assets,
      gainers: ranked(assets, { $0 > $1 }, where: { $0 > Rate(units: .zero) }),
      losers: ranked(assets, { $0 < $1 }, where: { $0 < Rate(units: .zero) }),
      sold: reports.filter(\.isSold).map(\.report), series: series, startTotals: startTotals,
      endTotals: endTotals)
  }

  /// A single snapshot: six hours before there was nothing, and all of it came in.
  private mutating func startFromNothing() throws(ReportError) {
    for i in tallies.indices { tallies[i].figures.start = .zero }
    for place in held {
      assets[place].isUnpricedAtStart = false
      guard let value = assets[place].value, let tally = assets[place].tally else { continue }
      for element in [0, tally.type, tally.own, categoryTally(assets[place].category)] {
        add(value, at: .later, to: element)
      }
    }
    let flow = try closeFlows()
    series[0].deposits = flow.deposits
    series[0].withdrawals = flow.withdrawals
  }

  /// The last snapshot: what it is worth is where each element ends.
  private mutating func end() throws(ReportError) {
    for i in tallies.indices { tallies[i].value = .zero }
    for place in held {
      guard let value = assets[place].value, let tally = assets[place].tally else { continue }
      for element in [0, tally.type, tally.own, categoryTally(assets[place].category)] {
        tallies[element].value += value
      }
    }
    for i in tallies.indices {
      tallies[i].figures.end = try currency.convert(tallies[i].value, at: .later)
    }
  }

  private func assetReports(at last: Slot) -> [(report: AssetReport, isSold: Bool)] {
    var reports: [(report: AssetReport, isSold: Bool)] = []
    for asset in assets {
      guard let tally = asset.tally else { continue }
      let isHeld = !asset.amount.isZero
      let hasPrice = isHeld && asset.value != nil && asset.pricedAtIndex != .min
      let report = AssetReport(
        asset: asset.key, figures: tallies[tally.own].figures, amount: asset.amount,
        isUnpricedAtStart: asset.isUnpricedAtStart,
        isUnpricedAtEnd: isHeld && asset.value == nil, isEverPriced: asset.isEverPriced,
        category: categories[asset.category],
        pricedAt: hasPrice ? Slot(index: asset.pricedAtIndex) : nil,
        isStaleAtEnd: hasPrice && Quote.isStale(asset.pricedAtIndex, at: last))
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
