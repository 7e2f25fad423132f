import FolioDomain
import TestSupport
import Testing

@Suite("Real figures: decades of prices, restored with equal digests")
struct RealDataTests {
  @Test(
    "27 years of 41 currencies imported, 3 years of slots restored on a second store",
    .enabled(if: RealData.has("prices/forex-ecb-daily.csv"), "needs FOLIO_TEST_DATA"))
  func currencies() throws {
    var world = try World(clock: "2023-10-30T12:00:00Z")
    try world.createAccount()
    let prices = RealData.path("prices/forex-ecb-daily.csv")
    let imported = try world.serve("--json", "prices", "import", prices)
    #expect(imported.status == 0, "\(imported.errors)")
    _ = try world.row("first", "init", "--server", world.url, "--account", "anna")
    for (id, amount) in [("EUR", "1200.5"), ("CHF", "80"), ("BGN", "900"), ("JPY", "250000")] {
      _ = try world.row("first", "asset", "add", "forex:\(id)", amount, "--category", "Cash")
    }
    _ = try world.row("first", "sync")
    world.clock = "2026-10-30T18:00:00Z"
    let sync = try world.row("first", "sync")
    let slots = try (Slot("2026-10-30T18Z").index - Slot("2023-10-30T18Z").index) + 1
    #expect(sync.number("snapshots") == slots)
    let digest = try world.row("first", "snapshot", "digest")
    let restored = try world.row("second", "restore", "--server", world.url, "--account", "anna")
    #expect(restored.number("snapshots") == slots)
    #expect(restored.text("digest") == digest.text("digest"))
    #expect(
      try world.rows("second", "snapshot", "list") == world.rows("first", "snapshot", "list"))
    let held = try world.rows("second", "asset", "list")
    #expect(held.first { $0.text("id") == "BGN" }?.flag("stale") == true)
    #expect(held.first { $0.text("id") == "EUR" }?.flag("stale") == false)
  }

  @Test(
    "5,666 coins imported; a symbol that six share gives all six",
    .enabled(if: RealData.has("assets/crypto.ndjson"), "needs FOLIO_TEST_DATA"))
  func coins() throws {
    let world = try World()
    try world.createAccount()
    let run = try world.serve("assets", "import", RealData.path("assets/crypto.ndjson"))
    #expect(run.status == 0)
    #expect(run.errors.split(separator: "\n").filter { $0.contains("line ") }.count == 33)
    _ = try world.row("a", "init", "--server", world.url, "--account", "anna")
    _ = try world.row("a", "sync")
    let found = try world.rows("a", "asset", "search", "BTC", "--type", "crypto")
    #expect(found.filter { $0.text("symbol") == "BTC" }.count == 6)
    #expect(found.first?.text("asset") == "crypto:bitcoin")
  }
}
