import TestSupport
import Testing

@Suite("Export and import")
struct ExchangeTests {
  private func write(_ world: borrowing World, _ name: String, _ lines: String...) throws -> String
  {
    try world.folder.write(Array((lines.joined(separator: "\n") + "\n").utf8), to: name)
    return world.path(name)
  }

  /// What is held, as far as an import gives it back.
  private func holdings(_ world: borrowing World, _ store: String) throws -> [[String?]] {
    try world.rows(store, "asset", "list").map {
      [$0.text("asset"), $0.text("amount"), $0.text("category")]
    }
  }

  private func fields(_ world: borrowing World, _ store: String, _ collection: String) throws
    -> [String: Row]
  {
    var fields: [String: Row] = [:]
    for row in try world.rows(store, "doc", "list", collection) {
      fields[try #require(row.text("id"))] = row.object("fields")
    }
    return fields
  }

  @Test(
    "what is exported and imported gives the same holdings, categories and documents; twice is once",
    arguments: ["csv", "json"])
  func roundTrip(format: String) throws {
    let world = try World()
    _ = try world.row("phone", "init")
    for (asset, amount, category) in [
      ("stock:A,\"B\"", "12.250000000000000001", "Säfe, \"old\""), ("crypto:bitcoin", "0.5", "株式"),
      ("forex:EUR", "99999999999999999999", "=1+1"), ("stock:GONE", "1", "Gone"),
    ] {
      _ = try world.row("phone", "asset", "add", asset, amount, "--category", category)
    }
    _ = try world.row("phone", "asset", "add", "metal:gold", "3")
    _ = try world.row("phone", "asset", "delete", "stock:GONE")
    let json = #"{"type":"rent","title":"Flat, \"2\"","metadata":{"a":[1,null,"x\ny"],"b":0.5}}"#
    _ = try world.row("phone", "doc", "put", "record", json)
    _ = try world.row("phone", "doc", "put", "notes", #"{"text":"日本\r\n"}"#)
    let deleted = try world.row("phone", "doc", "put", "notes", #"{"text":"gone"}"#)
    _ = try world.row("phone", "doc", "delete", "notes", try #require(deleted.text("id")))

    let file = world.path("all.\(format)")
    let exported = try world.row("phone", "export", file)
    #expect(exported.number("holdings") == 4 && exported.number("documents") == 2)
    let second = try world.folio("phone", "export", file)
    #expect(second.status == 73 && second.errors.contains("error:"))

    _ = try world.row("new", "init")
    let tried = try world.row("new", "import", file, "--dry-run")
    #expect(tried.flag("saved") == false && tried.number("holdings") == 4)
    #expect(try holdings(world, "new").isEmpty)
    let imported = try world.row("new", "import", file)
    #expect(imported.number("holdings") == 4 && imported.number("documents") == 2)
    #expect(imported.list("doubtful").isEmpty && imported.list("problems").isEmpty)
    let before = try holdings(world, "phone")
    #expect(try holdings(world, "new") == before && before.count == 4)
    for collection in ["record", "notes"] {
      let fields = try fields(world, "phone", collection)
      #expect(try self.fields(world, "new", collection) == fields && fields.count == 1)
    }

    let again = try world.row("new", "import", file)
    #expect(again.number("repeated") == 6 && again.number("transactions") == 0)
    #expect(try holdings(world, "new") == before)
    #expect(try world.row("new", "verify").flag("ok") == true)
  }

  @Test("F66 a foreign file: equal rows are counted, a second import adds nothing, on two devices")
  func twice() throws {
    var world = try World()
    try world.createAccount()
    try world.folder.write(
      Array(
        """
        {"type":"stock","id":"AAPL.US","symbol":"AAPL","name":"Apple"}
        {"type":"stock","id":"ADA.1","symbol":"ADA","name":"One"}
        {"type":"crypto","id":"cardano","symbol":"ADA","name":"Two"}

        """.utf8), to: "assets.ndjson")
    try world.serve("assets", "import", world.path("assets.ndjson"))
    for store in ["phone", "tablet"] {
      _ = try world.row(store, "init", "--server", world.url, "--account", "anna")
      _ = try world.row(store, "sync")
    }
    let file = try write(
      world, "broker.csv", "\u{FEFF}Date;Ticker;Qty;Depot\r", "2020-01-01;AAPL;1.50;Broker\r",
      "2021-01-01;AAPL;1.5e0;Broker\r", "2021-01-01;AAPL;2;Broker\r", ";;;\r")
    let map = "symbol=Ticker,type:=stock,amount=#3,category=Depot"
    let tried = try world.row("phone", "import", file, "--map", map, "--dry-run")
    #expect(tried.texts("ignoredColumns") == ["Date"])
    #expect(tried.list("doubtful").map { $0.text("code") } == ["importEqualRow"])
    #expect(tried.list("doubtful").first?.number("line") == 3)
    let first = try world.row("phone", "import", file, "--map", map)
    #expect(first.number("transactions") == 3)
    let wanted: [[String?]] = [["stock:AAPL.US", "5", "Broker"]]
    #expect(try holdings(world, "phone") == wanted)
    #expect(try world.row("phone", "import", file, "--map", map).number("repeated") == 3)

    // The other device imports it too before it hears of the first import.
    _ = try world.row("tablet", "import", file, "--map", map)
    for store in ["phone", "tablet", "phone"] { _ = try world.row(store, "sync") }
    #expect(try holdings(world, "phone") == wanted && holdings(world, "tablet") == wanted)
    world.clock = "2026-03-04T07:00:00Z"
    for store in ["phone", "tablet"] {
      #expect(try world.row(store, "import", file, "--map", map).number("transactions") == 0)
      _ = try world.row(store, "sync")
      #expect(try holdings(world, store) == wanted)
    }
    // Nothing was recorded at the dates of the file.
    let slots = try world.rows("phone", "snapshot", "list").compactMap { $0.text("slot") }
    #expect(slots.first == "2026-03-01T12Z")

    let more = try write(world, "more.csv", "symbol,type,amount", "AAPL,stock,1", "ADA,stock,2")
    let added = try world.row("phone", "import", more)
    #expect(added.list("doubtful").map { $0.text("code") } == ["importAlreadyHeld"])
    let ambiguous = try write(world, "ada.csv", "symbol,amount", "ADA,1")
    let run = try world.folio("phone", "--json", "import", ambiguous)
    #expect(run.status == 65)
    #expect(run.output.contains("crypto:cardano") && run.output.contains("stock:ADA.1"))
  }

  @Test(
    "F66 what the log has is known by every device that has read it: restored, dropped or synced")
  func knownElsewhere() throws {
    var world = try World()
    try world.createAccount()
    let file = try write(world, "held.csv", "asset,amount", "stock:A,4", "stock:A,4", "metal:XAU,2")
    _ = try world.row("phone", "init", "--server", world.url, "--account", "anna")
    _ = try world.row("tablet", "init", "--server", world.url, "--account", "anna")
    #expect(try world.row("phone", "import", file).number("transactions") == 3)
    _ = try world.row("phone", "sync")
    // The server has a backup, so that nobody keeps the entries.
    try world.serve("backup", world.path("backup"))
    world.clock = "2026-03-02T07:00:00Z"
    for store in ["phone", "tablet"] { _ = try world.row(store, "sync") }
    _ = try world.row("new", "restore", "--server", world.url, "--account", "anna")
    #expect(try world.row("new", "status").number("keptFrom") == 4)
    let held = try holdings(world, "phone")
    for store in ["new", "tablet", "phone"] {
      let tried = try world.row(store, "import", file, "--dry-run")
      #expect(tried.number("repeated") == 3 && tried.list("doubtful").count == 1, "\(tried)")
      #expect(try world.row(store, "import", file).number("transactions") == 0)
      #expect(try holdings(world, store) == held && held.count == 2)
      #expect(try world.row(store, "verify").flag("ok") == true)
    }
  }

  @Test("a line that cannot be imported is listed with all others, and nothing is saved")
  func allOrNothing() throws {
    let world = try World()
    _ = try world.row("phone", "init")
    _ = try world.row("phone", "asset", "add", "stock:A", "1")
    let file = try write(
      world, "bad.csv", "asset,amount,category,note", "stock:B,2,Good,x", "stock:C,\"1,5\",Good,x",
      "stock:D,1", "nonsense,1,Good,x", "stock:E,,Good,x", "stock:F,0.1234567890123456789,Good,x",
      "stock:A,-5,Good,x", "stock:G,\"1\"2,Good,x", "stock:H,3,Good,x")
    let run = try world.folio("phone", "--json", "import", file)
    #expect(run.status == 65)
    let row = try Row(try #require(run.lines.first))
    #expect(row.flag("saved") == false && row.number("transactions") == 0)
    #expect(row.list("problems").map { $0.number("line") } == [3, 4, 5, 6, 7, 8, 9])
    #expect(
      row.list("problems").map { $0.text("code") } == [
        "importDecimalComma", "importColumnCount", "assetWithoutColon", "importMissing",
        "amountTooPrecise", "insufficientHoldings", "csvTextAfterQuote",
      ])
    #expect(row.list("problems").allSatisfy { $0.text("hint")?.isEmpty == false })
    #expect(try Row(run.errors).text("code") == "importRefused")
    #expect(try holdings(world, "phone") == [["stock:A", "1", "stock"]])
    #expect(try world.row("phone", "status").number("outbox") == 1)
    let text = try world.folio("phone", "import", file)
    #expect(text.status == 65 && text.output.contains("line 3: '1,5' has a comma"))
  }

  @Test("a file of which nothing can be made is refused as a whole, and says why")
  func refusedFiles() throws {
    let world = try World()
    _ = try world.row("phone", "init")
    for (bytes, map, code) in [
      ([0xFF, 0xFE, 0x61, 0x00] as [UInt8], nil, "importNotUTF8"), ([], nil, "importEmpty"),
      (Array("asset,amount\n".utf8), nil, "importEmpty"),
      (Array("Ticker,Qty\nA,1\n".utf8), nil, "importFieldMissing"),
      (Array("asset,qty\nA,1\n".utf8), nil, "importFieldMissing"),
      (Array("asset,amount,amount\nstock:A,1,2\n".utf8), nil, "importColumnTwice"),
      (Array("a,b\nstock:A,1\n".utf8), "asset=x,amount=b", "importColumnMissing"),
      (Array("a,b\nstock:A,1\n".utf8), "asset=#3,amount=b", "importColumnMissing"),
      (Array("a,b\nstock:A,1\n".utf8), "asset", "importBadMap"),
      (Array("a,b\nstock:A,1\n".utf8), "date=a", "importUnknownField"),
      (Array("[{\"asset\":\"stock:A\",\"amount\":1},]".utf8), nil, "importJSON"),
      (Array("[1]".utf8), nil, "importJSON"), ([0x61, 0xE9, 0x0A], nil, "importHeader"),
    ] {
      try world.folder.write(bytes, to: "file")
      let words = ["--json", "--store", world.path("phone"), "import", world.path("file")]
      let run = try World.client.run(words + (map.map { ["--map", $0] } ?? []))
      #expect(run.status == 65 && run.output.isEmpty, "\(code): \(run.status) \(run.output)")
      #expect(try Row(run.errors).text("code") == code, "\(run.errors)")
    }
    #expect(try world.folio("phone", "import", world.path("none.csv")).status == 66)
    #expect(try world.folio("phone", "export", world.path("none/x.csv")).status == 73)
    #expect(try world.folio("phone", "export", world.path("x.xls")).status == 64)
  }

  @Test("JSON is taken as an array or a line for each; numbers are read by their digits")
  func json() throws {
    let world = try World()
    for (name, text) in [
      (
        "array.json",
        "\u{FEFF}[ {\"asset\":\"stock:A\",\"amount\":0.100000000000000001,\"x\":{\"y\":[]}},\n"
          + "{\"asset\":\"stock:B\",\"amount\":\"2\",\"category\":null}]"
      ),
      (
        "lines.json",
        "{\"asset\":\"stock:A\",\"amount\":0.100000000000000001}\r\n\n"
          + "{\"type\":\"stock\",\"id\":\"B\",\"amount\":2e0}\n"
      ),
    ] {
      try world.folder.write(Array(text.utf8), to: name)
      let store = "store of " + name
      _ = try world.row(store, "init")
      #expect(try world.row(store, "import", world.path(name)).number("holdings") == 2)
      #expect(
        try holdings(world, store) == [
          ["stock:A", "0.100000000000000001", "stock"], ["stock:B", "2", "stock"],
        ])
    }
  }
}
