import FolioDomain
import Testing

@testable import FolioReportPage

@Suite("Tables of a report's page")
struct TableTests {
  private func value(_ text: String) throws -> Value { try #require(Value(text)) }

  private func html(_ table: PageTable) -> String {
    var page = Markup()
    table.add(to: &page, CurrencyStyle(code: "USD"))
    return String(decoding: page.bytes, as: UTF8.self)
  }

  private func ranks(_ html: String, _ tag: String) -> [String] {
    html.split(separator: "<" + tag).dropFirst().map { part in
      let head = part.prefix { $0 != ">" }
      guard let rank = head.split(separator: "data-rank=\"").dropFirst().first else { return "" }
      return String(rank.prefix { $0 != "\"" })
    }
  }

  @Test("rows are ordered by exact figures, equal ones alike, and what is unknown has no place")
  func order() throws {
    let table = PageTable(
      caption: "T", titles: ["N", "V"],
      rows: [
        [.name("b", detail: ""), .money(try value("12345678901234567890.000000000000000002"))],
        [.name("A", detail: ""), .money(try value("12345678901234567890.000000000000000001"))],
        [.name("c", detail: ""), .money(nil)], [.name("d", detail: ""), .money(try value("-1"))],
        [.name("e", detail: ""), .money(try value("-1"))],
      ], sortedBy: 1)
    #expect(ranks(html(table), "td") == ["2", "1", "", "0", "0"])
    #expect(ranks(html(table), "th scope=\"row\"") == ["1", "0", "2", "3", "4"])
  }

  @Test("what a program reads is exact, what a person reads is rounded, and a sign tells a gain")
  func figures() throws {
    let table = PageTable(
      caption: "T", titles: ["N", "V", "R"],
      rows: [
        [
          .name("a", detail: ""), .change(try value("1234.567")),
          .rate(Rate(try value("-1"), of: try value("3"))),
        ], [.name("b", detail: ""), .change(nil), .rate(nil)],
      ])
    let html = html(table)
    #expect(html.contains("<data value=\"1234.567\">+$1,234.57</data>"))
    #expect(html.contains("<data value=\"-0.333333333333333333\">-33.33 %</data>"))
    #expect(html.contains("class=\"figure gain\"") && html.contains("class=\"figure loss\""))
    #expect(html.contains("unpriced") && html.contains("no rate"))
    #expect(html.contains("aria-sort=\"ascending\""))
  }
}
