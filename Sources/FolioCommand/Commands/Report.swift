import FolioApp
import FolioArguments
import FolioDomain
import FolioJSON
import FolioReportPage
import FolioStore
import FolioSystem

extension Command {
  static let report = Command(
    "report", "What came in, what went out, and what was gained, over a range of slots",
    options: [
      Option("from", "SLOT", "The first slot; that of the first snapshot without it"),
      Option("to", "SLOT", "The last slot; the latest closed one without it"),
      Option(
        "currency", "CODE",
        "The currency of the figures, each by its own slot's rate; as set without it"),
      Option(
        "by", "LEVEL", "What is shown in the terminal", choices: ["category", "type", "asset"]),
      Option(
        "categories", "WHEN", "The categories that assets had then, or have today",
        choices: ["then", "today"]),
      Option("html", "FILE", "Write the report as a page, complete in one file"),
    ],
    session: { session in try session.report() })
}

extension Session {
  fileprivate func report() throws {
    let from = try invocation.slot("from")
    let to = try invocation.slot("to")
    let currency = try invocation.currency("currency")
    let isToday = invocation.option("categories") == "today"
    let file = invocation.option("html")
    let (report, names, settings) = try read { state in
      let settings = try Settings(state)
      var options = ReportOptions(currency: currency ?? settings.currency)
      if isToday { options.categories = .today(try state.namedCategories()) }
      let report = try state.report(from: from, to: to, options: options)
      return (report, file == nil ? [:] : try state.names(in: report), settings)
    }
    if let file {
      let page = ReportPage(
        report, names: names, madeAt: clock.now(), style: settings.style(of: report),
        zone: settings.pageZone)
      try Files.write(page.html, to: file)
    }
    let page = file.map { "page: \($0)\n" } ?? ""
    try console.say(
      .report(report),
      text: text(report, by: invocation.option("by") ?? "category", settings.style(of: report))
        + page)
  }

  /// A report as a table, at one of its levels.
  func text(_ report: Report, by level: String, _ style: CurrencyStyle) -> String {
    var table = TextTable([
      .left(""), .right("start"), .right("deposits"), .right("withdrawals"), .right("end"),
      .change("profit"), .change("rate"),
    ])
    func add(_ name: String, _ values: [Value?], _ rate: Rate?) {
      table.add(
        [name] + values.map { $0?.displayText(in: style) ?? "unpriced" }
          + [rate?.percentText ?? "no rate"])
    }
    func add(_ name: String, _ figures: ReportFigures) {
      add(
        name,
        [figures.start, figures.deposits, figures.withdrawals, figures.end, figures.profit],
        figures.rate)
    }
    add("whole", report.whole)
    switch level {
    case "type": for row in report.types { add(row.type.text, row.figures) }
    case "asset":
      for row in report.assets {
        let figures = row.figures
        add(
          row.asset.text, [row.start, figures.deposits, figures.withdrawals, row.end, row.profit],
          row.rate)
      }
    default: for row in report.categories { add(row.category.spelling.text, row.figures) }
    }
    var text = "\(report.range.lowerBound.text) to \(report.range.upperBound.text)\n"
    let line = Sparkline(report.series.map(\.value)).text(width: min(console.width ?? 72, 72))
    if report.series.count > 1 { text += line + "\n" }
    text += table.text(width: console.width, usesColor: console.usesColor)
    for (title, rows) in [
      ("gained most", report.gainers), ("lost most", report.losers), ("sold", report.sold),
    ] where !rows.isEmpty {
      text += "\n" + ranking(title, rows, style)
    }
    if report.endTotals.unpricedCount + report.endTotals.staleCount > 0 { text += "\n" }
    for (count, what) in [
      (report.endTotals.unpricedCount, "without a price, in no total"),
      (report.endTotals.staleCount, "valued by a price of more than 4 days ago"),
    ] where count > 0 {
      text += "\(count.counted("asset")) \(what)\n"
    }
    return text
  }

  private func ranking(_ title: String, _ rows: [AssetReport], _ style: CurrencyStyle) -> String {
    var table = TextTable([.left(title), .change("rate"), .change("profit")])
    for row in rows {
      table.add([
        row.asset.text, row.rate?.percentText ?? "no rate",
        row.profit?.displayText(in: style) ?? "unpriced",
      ])
    }
    return table.text(width: console.width, usesColor: console.usesColor)
  }
}

extension Settings {
  /// How a report's currency is shown.
  fileprivate func style(of report: Report) -> CurrencyStyle {
    CurrencyStyle(code: report.currency.id.text, places: digits)
  }

  /// The zone that a page tells times in.
  fileprivate var pageZone: PageZone {
    guard let zone, LocalTime.use(zone: zone) else { return .utc }
    return PageZone(zone) { LocalTime.offsetSeconds(at: $0) }
  }
}

extension StoreReadTransaction {
  /// What the asset table knows of a report's assets.
  fileprivate func names(in report: Report) throws -> [AssetKey: AssetInfo] {
    var names: [AssetKey: AssetInfo] = [:]
    for asset in report.assets { names[asset.asset] = try info(of: asset.asset) }
    return names
  }

  /// The category that each listed asset has now, hidden ones included.
  fileprivate func namedCategories() throws -> [AssetKey: Category] {
    var categories: [AssetKey: Category] = [:]
    for priced in try holdings(.all, includesHidden: true) {
      categories[priced.holding.asset] = priced.holding.category
    }
    return categories
  }
}
