public import FolioDomain

/// A report as a page: one HTML document that needs no network and nothing beside it.
///
/// It has the value over time as a chart with its figures as a table, what each category, type and
/// asset came to in tables that a reader sorts, and it says which prices are carried over, stale or
/// missing. It follows light and dark, fits a phone and paper, and can be read by keyboard and by a
/// screen reader. Each figure stands in a `data` element whose `value` is the exact decimal, as in
/// the JSON of the same report; what is shown is rounded by the domain's rules.
public struct ReportPage: Sendable {
  /// What is shown.
  public let report: Report
  /// What the asset table knows of the report's assets; one that is missing is shown by its id.
  public let names: [AssetKey: AssetInfo]
  /// When the page was made.
  public let madeAt: Timestamp

  let style: CurrencyStyle
  let zone: PageZone

  /// The page of a report; `style` is how its currency is shown, the currency's own where nil.
  public init(
    _ report: Report, names: [AssetKey: AssetInfo], madeAt: Timestamp, style: CurrencyStyle? = nil,
    zone: PageZone = .utc
  ) {
    self.zone = zone
    self.report = report
    self.names = names
    self.madeAt = madeAt
    self.style = style ?? CurrencyStyle(code: report.currency.id.text)
  }

  /// The document, in UTF-8.
  ///
  /// - Complexity: O(assets x log assets) and O(slots).
  public var html: [UInt8] {
    var page = Markup(zone: zone)
    page.markup("<!DOCTYPE html>\n")
    page.element("html", ["lang": "en"]) { page in
      page.element("head") { addHead(to: &$0) }
      page.markup("\n")
      page.element("body") { page in
        addHeader(to: &page)
        page.element("main") { page in
          addSummary(to: &page)
          addValue(to: &page)
          addLevels(to: &page)
          addRanking(to: &page)
          addAssets(to: &page)
        }
        addFooter(to: &page)
        page.markup("<script>")
        page.markup(PageScript.text)
        page.markup("</script>\n")
      }
    }
    page.markup("\n")
    return page.bytes
  }

  private func addHead(to page: inout Markup) {
    page.markup("\n<meta charset=\"utf-8\">\n")
    page.markup("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
    page.markup("<meta name=\"color-scheme\" content=\"light dark\">\n")
    page.markup("<meta name=\"generator\" content=\"Folio\">\n")
    // Nothing is loaded from anywhere, and no script runs but the page's own.
    page.markup("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; ")
    page.markup("style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; script-src '")
    page.markup(PageScript.integrity)
    page.markup("'\">\n")
    let range = report.range
    page.element(
      "title", text: "Portfolio report, \(range.lowerBound.text) to \(range.upperBound.text)")
    page.markup("\n<style>\n")
    page.markup(PageStyle.text)
    page.markup("</style>\n")
  }

  private func addHeader(to page: inout Markup) {
    page.element("header") { page in
      page.element("h1", text: "Portfolio report")
      page.element("p") { page in
        page.time(report.range.lowerBound)
        page.text(" to ")
        page.time(report.range.upperBound)
        page.text(" (\(zone.name)), in ")
        page.name(report.currency.id.text)
      }
    }
    page.markup("\n")
  }

  private func addFooter(to page: inout Markup) {
    page.element("footer") { page in
      page.element("p") { page in
        page.text("Made by Folio, ")
        page.element(
          "time", ["datetime": madeAt.text], text: "\(zone.text(madeAt)) (\(zone.name))")
        page.text(
          """
          . A deposit counts at the price of the snapshot after it, a withdrawal at that of the \
          snapshot before. Profit = end - start + withdrawals - deposits; rate = profit / (start \
          + deposits). What is shown is rounded; the exact figures stand in the page's data \
          elements.
          """)
      }
    }
    page.markup("\n")
  }
}

extension Markup {
  /// Appends a slot's start.
  mutating func time(_ slot: Slot) {
    element("time", ["datetime": slot.start.text], text: zone.text(slot))
  }

  /// Appends a section with its heading, by which a reader jumps to it.
  mutating func section(_ id: String, _ title: String, _ content: (inout Markup) -> Void) {
    element("section", ["aria-labelledby": id]) { page in
      page.element("h2", ["id": id], text: title)
      content(&page)
    }
    markup("\n")
  }
}
