import FolioJSON
import TestSupport
import Testing

@Suite(
  "A report's page in a real browser", .enabled(if: Browser.installed != nil, "\(Browser.reason)"))
struct ReportPageTests {
  /// A portfolio of four weeks: flows both ways, a price that is carried, one that is stale, one that
  /// is missing, and names that try to be markup.
  private func world() throws -> World {
    var world = try World(clock: "2026-03-01T05:00:00Z")
    try world.createAccount()
    var prices = ["2026-03-01T01:00:00Z,metal,gold,90.5"]
    for day in 1...28 {
      let date = "2026-03-\(day < 10 ? "0" : "")\(day)"
      prices.append("\(date)T05:00:00Z,crypto,bitcoin,\(60_000 + day * 137 % 23 * 100)")
      prices.append("\(date)T17:00:00Z,stock,AAPL,\(200 + day % 5).25")
    }
    try world.importPrices(prices)
    try world.folder.write(
      Array(#"{"type":"crypto","id":"bitcoin","symbol":"BTC","name":"<i>Bitcoin</i>"}"#.utf8),
      to: "assets.ndjson")
    try world.serve("assets", "import", world.path("assets.ndjson"))
    _ = try world.row("phone", "init", "--server", world.url, "--account", "anna")
    for (asset, amount, category) in [
      ("crypto:bitcoin", "0.5", "Coins & <script>alert(1)</script>"), ("stock:AAPL", "10", "株式"),
      ("metal:gold", "3", "Säfe \"deposit\""), ("stock:NOPRICE", "7", "株式"),
    ] {
      _ = try world.row("phone", "asset", "add", asset, amount, "--category", category)
    }
    _ = try world.row("phone", "sync")
    world.clock = "2026-03-10T07:00:00Z"
    _ = try world.row("phone", "sync")
    _ = try world.row("phone", "asset", "add", "crypto:bitcoin", "-0.2")
    _ = try world.row("phone", "asset", "add", "stock:AAPL", "5")
    _ = try world.row("phone", "sync")
    world.clock = "2026-03-28T20:00:00Z"
    _ = try world.row("phone", "sync")
    return world
  }

  /// A script that writes what the page shows, and what its tables do when they are sorted, into an
  /// element of its own.
  private static let probe = """
    <script>
    const cell = (c) => c.querySelector("data")?.value ?? c.innerText.trim();
    const table = (t) => ({
      heads: [...t.tHead.rows[0].cells].map((h) => h.innerText.trim()),
      rows: [...t.tBodies[0].rows].map((r) => ({ cells: [...r.cells].map(cell) })),
    });
    document.querySelectorAll("details").forEach((d) => { d.open = true; });
    const tables = [...document.querySelectorAll("table")];
    const before = tables.map(table);
    const assets = tables.at(-1);
    const sorted = [...assets.tHead.rows[0].cells].map((head, column) => {
      const orders = [1, 2].map(() => {
        head.querySelector("button").click();
        return {
          direction: head.getAttribute("aria-sort"),
          sortedHeads: assets.querySelectorAll("[aria-sort]").length,
          cells: [...assets.tBodies[0].rows].map((r) => cell(r.cells[column])),
        };
      });
      return { title: head.innerText.trim(), orders };
    });
    const whole = {};
    for (const e of document.querySelectorAll("dd")) {
      whole[e.id.slice(6)] = e.querySelector("data")?.value ?? "";
    }
    const overflow = document.documentElement.scrollWidth - document.documentElement.clientWidth;
    const levels = [...document.querySelectorAll("h1,h2,h3")].map((h) => h.tagName);
    const named = [...document.querySelectorAll("section")].filter(
      (s) => document.getElementById(s.getAttribute("aria-labelledby"))).length;
    const charts = [...document.querySelectorAll("svg[role=img]")].filter(
      (s) => getComputedStyle(s).display !== "none" && s.getAttribute("aria-label")).length;
    const out = document.createElement("pre");
    out.id = "probe";
    out.textContent = JSON.stringify({
      before, sorted, whole, overflow, levels, named, charts,
      sections: document.querySelectorAll("section").length,
      deposits: document.querySelectorAll(".wide path.deposit").length,
      withdrawals: document.querySelectorAll(".wide path.withdrawal").length,
      titles: [...document.querySelectorAll(".wide title")].map((t) => t.textContent),
      ground: getComputedStyle(document.body).backgroundColor,
      injected: document.querySelectorAll("bdi *").length,
      text: document.body.innerText,
    });
    document.body.append(out);
    </script>
    """

  /// What the probe finds on a page.
  private func probe(_ world: borrowing World, _ view: Browser.View) throws -> Row {
    let browser = try #require(Browser.installed)
    var page = try world.folder.text(of: "report.html")
    let policy = try #require(page.firstRange(of: "<meta http-equiv"))
    let end = try #require(page[policy.lowerBound...].firstIndex(of: ">"))
    page.removeSubrange(policy.lowerBound...end)
    page += Self.probe
    try world.folder.write(Array(page.utf8), to: "probed.html")
    let visit = try browser.visit(world.path("probed.html"), view)
    #expect(visit.complaints.isEmpty, "\(visit.complaints)")
    let begin = try #require(visit.document.firstRange(of: "<pre id=\"probe\">"))
    let close = try #require(visit.document[begin.upperBound...].firstRange(of: "</pre>"))
    let json = visit.document[begin.upperBound..<close.lowerBound]
      .replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&nbsp;", with: "\u{A0}")
      .replacing("&amp;", with: "&")
    return try Row(String(json))
  }

  @Test("its figures are those of the JSON, exactly; it sorts; names stay names; nothing complains")
  func figures() throws {
    let world = try world()
    let report = try world.row("phone", "report", "--html", world.path("report.html"))
    let page = try probe(world, Browser.View(width: 1_200, height: 900))

    let whole = try #require(page.object("whole"))
    for name in ["start", "deposits", "withdrawals", "end", "profit", "rate"] {
      #expect(whole.text(name) == report.text(name), "\(name)")
    }
    let tables = page.list("before")
    try #require(tables.count == 4)
    let elements = ["End", "Profit", "Rate", "Start", "Deposits", "Withdrawals"]
    for (table, list) in [(1, "categories"), (2, "types"), (3, "assets")] {
      let heads = tables[table].texts("heads")
      let rows = tables[table].list("rows").map { $0.texts("cells") }
      let wanted = report.list(list)
      #expect(rows.count == wanted.count)
      for element in wanted {
        let key = try #require(element.text("key"))
        let row = try #require(rows.first { $0[0] == key || $0[0].hasSuffix(key) }, "\(key)")
        for name in elements {
          let place = try #require(heads.firstIndex(of: name))
          let shown = element.text(name.lowercased()) ?? (name == "Rate" ? "no rate" : "unpriced")
          #expect(row[place] == shown, "\(key) \(name)")
        }
      }
    }
    let series = report.list("series")
    let periods = tables[0].list("rows").map { $0.texts("cells") }
    #expect(periods.last?[2] == series.last?.text("value"))
    try expectSorted(page.list("sorted"))

    #expect(page.number("injected") == 0)
    #expect(page.number("overflow") == 0)
    #expect(page.number("named") == page.number("sections"))
    #expect(page.texts("levels").first == "H1" && page.number("charts") == 1)
    // The shares come in with their first price, and when more are bought.
    #expect(page.number("deposits") == 2 && page.number("withdrawals") == 1)
    #expect(page.texts("titles").contains { $0.hasPrefix("2026-03-10 12:00: withdrawals $") })
    let text = try #require(page.text("text"))
    for mark in ["stale from 2026-03-01 06:00", "carried from", "unpriced", "<script>alert(1)"] {
      #expect(text.contains(mark), "\(mark)")
    }
  }

  /// Each column in both directions: the second is the first turned round, what is unknown stays
  /// last, and one column at a time says that it is sorted.
  private func expectSorted(_ columns: [Row]) throws {
    #expect(columns.count == 10)
    for column in columns {
      let title = column.text("title") ?? ""
      let orders = column.list("orders")
      #expect(Set(orders.map { $0.text("direction") }) == ["ascending", "descending"], "\(title)")
      #expect(orders.allSatisfy { $0.number("sortedHeads") == 1 })
      guard ["End", "Profit", "Start", "Amount"].contains(title) else { continue }
      for order in orders {
        let cells = order.texts("cells")
        let known = cells.compactMap { Double($0) }
        #expect(
          cells.compactMap { Double($0) == nil ? nil : $0 }
            == cells.dropLast(cells.count - known.count))
        let isUp = order.text("direction") == "ascending"
        #expect(known == known.sorted { isUp ? $0 < $1 : $0 > $1 }, "\(title)")
      }
    }
  }

