import FolioDomain

extension ReportPage {
  /// What each category and each type came to, and its part of the whole.
  func addLevels(to page: inout Markup) {
    page.section("allocation", "Allocation") { page in
      let categories = report.categories.map {
        (PageCell.name($0.category.spelling.text, detail: ""), $0.figures)
      }
      let types = report.types.map { (PageCell.name($0.type.text, detail: ""), $0.figures) }
      page.element("h3", text: "By category")
      levelTable(
        "Categories: value at the end, with its share, and how it came about", "Category",
        categories
      )
      .add(to: &page, style)
      page.element("h3", text: "By type")
      levelTable("Types: value at the end, with its share, and how it came about", "Type", types)
        .add(to: &page, style)
    }
  }

  private func levelTable(
    _ caption: String, _ title: String, _ rows: [(name: PageCell, figures: ReportFigures)]
  ) -> PageTable {
    // What is overdrawn is no part of what there is.
    let whole = rows.map(\.figures.end).filter { !$0.isNegative }.reduce(.zero, +)
    let sorted = rows.sorted { $0.figures.end > $1.figures.end }
    return PageTable(
      caption: caption,
      titles: [title, "End", "Share", "Profit", "Rate", "Start", "Deposits", "Withdrawals"],
      rows: sorted.map { row in
        let figures = row.figures
        let share = figures.end.isNegative ? nil : Rate(figures.end, of: whole)
        return [
          row.name, .money(figures.end), .share(share), .change(figures.profit),
          .rate(figures.rate), .money(figures.start), .money(figures.deposits),
          .money(figures.withdrawals),
        ]
      }, sortedBy: 1)
  }

  /// What gained and lost most, and what was sold.
  func addRanking(to page: inout Markup) {
    page.section("ranking", "Gainers, losers, sold") { page in
      page.element("div", ["class": "columns"]) { page in
        addList("Gained most", "gainers", report.gainers, to: &page)
        addList("Lost most", "losers", report.losers, to: &page)
        addList("Sold", "sold", report.sold, to: &page)
      }
    }
  }

  private func addList(
    _ title: String, _ id: String, _ assets: [AssetReport], to page: inout Markup
  ) {
    page.element("div") { page in
      page.element("h3", ["id": id], text: title)
      if assets.isEmpty { return page.element("p", ["class": "none"], text: "None.") }
      page.element("ol", ["aria-labelledby": id]) { page in
        for asset in assets {
          page.element("li") { page in
            name(of: asset.asset).add(to: &page, style)
            page.text(" ")
            let (profit, rate) = (PageCell.change(asset.profit), PageCell.rate(asset.rate))
            page.element("span", ["class": rate.tone]) { rate.add(to: &$0, style) }
            page.text(", ")
            page.element("span", ["class": profit.tone]) { profit.add(to: &$0, style) }
          }
        }
      }
    }
  }

  /// Every asset of the report.
  func addAssets(to page: inout Markup) {
    page.section("assets", "Assets") { page in
      let sorted = report.assets.sorted {
        ($0.end ?? .zero) == ($1.end ?? .zero)
          ? $0.asset < $1.asset : ($0.end ?? .zero) > ($1.end ?? .zero)
      }
      PageTable(
        caption: "Assets: value at the end, how it came about, and where the price is from",
        titles: [
          "Asset", "End", "Profit", "Rate", "Start", "Deposits", "Withdrawals", "Amount",
          "Category", "Price",
        ],
        rows: sorted.map { asset in
          [
            name(of: asset.asset), .money(asset.end), .change(asset.profit), .rate(asset.rate),
            .money(asset.start), .money(asset.figures.deposits),
            .money(asset.figures.withdrawals), .amount(asset.amount),
            .text(asset.category.spelling.text), .price(origin(of: asset)),
          ]
        }, sortedBy: 1
      ).add(to: &page, style)
    }
  }

  private func origin(of asset: AssetReport) -> PageCell.PriceOrigin {
    if asset.isUnpricedAtEnd { return .missing }
    guard let slot = asset.pricedAt else { return .notHeld }
    if asset.isStaleAtEnd { return .stale(from: slot) }
    return slot == report.range.upperBound ? .fresh : .carried(from: slot)
  }

  /// What an asset is called: its symbol, which is no identity, and behind it its name and its id.
  private func name(of asset: AssetKey) -> PageCell {
    let info = names[asset]
    let symbol = info.map(\.symbol) ?? ""
    let details = [info?.name ?? "", asset.text].filter { !$0.isEmpty }
    return .name(symbol.isEmpty ? asset.id.text : symbol, detail: details.joined(separator: " · "))
  }
}
