import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite("Following what is stored, and settings, by the program")
struct WatchTests {
  /// Runs `folio watch` until `enough` says so, while `body` works on the store.
  ///
  /// The settings must be among what is followed.
  private func watch(
    _ world: borrowing World, _ names: [String], until enough: ([Row]) -> Bool,
    _ body: () throws -> Void
  ) throws -> [Row] {
    let output = world.path("watch.out")
    try world.folder.write([], to: "watch.out")
    let pid = try spawn(
      [
        "/bin/sh", "-c", "exec \"$0\" \"$@\" >\"$OUT\" 2>&1", World.client.path, "--json",
        "--store", world.path("s"), "watch",
      ] + names, environment: ["OUT": output])
    defer {
      kill(pid, SIGTERM)
      _ = wait(for: pid)
    }
    // It follows once it waits, which a change of a setting tells, made until it is seen.
    var rows: [Row] = []
    func read() throws -> [Row] {
      try world.folder.text(of: "watch.out").split(separator: "\n").map { try Row(String($0)) }
    }
    for number in 0..<400 where rows.isEmpty {
      _ = try world.folio("s", "settings", "set", "digits", "\(number % 10)")
      usleep(20_000)
      rows = try read()
    }
    try body()
    for _ in 0..<1_000 {
      rows = try read()
      if enough(rows) { break }
      usleep(10_000)
    }
    return rows
  }

  @Test("a line for each change that another process makes, under its name")
  func everything() throws {
    let world = try World()
    _ = try world.row("s", "init")
    let rows = try watch(
      world, [], until: { rows in rows.contains { $0.text("name") == "app.portfolio/edit" } }
    ) {
      _ = try world.row("s", "asset", "add", "stock:A", "3")
      _ = try world.row("s", "edit", "begin")
    }
    let names = rows.compactMap { $0.text("name") }.filter { $0 != "ui.cli/settings" }
    #expect(
      Set(names) == [
        "domain.portfolio/assets", "domain.portfolio/categories", "gate.sync/outbox",
        "gate.sync/cursor", "app.portfolio/edit",
      ])
    #expect(names.count == 5, "each once: \(names)")
    #expect(rows.allSatisfy { ($0.number("transaction") ?? 0) > 0 })
  }

  @Test("names that are given are followed, and no others; what is none is refused")
  func named() throws {
    let world = try World()
    _ = try world.row("s", "init")
    let names = ["domain.documents/note", "ui.cli/settings"]
    let rows = try watch(
      world, names, until: { rows in rows.contains { $0.text("name") == names[0] } }
    ) {
      _ = try world.row("s", "doc", "put", "other", "{}")
      _ = try world.row("s", "asset", "add", "stock:A", "3")
      _ = try world.row("s", "doc", "put", "note", "{}")
    }
    #expect(rows.filter { $0.text("name") == names[0] }.count == 1)
    #expect(rows.allSatisfy { names.contains($0.text("name") ?? "") })
    let run = try world.folio("s", "watch", "nonsense", "--json")
    #expect(run.status == 65)
    #expect(try Row(run.errors).text("code") == "unknownName")
    #expect(try world.folio("none", "watch").status == 66)
  }

  @Test("settings are set, shown, and taken back; what cannot be is refused")
  func settings() throws {
    let world = try World()
    _ = try world.row("s", "init")
    #expect(
      try world.rows("s", "settings", "get").map { $0.text("name") } == [
        "currency", "zone", "digits",
      ])
    #expect(try world.row("s", "settings", "get", "zone").isNull("value"))
    #expect(
      try world.row("s", "settings", "set", "zone", "Asia/Kathmandu").text("value")
        == "Asia/Kathmandu")
    #expect(try world.row("s", "settings", "set", "digits", "4").text("value") == "4")
    #expect(try world.row("s", "settings", "set", "currency", "EUR").text("value") == "EUR")
    #expect(try world.folio("s", "settings", "get", "currency").output == "EUR\n")
    #expect(try world.row("s", "settings", "set", "currency").isNull("value"))
    #expect(try world.row("s", "settings", "get", "currency").isNull("value"))
    for (arguments, status) in [
      (["get", "colour"], 64), (["set", "colour", "red"], 64), (["set"], 64),
      (["set", "digits", "19"], 65), (["set", "digits", "-1"], 65), (["set", "digits", "x"], 65),
      (["set", "zone", "Mars/Base"], 65), (["set", "zone", "../passwd"], 65),
      (["set", "zone", "Europe"], 65), (["set", "currency", "a\u{1}"], 65),
    ] as [([String], Int32)] {
      let run = try World.client.run(
        ["--json", "--store", world.path("s"), "settings"] + arguments)
      #expect(run.status == status, "\(arguments): \(run.errors)")
    }
    #expect(try world.row("s", "settings", "get", "digits").text("value") == "4")
  }

  @Test("values and times are shown as the settings say, and JSON stays as it is")
  func shown() throws {
    var world = try World(clock: "2026-03-01T05:30:00Z")
    try world.createAccount()
    try world.importPrices([
      "2026-03-01T05:00:00Z,crypto,bitcoin,60000", "2026-03-01T05:00:00Z,forex,EUR,1.2",
    ])
    _ = try world.row("s", "init", "--server", world.url, "--account", "anna")
    _ = try world.row("s", "asset", "add", "crypto:bitcoin", "0.5", "--category", "Coins")
    _ = try world.row("s", "sync")
    world.clock = "2026-03-01T07:00:00Z"
    _ = try world.row("s", "sync")
    let usual = try world.row("s", "asset", "list")
    #expect(usual.text("shownCurrency") == "USD" && usual.text("shownValue") == "30000")
    _ = try world.row("s", "settings", "set", "currency", "EUR")
    _ = try world.row("s", "settings", "set", "digits", "3")
    let list = try world.row("s", "asset", "list")
    #expect(list.text("value") == "30000")
    #expect(list.text("shownValue") == "25000" && list.text("shownCurrency") == "EUR")
    #expect(try world.folio("s", "asset", "list").output.contains("€25,000.000"))
    #expect(try world.folio("s", "category", "list").output.contains("€25,000.000"))
    let report = try world.row("s", "report")
    #expect(report.text("currency") == "EUR" && report.text("end") == "25000")
    #expect(try world.folio("s", "report").output.contains("€25,000.000"))
    #expect(try world.row("s", "report", "--currency", "USD").text("end") == "30000")
    // A sum of money without a currency is one of that which is shown.
    let more = try world.row("s", "asset", "add", "crypto:bitcoin", "--worth", "500")
    #expect(more.text("amount") == "0.51")
    _ = try world.row("s", "settings", "set", "currency", "XXX")
    let unpriced = try world.folio("s", "asset", "list")
    #expect(unpriced.output.contains("$30,600.000") && unpriced.errors.contains("XXX has no price"))
    _ = try world.row("s", "settings", "set", "zone", "Asia/Kathmandu")
    _ = try world.row("s", "doc", "put", "note", "{}")
    let documents = try world.folio("s", "doc", "list", "note").output
    #expect(documents.contains("2026-03-01 12:45:") && documents.contains("+0545"))
    #expect(
      try world.row("s", "doc", "list", "note").text("updatedAt")?.hasPrefix("2026-03-01T07:00")
        == true)
    #expect(try world.folio("s", "status").output.contains("+0545"))
  }
}
