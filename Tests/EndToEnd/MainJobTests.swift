import TestSupport
import Testing

@Suite("The main job: edit offline, sync, lose the device, restore it, prove it")
struct MainJobTests {
  static let prices = [
    "2026-03-01T00:00:00Z,crypto,bitcoin,60000", "2026-03-01T00:00:00Z,stock,AAPL,200.5",
    "2026-03-01T12:00:00Z,crypto,bitcoin,61000.25", "2026-03-02T06:00:00Z,stock,AAPL,199",
    "2026-03-02T17:59:59Z,forex,EUR,1.1",
  ]

  @Test("a lost device is restored with equal digests")
  func restore() throws {
    var world = try World()
    _ = try world.row("phone", "init")
    #expect(
      try world.row("phone", "asset", "add", "crypto:bitcoin", "0.5", "--category", "Coins")
        .text("amount") == "0.5")
    #expect(try world.row("phone", "asset", "add", "stock:AAPL", "10").text("category") == "stock")
    #expect(
      try world.row("phone", "asset", "add", "forex:EUR", "250.75").text("amount") == "250.75")
    #expect(try world.row("phone", "asset", "add", "forex:CHF", "1").text("amount") == "1")
    #expect(try world.row("phone", "asset", "delete", "forex:CHF").text("outcome") == "removed")

    try world.createAccount()
    try world.importPrices(Self.prices)
    let first = try world.row("phone", "sync", "--server", world.url, "--account", "anna")
    #expect(first.number("pushed") == 5)
    #expect(first.number("rejected") == 0 || first.list("rejected").isEmpty)

    world.clock = "2026-03-02T19:00:00Z"
    let second = try world.row("phone", "sync")
    #expect(second.number("snapshots") == 6)
    let before = try world.rows("phone", "snapshot", "list")
    #expect(before.map { $0.text("slot") }.first == "2026-03-01T12Z")
    #expect(before.map { $0.text("slot") }.last == "2026-03-02T18Z")
    let digest = try world.row("phone", "snapshot", "digest")

    let restored = try world.row("tablet", "restore", "--server", world.url, "--account", "anna")
    #expect(restored.number("transactions") == 5)
    #expect(restored.number("assets") == 3)
    #expect(restored.text("digest") == digest.text("digest"))
    #expect(try world.rows("tablet", "snapshot", "list") == before)
    #expect(try world.row("tablet", "snapshot", "digest") == digest)
    #expect(try world.row("tablet", "verify").flag("ok") == true)
    #expect(try world.row("phone", "verify").flag("ok") == true)
  }

  @Test("a device that was away for 30 hours makes exactly 5 snapshots, of 5 tables")
  func thirtyHours() throws {
    var world = try World(clock: "2026-03-01T13:00:00Z")
    try world.createAccount()
    _ = try world.row("phone", "init", "--server", world.url, "--account", "anna")
    _ = try world.row("phone", "asset", "add", "crypto:bitcoin", "1")
    _ = try world.row("phone", "sync")
    world.clock = "2026-03-01T19:00:00Z"
    try world.importPrices(["2026-03-01T17:00:00Z,crypto,bitcoin,1"])
    _ = try world.row("phone", "sync")

    world.clock = "2026-03-03T01:00:00Z"
    try world.importPrices(
      [
        "2026-03-01T23:00:00Z", "2026-03-02T05:00:00Z", "2026-03-02T11:00:00Z",
        "2026-03-02T17:00:00Z", "2026-03-02T23:00:00Z",
      ].enumerated().map { "\($1),crypto,bitcoin,\(100 + $0)" })
    let sync = try world.row("phone", "sync")
    #expect(sync.number("priceTables") == 5)
    #expect(sync.number("snapshots") == 5)
    #expect(sync.number("remade") == 0)
  }

  @Test("a transaction at exactly 06:00 is first in the snapshot of 12:00")
  func exactlySix() throws {
    var world = try World(clock: "2026-03-01T06:00:00Z")
    try world.createAccount()
    _ = try world.row("phone", "init", "--server", world.url, "--account", "anna")
    _ = try world.row("phone", "asset", "add", "crypto:bitcoin", "1")
    _ = try world.row("phone", "sync")
    world.clock = "2026-03-01T18:30:00Z"
    _ = try world.row("phone", "sync")
    let slots = try world.rows("phone", "snapshot", "list").map { $0.text("slot") }
    #expect(slots == ["2026-03-01T12Z", "2026-03-01T18Z"])
  }

  @Test("two devices edit apart: differences add up, and both are told")
  func twoDevices() throws {
    var world = try World()
    try world.createAccount()
    _ = try world.row("phone", "init", "--server", world.url, "--account", "anna")
    _ = try world.row("tablet", "init", "--server", world.url, "--account", "anna")
    _ = try world.row("phone", "asset", "add", "stock:AAPL", "4")
    _ = try world.row("phone", "sync")
    _ = try world.row("tablet", "sync")
    _ = try world.row("phone", "asset", "set", "stock:AAPL", "10")
    _ = try world.row("tablet", "asset", "set", "stock:AAPL", "10")
    _ = try world.row("phone", "sync")
    let told = try world.row("tablet", "sync")
    #expect(told.texts("changedOnBothSides") == ["stock:AAPL"])
    let answered = try world.row("phone", "sync")
    #expect(answered.texts("changedOnBothSides") == ["stock:AAPL"])
    for store in ["phone", "tablet"] {
      #expect(try world.rows(store, "asset", "list").map { $0.text("amount") } == ["16"])
    }
    world.clock = "2026-03-01T19:00:00Z"
    for store in ["phone", "tablet"] { _ = try world.row(store, "sync") }
    #expect(
      try world.row("phone", "snapshot", "digest") == world.row("tablet", "snapshot", "digest"))
  }

  @Test("F06 an emptied server is filled again from a client, and a third device agrees")
  func emptiedServer() throws {
    var world = try World()
    try world.createAccount()
    try world.importPrices(Self.prices)
    _ = try world.row("phone", "init", "--server", world.url, "--account", "anna")
    _ = try world.row("phone", "asset", "add", "crypto:bitcoin", "0.5", "--category", "Coins")
    _ = try world.row("phone", "asset", "add", "stock:AAPL", "3")
    _ = try world.row("phone", "sync")
    let head = try world.row("phone", "status").object("cursor")

    try world.folder.remove("server")
    try world.createAccount()
    try world.importPrices(Self.prices)
    world.clock = "2026-03-02T19:00:00Z"
    _ = try world.row("phone", "sync")
    let digest = try world.row("phone", "snapshot", "digest")
    #expect(digest.object("head") == head)
    let restored = try world.row("third", "restore", "--server", world.url, "--account", "anna")
    #expect(restored.number("transactions") == 2)
    #expect(try world.row("third", "snapshot", "digest") == digest)
    #expect(
      try world.rows("third", "snapshot", "list") == world.rows("phone", "snapshot", "list"))
  }

  @Test("the demonstration ends well, in under a minute")
  func demo() throws {
    let clock = ContinuousClock()
    let begin = clock.now
    let run = try World.client.run(["demo"])
    #expect(run.status == 0, "\(run.output)\n\(run.errors)")
    #expect(clock.now - begin < .seconds(60))
  }
}
