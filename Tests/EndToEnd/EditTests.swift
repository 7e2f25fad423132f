import TestSupport
import Testing

@Suite("Several edits, saved as one transaction, by the program")
struct EditTests {
  @Test("begin, stage, show, undo, save: one transaction, compressed")
  func whole() throws {
    let world = try World()
    _ = try world.row("s", "init")
    _ = try world.row("s", "asset", "add", "stock:AAPL", "2", "--category", "Shares")
    let begun = try world.row("s", "edit", "begin")
    #expect(begun.text("begunAt")?.hasPrefix("2026-03-01T07:00") == true)
    let added = try world.row("s", "asset", "add", "crypto:bitcoin", "0.5", "--category", "Coins")
    #expect(added.text("amount") == "0.5" && added.text("category") == "Coins")
    #expect(added.flag("staged") == true)
    _ = try world.row("s", "asset", "add", "crypto:bitcoin", "-0.2")
    _ = try world.row("s", "asset", "set", "stock:AAPL", "5")
    _ = try world.row("s", "asset", "move", "stock:AAPL", "--category", "Old")
    let renamed = try world.row("s", "category", "rename", "old", "Shares")
    #expect(renamed.number("assets") == 1 && renamed.flag("staged") == true)
    _ = try world.row("s", "asset", "add", "metal:XAU", "1")
    #expect(try world.row("s", "asset", "delete", "metal:XAU").text("outcome") == "removed")
    _ = try world.row("s", "asset", "add", "metal:XAG", "1")
    // Nothing has changed so far.
    #expect(try world.rows("s", "asset", "list").map { $0.text("amount") } == ["2"])
    #expect(try world.row("s", "status").number("outbox") == 1)
    let undone = try world.row("s", "edit", "undo")
    #expect(undone.text("undone") == "add metal:XAG 1" && undone.number("edits") == 7)
    let shown = try world.row("s", "edit", "show")
    #expect(shown.texts("edits").count == 7)
    #expect(shown.texts("edits").first == "add crypto:bitcoin 0.5 to Coins")
    #expect(shown.number("operations") == 3)
    let changes = shown.list("changes")
    #expect(changes.map { $0.text("asset") } == ["crypto:bitcoin", "stock:AAPL"])
    #expect(changes.map { $0.text("before") } == ["0", "2"])
    #expect(changes.map { $0.text("amount") } == ["0.3", "5"])
    #expect(changes.map { $0.text("difference") } == ["0.3", "3"])
    #expect(changes[0].isNull("categoryBefore") && changes[1].text("categoryBefore") == "Shares")
    let plain = try world.folio("s", "edit", "show").output
    #expect(plain.contains("7 edits staged since") && plain.contains("crypto:bitcoin"))
    let saved = try world.row("s", "edit", "save")
    #expect(saved.number("transactions") == 1 && saved.number("operations") == 3)
    #expect(try world.rows("s", "asset", "list").map { $0.text("amount") } == ["0.3", "5"])
    #expect(try world.row("s", "status").number("outbox") == 2)
    #expect(try world.row("s", "verify").flag("ok") == true)
  }

  @Test("edits that leave nothing make no transaction; discarded ones have not happened")
  func nothing() throws {
    let world = try World()
    _ = try world.row("s", "init")
    _ = try world.row("s", "edit", "begin")
    _ = try world.row("s", "asset", "add", "crypto:bitcoin", "0.5")
    _ = try world.row("s", "asset", "add", "crypto:bitcoin", "-0.5")
    let saved = try world.row("s", "edit", "save")
    #expect(saved.number("transactions") == 0 && saved.number("operations") == 0)
    _ = try world.row("s", "edit", "begin")
    _ = try world.row("s", "asset", "add", "crypto:bitcoin", "0.5")
    #expect(try world.row("s", "edit", "discard").number("discarded") == 1)
    #expect(try world.rows("s", "asset", "list", "--all").isEmpty)
    let direct = try world.row("s", "asset", "add", "crypto:bitcoin", "1")
    #expect(direct.flag("staged") == false)
  }

