import FolioDomain

extension ReportPage {
  /// What the whole came to, and what is to be known of the prices.
  func addSummary(to page: inout Markup) {
    let whole = report.whole
    page.section("summary", "Summary") { page in
      page.element("dl", ["class": "cards"]) { page in
        for (title, id, value) in [
          ("Start", "start", whole.start), ("Deposits", "deposits", whole.deposits),
          ("Withdrawals", "withdrawals", whole.withdrawals), ("End", "end", whole.end),
        ] {
          addCard(title, id, .money(value), to: &page)
        }
        addCard("Profit", "profit", .change(whole.profit), to: &page)
        addCard("Rate of change", "rate", .rate(whole.rate), to: &page)
      }
      for note in notes { page.element("p", ["class": "note"], text: note) }
    }
  }

  private func addCard(_ title: String, _ id: String, _ cell: PageCell, to page: inout Markup) {
    page.element("div") { page in
      page.element("dt", text: title)
      page.element("dd", ["id": "whole-" + id, "class": cell.tone]) { cell.add(to: &$0, style) }
    }
  }

  /// What a total does not tell by itself.
  private var notes: [String] {
    let totals = report.endTotals
    var notes: [String] = []
    if let count = Self.assets(totals.unpricedCount) {
      notes.append("Without a price at the end, and so in no total: \(count).")
    }
    if let count = Self.assets(totals.staleCount) {
      notes.append("Valued by a price of more than 4 days ago: \(count).")
    }
    let gaps = report.series.count { $0.unpricedCount > 0 }
    if gaps > 0 {
      notes.append(
        "In \(gaps) of \(report.series.count) snapshots an asset had no price: "
          + "the value over time is without it there.")
    }
    return notes
  }

  private static func assets(_ count: Int) -> String? {
    count == 0 ? nil : count == 1 ? "1 asset" : "\(count) assets"
  }
}
