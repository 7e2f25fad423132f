import FolioApp
import FolioArguments
import FolioDomain
import FolioJSON
import FolioStore

extension Command {
  static let report = Command(
    "report", "What came in, what went out, and what was gained, over a range of slots",
    options: [
      Option("from", "SLOT", "The first slot; that of the first snapshot without it"),
      Option("to", "SLOT", "The last slot; the latest closed one without it"),
      Option("currency", "CODE", "The currency of the figures, each by its own slot's rate"),
      Option(
        "by", "LEVEL", "What is shown in the terminal", choices: ["category", "type", "asset"]),
    ],
    session: { session in try session.report() })
}

extension Session {
  fileprivate func report() throws {
    let from = try invocation.slot("from")
    let to = try invocation.slot("to")
    let currency = try invocation.option("currency").map {
      AssetKey(type: AssetType(unchecked: "forex"), id: try AssetID(validating: $0))
    }
    let report = try read { state in
      try state.report(from: from, to: to, options: ReportOptions(currency: currency))
    }
    try console.say(.report(report), text: text(report, by: invocation.option("by") ?? "category"))
  }

  /// A report as a table, at one of its levels.
  func text(_ report: Report, by level: String) -> String {
    let style = CurrencyStyle(code: report.currency.id.text)
    var table = TextTable([
      .left(""), .right("start"), .right("deposits"), .right("withdrawals"), .right("end"),
      .right("profit"), .right("rate"),
    ])
    func add(_ name: String, _ figures: ReportFigures) {
      table.add(
        [name]
          + [figures.start, figures.deposits, figures.withdrawals, figures.end, figures.profit]
          .map { $0.displayText(in: style) } + [figures.rate?.percentText ?? "no rate"])
    }
    add("whole", report.whole)
    switch level {
    case "type": for row in report.types { add(row.type.text, row.figures) }
    case "asset": for row in report.assets { add(row.asset.text, row.figures) }
    default: for row in report.categories { add(row.category.spelling.text, row.figures) }
    }
    var text = "\(report.range.lowerBound.text) to \(report.range.upperBound.text)\n" + table.text
    for (title, rows) in [("gained most", report.gainers), ("lost most", report.losers)]
    where !rows.isEmpty {
      let list = rows.map { "\($0.asset.text) \($0.rate?.percentText ?? "no rate")" }
      text += "\(title): \(list.joined(separator: ", "))\n"
    }
    if !report.sold.isEmpty {
      text += "sold: \(report.sold.map(\.asset.text).joined(separator: ", "))\n"
    }
    if report.endTotals.unpricedCount > 0 {
      text += "\(report.endTotals.unpricedCount) assets have no price and are in no total\n"
    }
    return text
  }
}

extension Rate {
  /// The rate in hundredths with two places, for display only.
  var percentText: String {
    let shown = Value(units: units).rounded(places: 4)
    let parts = shown.magnitude.text.split(separator: ".")
    var places = parts.count > 1 ? String(parts[1]) : ""
    places += String(repeating: "0", count: 4 - places.count)
    let whole = Int(String(parts.first ?? "0") + places.prefix(2)).map { "\($0)" }
    let digits = whole ?? String(parts.first ?? "0") + places.prefix(2)
    return (shown.isNegative ? "-" : "") + "\(digits).\(places.suffix(2)) %"
  }
}
