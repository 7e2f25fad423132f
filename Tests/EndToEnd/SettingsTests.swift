import TestSupport
import Testing

@Suite("What a person reads is as the settings say: snapshots and the report's page")
struct SettingsTests {
  /// A store with snapshots of 06, 12 and 18 o'clock: the euro has a price from 12 on, and another at
  /// 18.
  private func world() throws -> World {
    var world = try World(clock: "2026-03-01T05:30:00Z")
    try world.createAccount()
    try world.importPrices([
      "2026-03-01T05:00:00Z,crypto,bitcoin,60000", "2026-03-01T11:00:00Z,forex,EUR,1.2",
      "2026-03-01T17:00:00Z,forex,EUR,1.5",
    ])
    _ = try world.row("s", "init", "--server", world.url, "--account", "anna")
    _ = try world.row("s", "asset", "add", "crypto:bitcoin", "0.5", "--category", "Coins")
    _ = try world.row("s", "sync")
    world.clock = "2026-03-01T19:00:00Z"
    _ = try world.row("s", "sync")
    _ = try world.row("s", "settings", "set", "currency", "EUR")
    _ = try world.row("s", "settings", "set", "digits", "3")
    return world
  }

  @Test("a snapshot is shown by the rate of its own slot, and JSON keeps the prices' currency")
  func snapshots() throws {
    let world = try world()
    let list = try world.folio("s", "snapshot", "list").lines
    #expect(list.count == 4)
    for (line, value) in zip(list.dropFirst(), ["$30,000.000", "€25,000.000", "€20,000.000"]) {
      #expect(line.contains(" \(value) "), "\(line)")
    }
    let rows = try world.rows("s", "snapshot", "list")
    #expect(rows.map { $0.text("value") } == ["30000", "30000", "30000"])
    #expect(rows.map { $0.text("shownValue") } == ["30000", "25000", "20000"])
    #expect(rows.map { $0.text("shownCurrency") } == ["USD", "EUR", "EUR"])
    for (slot, value) in [("2026-03-01T12Z", "€25,000.000"), ("now", "€20,000.000")] {
      let shown = try world.folio("s", "snapshot", "show", slot).lines
      #expect(shown[1].contains("price in USD"), "prices are in their own currency")
      #expect(shown[0].contains(": \(value), 1 asset,") && shown[2].contains(value), "\(shown)")
    }
    let row = try world.row("s", "snapshot", "show", "2026-03-01T12Z")
    #expect(row.text("value") == "30000" && row.text("shownValue") == "25000")
    #expect(row.list("assets").map { $0.text("shownValue") } == ["25000"])
    #expect(row.list("assets").map { $0.text("value") } == ["30000"])
  }

  @Test("a report's page has the digits, the currency and the zone that are set")
  func page() throws {
    let world = try world()
    func html(_ options: String...) throws -> String {
      let run = try World.client.run(
        [
          "--store", world.path("s"), "report", "--from", "2026-03-01T12Z", "--html",
          world.path("page.html"),
        ] + options, environment: ["FOLIO_CLOCK": world.clock])
      try #require(run.status == 0, "\(run.errors)")
      return try world.folder.text(of: "page.html")
    }
    let usual = try html()
    #expect(usual.contains("€20,000.000") && !usual.contains("€20,000.00<"))
    #expect(usual.contains(#"<time datetime="2026-03-01T12:00:00Z">2026-03-01 12:00</time>"#))
    #expect(usual.contains("(UTC), in <bdi>EUR</bdi>"))
    _ = try world.row("s", "settings", "set", "zone", "Asia/Kathmandu")
    let local = try html()
    #expect(local.contains(#"<time datetime="2026-03-01T12:00:00Z">2026-03-01 17:45</time>"#))
    #expect(local.contains("(Asia/Kathmandu), in <bdi>EUR</bdi>"))
    #expect(local.contains(">1 Mar 23:45</text>"), "the chart's axis is in the zone as well")
    #expect(!local.contains("UTC"))
    #expect(try html("--currency", "USD").contains("$30,000.000"))
  }

  @Test("an asset without a price is unpriced in the terminal's report as well, and never 0")
  func unpriced() throws {
    var world = try World(clock: "2026-03-01T05:30:00Z")
    try world.createAccount()
    try world.importPrices(["2026-03-01T05:00:00Z,crypto,bitcoin,60000"])
    _ = try world.row("s", "init", "--server", world.url, "--account", "anna")
    for asset in ["crypto:bitcoin", "stock:NOPRICE"] {
      _ = try world.row("s", "asset", "add", asset, "1")
    }
    _ = try world.row("s", "sync")
    world.clock = "2026-03-01T13:00:00Z"
    _ = try world.row("s", "sync")
    let lines = try world.folio("s", "report", "--by", "asset").lines
    let line = try #require(lines.first { $0.hasPrefix("stock:NOPRICE") })
    let words = line.split(separator: " ").map(String.init)
    #expect(
      words == [
        "stock:NOPRICE", "unpriced", "$0.00", "$0.00", "unpriced", "unpriced", "no", "rate",
      ])
    #expect(lines.contains("1 asset without a price, in no total"))
  }
}
