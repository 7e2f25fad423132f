import TestSupport
import Testing

@Suite("Bad input: a clear message, the right exit code, nothing half done")
struct BadInputTests {
  /// Runs `folio` and expects a failure that says what, with a code and a hint.
  private func fails(
    _ world: borrowing World, _ store: String, _ arguments: [String], status: Int32, code: String?,
    location: SourceLocation = #_sourceLocation
  ) throws {
    let plain = try World.client.run(["--store", world.path(store)] + arguments)
    #expect(plain.status == status, "\(arguments): \(plain.errors)", sourceLocation: location)
    #expect(plain.errors.hasPrefix("error: "), "\(plain.errors)", sourceLocation: location)
    #expect(plain.errors.contains("\nhint: "), "\(plain.errors)", sourceLocation: location)
    #expect(plain.output.isEmpty, sourceLocation: location)
    let json = try World.client.run(["--json", "--store", world.path(store)] + arguments)
    #expect(json.status == status, sourceLocation: location)
    let row = try Row(json.errors.split(separator: "\n").last.map(String.init) ?? "")
    #expect(row.text("message")?.isEmpty == false, sourceLocation: location)
    #expect(row.text("hint")?.isEmpty == false, sourceLocation: location)
    if let code { #expect(row.text("code") == code, sourceLocation: location) }
  }

  @Test("usage: unknown commands, options and missing arguments are 64")
  func usage() throws {
    let world = try World()
    _ = try world.row("s", "init")
    try fails(world, "s", ["frobnicate"], status: 64, code: nil)
    try fails(world, "s", ["asset", "lst"], status: 64, code: nil)
    try fails(world, "s", ["frobnicate", "--help"], status: 64, code: nil)
    try fails(world, "s", ["asset", "list", "--frob"], status: 64, code: nil)
    try fails(world, "s", ["asset", "add", "crypto:bitcoin"], status: 64, code: nil)
    try fails(world, "s", ["asset", "move", "crypto:bitcoin"], status: 64, code: nil)
    let typo = try world.folio("s", "syncc")
    #expect(typo.errors.contains("sync"))
  }

  @Test("no store is 66, a folder that is not empty is 73")
  func stores() throws {
    let world = try World()
    try fails(world, "none", ["asset", "list"], status: 66, code: nil)
    try fails(world, "none", ["sync"], status: 66, code: nil)
    try world.folder.makeFolder("full")
    try world.folder.write([1], to: "full/file")
    try fails(world, "full", ["init"], status: 73, code: nil)
    _ = try world.row("s", "init")
    try fails(world, "s", ["init"], status: 73, code: nil)
    let backup = world.path("backup")
    #expect(try world.folio("s", "backup", backup).status == 0)
    try fails(world, "s", ["backup", backup], status: 73, code: "fileExists")
  }

  @Test("what a store does not know before a server has told it is null")
  func unknown() throws {
    let world = try World()
    _ = try world.row("s", "init")
    let status = try world.row("s", "status")
    for name in ["account", "server", "cursor", "skewMs", "lastSync", "through", "baseCurrency"] {
      #expect(status.isNull(name), "\(name)")
    }
    #expect(try world.row("s", "snapshot", "show", "now").isNull("slot"))
    try world.createAccount()
    _ = try world.row("s", "sync", "--server", world.url, "--account", "anna")
    let told = try world.row("s", "status")
    #expect(told.number("skewMs") != nil)
    #expect(told.text("baseCurrency") == "USD")
    #expect(try world.row("s", "snapshot", "show", "now").text("slot") == "2026-03-01T06Z")
  }

  @Test(
    "names and decimals that break a rule are 65, each under its own code, and change nothing",
    arguments: [
      (["asset", "add", "crypto", "1"], "assetWithoutColon"),
      (["asset", "add", ":x", "1"], "assetTypeLength"),
      (["asset", "add", "Crypto:x", "1"], "assetTypeCharacter"),
      (["asset", "add", "crypto:", "1"], "assetIdLength"),
      (["asset", "add", "crypto:a\u{1}b", "1"], "assetIdControlCharacter"),
      (["asset", "add", "crypto:x", "1e"], nil),
      (["asset", "add", "crypto:x", "--", "--1"], nil),
      (["asset", "add", "crypto:x", "1.1234567890123456789"], nil),
      (["asset", "add", "crypto:x", "100000000000000000000000"], nil),
      (["asset", "add", "crypto:x", "1,5"], nil),
      (["asset", "add", "crypto:x", "0x10"], nil),
      (["asset", "add", "crypto:x", "1", "--category", " "], nil),
      (["asset", "add", "crypto:x", "1", "--category", String(repeating: "c", count: 101)], nil),
      (["snapshot", "show", "2026-01-01T07Z"], nil),
      (["doc", "put", "Notes", "{}"], nil),
      (["doc", "put", "notes", "{\"a\":1e400}"], "numberNotPortable"),
      (["doc", "put", "notes", "{\"a\":1e-7}"], "numberNotPortable"),
      (["doc", "put", "notes", "{\"a\":9007199254740993}"], "numberNotPortable"),
      (["doc", "put", "notes", "{\"a\":"], nil),
      (["doc", "put", "notes", "[]"], nil),
      (["doc", "put", "notes", "{\"id\":1}"], nil),
    ] as [([String], String?)])
  func forms(arguments: [String], code: String?) throws {
    let world = try World()
    _ = try world.row("s", "init")
    let run = try World.client.run(["--json", "--store", world.path("s")] + arguments)
    #expect(run.status == 65, "\(run.status) \(run.errors)")
    let row = try Row(run.errors.split(separator: "\n").last.map(String.init) ?? "")
    #expect(row.text("code")?.isEmpty == false)
    #expect(row.text("message")?.isEmpty == false)
    #expect(row.text("hint")?.isEmpty == false)
    #expect(try world.rows("s", "asset", "list", "--all").isEmpty)
    #expect(try world.rows("s", "doc", "list", "notes").isEmpty)
    #expect(try world.row("s", "verify").flag("ok") == true)
  }

  @Test("selling more than is held is refused with what is held and asked")
  func insufficientHoldings() throws {
    let world = try World()
    _ = try world.row("s", "init")
    _ = try world.row("s", "asset", "add", "stock:AAPL", "2")
    try fails(
      world, "s", ["asset", "add", "stock:AAPL", "-2.5"], status: 65, code: "insufficientHoldings")
    let run = try world.folio("s", "asset", "add", "stock:AAPL", "-2.5")
    #expect(run.errors.contains("2") && run.errors.contains("2.5"))
    #expect(try world.rows("s", "asset", "list").map { $0.text("amount") } == ["2"])
  }

  @Test("servers that cannot be reached, are not servers, or know no such account")
  func servers() throws {
    let world = try World()
    _ = try world.row("s", "init")
    _ = try world.row("s", "asset", "add", "stock:AAPL", "2")
    let account = ["--account", "anna"]
    try fails(world, "s", ["sync"], status: 64, code: nil)
    try fails(
      world, "s", ["sync", "--server", "tcp://127.0.0.1:1"] + account, status: 69, code: nil)
    try fails(
      world, "s", ["sync", "--server", "tcp://192.0.2.1:9"] + account, status: 64, code: nil)
    try fails(world, "s", ["sync", "--server", "stdio:exit 3"] + account, status: 69, code: nil)
    try fails(
      world, "s", ["sync", "--server", "stdio:echo hello"] + account, status: 76, code: nil)
    try fails(world, "s", ["sync", "--server", world.url] + account, status: 77, code: nil)
    try fails(
      world, "new", ["init", "--server", "tcp://127.0.0.1:1"] + account, status: 69, code: nil)
    #expect(try world.folio("new", "asset", "list").status == 66)
    let refusal =
      "{\"action\":\"upgrade\",\"class\":\"fatal\",\"code\":\"version\",\"message\":\"no\","
      + "\"re\":1,\"supported\":[2],\"type\":\"error\"}"
    let future = "stdio:read line; echo '\(refusal)'"
    try fails(world, "s", ["sync", "--server", future] + account, status: 76, code: nil)
    #expect(try world.rows("s", "asset", "list").map { $0.text("amount") } == ["2"])
    #expect(try world.row("s", "verify").flag("ok") == true)
    try world.createAccount()
    #expect(
      try world.row("s", "sync", "--server", world.url, "--account", "anna").number("pushed") == 1)
  }