  @Test("a rule that an edit breaks is told, and the staged edit is as it was before")
  func refused() throws {
    let world = try World()
    _ = try world.row("s", "init")
    _ = try world.row("s", "asset", "add", "stock:AAPL", "2")
    _ = try world.row("s", "edit", "begin")
    _ = try world.row("s", "asset", "add", "stock:AAPL", "-2")
    for (arguments, code) in [
      (["asset", "add", "stock:AAPL", "-0.5"], "insufficientHoldings"),
      (["asset", "set", "stock:AAPL", "-1"], "amountNegative"),
      (["asset", "add", "stock:AAPL", "1e400"], nil),
      (["asset", "add", "stock:A\u{1}", "1"], "assetIdControlCharacter"),
      (["asset", "move", "stock:NONE", "--category", "x"], "assetNotFound"),
      (["asset", "delete", "stock:NONE"], "assetNotFound"),
      (["category", "rename", "None", "x"], "categoryNotFound"),
      (["asset", "add", "stock:AAPL", "--worth", "5"], "assetUnpriced"),
    ] as [([String], String?)] {
      let run = try World.client.run(["--json", "--store", world.path("s")] + arguments)
      #expect(run.status == 65, "\(arguments): \(run.errors)")
      let row = try Row(run.errors)
      if let code { #expect(row.text("code") == code, "\(arguments)") }
      #expect(row.text("hint")?.isEmpty == false)
    }
    #expect(try world.row("s", "edit", "show").texts("edits") == ["add stock:AAPL -2"])
    #expect(try world.row("s", "edit", "save").number("operations") == 1)
  }

  @Test("two edits at once are refused with 75; without one there is nothing to show, 66")
  func two() throws {
    let world = try World()
    _ = try world.row("s", "init")
    for word in ["show", "save", "discard", "undo"] {
      let run = try world.folio("s", "edit", word, "--json")
      #expect(run.status == 66, "\(word): \(run.errors)")
      #expect(try Row(run.errors).text("code") == "noFlow")
    }
    _ = try world.row("s", "edit", "begin")
    let run = try world.folio("s", "edit", "begin", "--json")
    #expect(run.status == 75)
    #expect(try Row(run.errors).text("code") == "flowUnderWay")
    #expect(try Row(run.errors).text("hint")?.contains("edit show") == true)
  }

  @Test("what was staged stays through a sync, and is checked again when it is saved")
  func synced() throws {
    let world = try World()
    try world.createAccount()
    for store in ["a", "b"] { _ = try world.row(store, "init") }
    let join = ["--server", world.url, "--account", "anna"]
    _ = try world.row("a", "asset", "add", "stock:AAPL", "2")
    _ = try world.row("a", "sync", join[0], join[1], join[2], join[3])
    _ = try world.row("b", "sync", join[0], join[1], join[2], join[3])
    _ = try world.row("a", "edit", "begin")
    _ = try world.row("a", "asset", "add", "stock:AAPL", "-2")
    _ = try world.row("b", "asset", "add", "stock:AAPL", "-1")
    _ = try world.row("b", "sync")
    _ = try world.row("a", "sync")
    let run = try world.folio("a", "edit", "save", "--json")
    #expect(run.status == 65)
    let row = try Row(run.errors)
    #expect(row.text("code") == "insufficientHoldings")
    #expect(row.text("message")?.hasPrefix("staged edit 1: ") == true)
    #expect(try world.folio("a", "asset", "add", "stock:AAPL", "1").status == 65)
    #expect(try world.row("a", "edit", "undo").text("undone") == "add stock:AAPL -2")
    #expect(try world.row("a", "asset", "add", "stock:AAPL", "1").text("amount") == "2")
    #expect(try world.row("a", "edit", "save").number("operations") == 1)
  }

  @Test("an amount as a sum of money, in any currency that has a price, staged or not")
  func worth() throws {
    let world = try World()
    try world.createAccount()
    try world.importPrices([
      "2026-03-01T05:00:00Z,crypto,bitcoin,60000", "2026-03-01T05:00:00Z,forex,EUR,1.2",
    ])
    _ = try world.row("s", "init", "--server", world.url, "--account", "anna")
    _ = try world.row("s", "sync")
    let bought = try world.row(
      "s", "asset", "add", "crypto:bitcoin", "--worth", "500", "--in", "EUR")
    #expect(bought.text("amount") == "0.01")
    let dollars = try world.row("s", "asset", "add", "crypto:bitcoin", "--worth", "600")
    #expect(dollars.text("amount") == "0.02")
    _ = try world.row("s", "edit", "begin")
    let sold = try world.row(
      "s", "asset", "add", "crypto:bitcoin", "--worth", "-500", "--in", "EUR", "--category", "Coins"
    )
    #expect(sold.text("amount") == "0.01" && sold.flag("staged") == true)
    #expect(try world.row("s", "edit", "save").number("operations") == 2)
    for (arguments, status, code) in [
      (["--worth", "500", "--in", "XXX"], 65, "currencyUnpriced"),
      (["--worth", "-50000"], 65, "insufficientHoldings"),
      (["--worth", "0"], 65, "worthBuysNothing"), (["--worth", "x"], 65, nil),
      (["1", "--worth", "500"], 64, nil), (["1", "--in", "EUR"], 64, nil), ([], 64, nil),
    ] as [([String], Int32, String?)] {
      let run = try World.client.run(
        ["--json", "--store", world.path("s"), "asset", "add", "crypto:bitcoin"] + arguments)
      #expect(run.status == status, "\(arguments): \(run.errors)")
      if let code { #expect(try Row(run.errors).text("code") == code) }
    }
    #expect(try world.rows("s", "asset", "list").map { $0.text("amount") } == ["0.01"])
  }
}
