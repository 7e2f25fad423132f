import FolioDomain

extension ValueChart {
  /// Appends the drawing as inline SVG; `label` tells what it shows to those who do not see it.
  func add(to page: inout Markup, _ classes: String, _ label: String, _ style: CurrencyStyle) {
    page.element(
      "svg",
      [
        "class": classes, "role": "img", "aria-label": label,
        "viewBox": "0 0 \(Coordinate.text(size.width)) \(Coordinate.text(size.height))",
      ]
    ) { page in
      addGrid(to: &page)
      addLine(to: &page)
      addFlows("deposit", "deposits", \.deposits, to: &page, style)
      addFlows("withdrawal", "withdrawals", \.withdrawals, to: &page, style)
    }
    page.markup("\n")
  }

  private func addGrid(to page: inout Markup) {
    page.element("g", ["class": "axis"]) { page in
      for mark in axis.marks {
        let y = y(mark.value)
        page.element(
          "path", ["d": "M\(Coordinate.text(left)) \(Coordinate.text(y))H\(Coordinate.text(right))"]
        )
        page.element(
          "text",
          [
            "x": Coordinate.text(left - 6), "y": Coordinate.text(y + 4), "text-anchor": "end",
          ], text: mark.text)
      }
      for mark in SlotAxis(series.map(\.slot), countMax: size.labelCountMax, page.zone).marks {
        let x = x(mark.place)
        page.element(
          "path", ["d": "M\(Coordinate.text(x)) \(Coordinate.text(bottom))v5"])
        // At the edges a text stands inwards.
        let anchor = x < left + 30 ? "start" : x > right - 30 ? "end" : "middle"
        page.element(
          "text",
          [
            "x": Coordinate.text(x), "y": Coordinate.text(bottom + 19), "text-anchor": anchor,
          ], text: mark.text)
      }
    }
  }

  private func addLine(to page: inout Markup) {
    var path = ""
    for place in linePlaces {
      path +=
        (path.isEmpty ? "M" : "L") + Coordinate.text(x(place)) + " "
        + Coordinate.text(y(place))
    }
    page.element("path", ["class": "line", "d": path])
    if series.count == 1 {
      page.element(
        "circle",
        ["class": "dot", "cx": Coordinate.text(x(0)), "cy": Coordinate.text(y(0)), "r": "4"])
    }
  }

  /// A triangle below the line that points up for what came in, one above it for what went out.
  private func addFlows(
    _ kind: String, _ word: String, _ amount: (SeriesPoint) -> Value, to page: inout Markup,
    _ style: CurrencyStyle
  ) {
    for flow in flows(amount) {
      let isDeposit = kind == "deposit"
      let point =
        Coordinate.text(x(flow.place)) + " "
        + Coordinate.text(y(flow.place) + (isDeposit ? 4 : -4))
      page.element(
        "path", ["class": kind, "d": "M\(point)l5 \(isDeposit ? "9" : "-9")h-10z"]
      ) { page in
        let (first, last) = (flow.places.lowerBound, flow.places.upperBound)
        let span = first == last ? "" : " to \(page.zone.text(series[last].slot))"
        page.element(
          "title",
          text: "\(page.zone.text(series[first].slot))\(span): \(word) "
            + flow.sum.displayText(in: style))
      }
    }
  }
}

extension ReportPage {
  /// The value over time: a chart, and the same as a table.
  func addValue(to page: inout Markup) {
    let series = report.series
    page.section("value", "Value over time") { page in
      page.element("figure") { page in
        for (size, name) in [(ValueChart.Size.wide, "wide"), (.narrow, "narrow")] {
          ValueChart(series, size).add(to: &page, "chart " + name, chartLabel, style)
        }
        page.element("figcaption") { page in
          page.element("span", ["class": "key deposit", "aria-hidden": "true"], text: "▲")
          page.text(" deposits, ")
          page.element("span", ["class": "key withdrawal", "aria-hidden": "true"], text: "▼")
          page.text(
            " withdrawals; the value in \(report.currency.id.text), at the start of each slot, in \(zone.name)."
          )
        }
      }
      page.element("details") { page in
        page.element("summary", text: "The same as a table")
        periodTable.add(to: &page, style)
      }
    }
  }

  private var chartLabel: String {
    let series = report.series
    guard let first = series.first, let last = series.last,
      let least = series.min(by: { $0.value < $1.value }),
      let greatest = series.max(by: { $0.value < $1.value })
    else { return "Value over time" }
    func text(_ point: SeriesPoint) -> String {
      "\(point.value.displayText(in: style)) at \(zone.text(point.slot))"
    }
    return "Value over time: from \(text(first)) to \(text(last)); least \(text(least)), "
      + "greatest \(text(greatest)). The figures follow as a table."
  }

  /// The series in at most 60 periods, whose flows add up to those of the whole.
  private var periodTable: PageTable {
    let series = report.series
    let countMax = 60
    let length = (series.count + countMax - 1) / countMax
    let starts = stride(from: 0, to: series.count, by: max(length, 1))
    return PageTable(
      caption: length > 1
        ? "Value over time, by periods of \(length) snapshots" : "Value over time, by snapshot",
      titles: ["From", "To", "Value at its end", "Deposits", "Withdrawals", "Without a price"],
      rows: starts.map { start in
        let period = series[start..<min(start + length, series.count)]
        let last = period.last ?? series[start]
        return [
          .time(series[start].slot), .time(last.slot), .money(last.value),
          .money(period.map(\.deposits).reduce(.zero, +)),
          .money(period.map(\.withdrawals).reduce(.zero, +)),
          .count(period.map(\.unpricedCount).max() ?? 0),
        ]
      })
  }
}