  @Test("on a phone nothing is cut off, and by night it is dark; the page's own policy holds")
  func phoneAndNight() throws {
    let world = try world()
    _ = try world.row("phone", "report", "--html", world.path("report.html"))
    let phone = try probe(world, Browser.View(width: 500, height: 800))
    #expect(phone.number("overflow") == 0 && phone.number("charts") == 1)
    let night = try probe(world, Browser.View(width: 1_200, height: 900, isDark: true))
    #expect(phone.text("ground") == "rgb(255, 255, 255)")
    #expect(night.text("ground") == "rgb(20, 22, 26)")

    let browser = try #require(Browser.installed)
    let view = Browser.View(width: 1_200, height: 900)
    let visit = try browser.visit(world.path("report.html"), view)
    #expect(visit.complaints.isEmpty, "\(visit.complaints)")
    #expect(visit.document.contains("<button type=\"button\">"), "the page's script runs")
    // A script that is not the page's own is refused by its policy.
    let page = try world.folder.text(of: "report.html")
    try world.folder.write(
      Array(page.replacing("</body>", with: "<script>document.title='x'</script></body>").utf8),
      to: "changed.html")
    let changed = try browser.visit(world.path("changed.html"), view)
    #expect(!changed.document.contains("<title>x</title>"))
    #expect(changed.complaints.count == 1, "\(changed.complaints)")
  }
}
