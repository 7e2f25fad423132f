import FolioSystem
import TestSupport
import Testing

/// The table by which a client decides what a server's log means to it, cell by cell: what a sync ends
/// with, what it says, and what `status` says after it.
@Suite("Logs that are not the same: what the user is told")
struct DivergenceTableTests {
  @Test("each cell", arguments: cells)
  func cell(_ cell: Cell) throws {
    let world = try World()
    try world.createAccount()
    _ = try world.row("phone", "init", "--server", world.url, "--account", "anna")
    _ = try world.row("tablet", "init", "--server", world.url, "--account", "anna")
    if !cell.name.hasPrefix("1 the account has another id") {
      try world.phone("crypto:bitcoin", "1")
      _ = try world.row("phone", "sync")
      _ = try world.row("tablet", "sync")
    }
    try cell.arrange(world)
    let before = try world.rows("phone", "asset", "list", "--all")

    let twin = "phone as read"
    try world.shell("cp -r '\(world.path("phone"))' '\(world.path(twin))'")
    try world.shell("cp -r '\(world.data)' '\(world.data) as read'")
    let run = try world.run("phone", ["--json"] + cell.sync)
    #expect(run.status == cell.exit, "\(run.errors)")
    if let code = cell.code {
      #expect(
        try Row(#require(run.errors.split(separator: "\n").first.map(String.init))).text("code")
          == code)
      #expect(run.output.isEmpty)
      #expect(try world.rows("phone", "asset", "list", "--all") == before, "nothing is changed")
    } else {
      let said = try Row(#require(run.lines.first))
      for (name, number) in cell.numbers { #expect(said.number(name) == number, "\(name)") }
      for (name, flag) in cell.flags { #expect(said.flag(name) == flag, "\(name)") }
    }
    if let text = cell.says {
      // The same again, to be read by a person.
      try world.shell("rm -r '\(world.data)' && mv '\(world.data) as read' '\(world.data)'")
      let told = try world.run(twin, cell.sync)
      #expect(told.output.contains(text), "\(told.output)")
      try world.shell(
        "rm -r '\(world.path("phone"))' && mv '\(world.path(twin))' '\(world.path("phone"))'")
    }
    try expectDecisions(cell.decisions, world)
    if let answer = cell.answer {
      let answered = try world.run("phone", answer)
      #expect(answered.status == 0, "\(answered.errors)")
      try expectDecisions([:], world)
    }
    try expectRest(cell, world)
  }

  private func expectDecisions(_ decisions: [String: [String]], _ world: borrowing World) throws {
    let status = try world.row("phone", "status")
    #expect(Set(status.list("decisions").compactMap { $0.text("code") }) == Set(decisions.keys))
    let told = try world.folio("phone", "status").output
    #expect(told.contains("to decide") == !decisions.isEmpty)
    for decision in status.list("decisions") {
      let answers = decisions[decision.text("code") ?? ""] ?? []
      #expect(decision.texts("answers") == answers)
      for answer in answers { #expect(told.contains(answer)) }
    }
  }

  /// Both devices hold the same in the end, and it is what the cell says.
  private func expectRest(_ cell: Cell, _ world: borrowing World) throws {
    guard !cell.held.isEmpty else { return }
    for store in ["tablet", "phone", "tablet"] {
      // What two devices were shown differently is told once.
      let run = try world.run(store, ["--json", "sync"])
      guard run.status == 0 else {
        #expect(run.status == 76 || run.status == 75, "\(run.errors)")
        if run.status == 75 {
          #expect(try world.run(store, ["sync", "--adopt-account"]).status == 0)
        }
        continue
      }
    }
    let phone = try world.rows("phone", "asset", "list").map { $0.text("amount") }
    #expect(phone == cell.held)
    #expect(try world.rows("tablet", "asset", "list").map { $0.text("amount") } == cell.held)
    let digests = try ["phone", "tablet"].map { try world.row($0, "status").text("stateDigest") }
    #expect(digests[0] != nil && digests[0] == digests[1])
    for store in ["phone", "tablet"] { #expect(try world.row(store, "verify").flag("ok") == true) }
  }

  @Test("A writer that was shown another log is told of once, and listed by status")
  func twoLogs() throws {
    let world = try World()
    try world.createAccount()
    for store in ["phone", "tablet"] {
      _ = try world.row(store, "init", "--server", world.url, "--account", "anna")
    }
    try world.phone("crypto:bitcoin", "1")
    _ = try world.row("phone", "sync")
    _ = try world.row("tablet", "sync")
    try world.keepServer()
    try world.phone("crypto:bitcoin", "4")
    _ = try world.row("phone", "sync")
    try world.putServerBack()
    try world.tablet("stock:S", "2")
    // Saved on the log that nobody else was shown.
    try world.phone("crypto:bitcoin", "8")
    _ = try world.row("phone", "sync")
    let told = try world.run("tablet", ["--json", "sync"])
    #expect(told.status == 76)
    #expect(
      try Row(#require(told.errors.split(separator: "\n").first.map(String.init))).text("code")
        == "twoLogs")
    let remarks = try world.row("tablet", "status").list("remarks")
    #expect(remarks.map { $0.text("code") }.contains("otherLogSeen"))
    #expect(try world.folio("tablet", "status").output.contains("was shown another log"))
    #expect(try world.run("tablet", ["sync"]).status == 0)
    #expect(try world.rows("tablet", "asset", "list").map { $0.text("amount") } == ["13", "2"])
  }

  @Test("Which side counts is one of two")
  func usage() throws {
    let world = try World()
    _ = try world.row("phone", "init")
    #expect(try world.folio("phone", "sync", "--keep", "mine").status == 64)
    #expect(try world.folio("new", "restore").status == 64)
    #expect(try world.folio("new", "restore", "--from", "x", "--account", "anna").status == 64)
    #expect(try world.folio("new", "restore", "--from", world.path("no such file")).status == 66)
    #expect(try Files.kind(of: world.path("new")) == nil)
  }
}