  @Test("price files with bad lines are reported by line and skipped; repeated ids are reported")
  func importFiles() throws {
    let world = try World()
    let rows = [
      "time,type,id,price", "2026-03-01T00:00:00Z,crypto,bitcoin,60000",
      "2026-03-01T00:00:00Z,crypto,ether,NA", "yesterday,crypto,ether,5",
      "2026-03-01T00:00:00Z,crypto,ether", "2026-03-01T00:00:00Z,crypto,ether,-5",
      "2026-03-01T00:00:00Z,crypto,ether,3.3e3",
    ]
    try world.folder.write(Array((rows.joined(separator: "\n") + "\n").utf8), to: "p.csv")
    let run = try world.serve("prices", "import", world.path("p.csv"))
    #expect(run.status == 0, "\(run.errors)")
    for line in 3...6 { #expect(run.errors.contains("line \(line)"), "\(run.errors)") }
    #expect(!run.errors.contains("line 2") && !run.errors.contains("line 7"))
    #expect(try world.serve("prices", "import", world.path("p.csv"), "--strict").status == 65)
    #expect(try world.serve("prices", "import", world.path("none.csv")).status == 66)

    let assets = [
      #"{"type":"crypto","id":"bitcoin","symbol":"BTC","name":"Bitcoin","rank":1}"#,
      #"{"type":"crypto","id":"bitcoin","symbol":"BTC","name":"Another"}"#, "nonsense",
    ]
    try world.folder.write(Array((assets.joined(separator: "\n") + "\n").utf8), to: "a.ndjson")
    let told = try world.serve("assets", "import", world.path("a.ndjson"))
    #expect(told.errors.contains("line 2") && told.errors.contains("line 3"), "\(told.errors)")
  }

  @Test("a broken pipe ends quietly")
  func brokenPipe() throws {
    let world = try World()
    _ = try world.row("s", "init")
    for n in 0..<20 { _ = try world.row("s", "asset", "add", "stock:A\(n)", "1") }
    let pipe = BuiltProgram("folio").path
    let script = try CommandRun.shell(
      "'\(pipe)' --store '\(world.path("s"))' asset list | head -n 1")
    #expect(script.status == 0)
    #expect(!script.errors.contains("error:"), "\(script.errors)")
  }
}
