import FolioSystem
import TestSupport
import Testing

/// The faults that were seen in the field, each covered by a test that bears its number.
@Suite("Cases by number")
struct CaseNumberTests {
  static let numbers = Array(1...66)
  /// Those without a test, each with the reason.
  static let missing = [
    55: "of one provider's service alone, which nothing here speaks to yet"
  ]

  @Test("each case is the number of a test")
  func numbered() throws {
    let tests = String(#filePath.dropLast("/EndToEnd/CaseNumberTests.swift".count))
    var text = ""
    for folder in try Files.entries(of: tests) { try collect(tests + "/" + folder, &text) }
    var found: Set<Int> = []
    for line in text.split(separator: "\n") where line.contains("F") {
      let bytes = Array(line.utf8)
      for start in bytes.indices.dropLast(2) where bytes[start] == UInt8(ascii: "F") {
        let digits = bytes[(start + 1)...].prefix { (0x30...0x39).contains($0) }
        if digits.count == 2, let number = Int(String(decoding: digits, as: UTF8.self)) {
          found.insert(number)
        }
      }
    }
    let missing = Self.numbers.filter { !found.contains($0) }
    #expect(Set(missing).subtracting(Self.missing.keys) == [], "cases without a test")
    #expect(
      Self.missing.keys.filter { !missing.contains($0) } == [],
      "a case that has a test now is still listed as without")
  }

  /// The lines that name a test, of the Swift files of a folder.
  private func collect(_ path: String, _ text: inout String) throws {
    guard try Files.kind(of: path) == .folder else {
      guard path.hasSuffix(".swift"), !path.hasSuffix("CaseNumberTests.swift") else { return }
      let lines = String(decoding: try Files.read(path), as: UTF8.self).split(separator: "\n")
      for (index, line) in lines.enumerated() {
        let before = index > 0 ? lines[index - 1] : ""
        let isName =
          line.contains("@Test") || line.contains("@Suite") || line.contains("func ")
          || line.contains("name: \"") || before.contains("@Test(")
        if isName { text += "\(line)\n" }
      }
      return
    }
    for name in try Files.entries(of: path) where !name.hasPrefix(".") {
      try collect(path + "/" + name, &text)
    }
  }

  @Test(
    "F29 F30: the zone of the machine changes nothing: slots, snapshots and digests are those of UTC",
    arguments: ["Asia/Kathmandu", "America/St_Johns", "Australia/Lord_Howe", "UTC"])
  func zones(_ zone: String) throws {
    // Lord Howe's clocks go back by half an hour on 2026-04-05, at 15:00 UTC the day before.
    let world = try World(clock: nil)
    let store = world.path("phone")
    func run(_ program: BuiltProgram, at clock: String, _ arguments: [String]) throws -> CommandRun
    {
      let run = try program.run(
        arguments, environment: ["FOLIO_CLOCK": clock, "TZ": zone, "FOLIO_STORE": nil])
      try #require(run.status == 0, "\(arguments): \(run.errors)")
      return run
    }
    func folio(_ clock: String, _ arguments: String...) throws -> CommandRun {
      try run(World.client, at: clock, ["--json", "--store", store] + arguments)
    }
    let start = "2026-04-04T05:30:00Z"
    _ = try run(World.server, at: start, ["--data", world.data, "account", "create", "anna"])
    try world.folder.write(
      Array("time,type,id,price\n2026-04-04T05:00:00Z,crypto,a,3\n".utf8), to: "prices.csv")
    _ = try run(
      World.server, at: start, ["--data", world.data, "prices", "import", world.path("prices.csv")])
    _ = try folio(start, "init", "--server", world.url, "--account", "anna")
    _ = try folio(start, "asset", "add", "crypto:a", "2")
    _ = try folio(start, "sync")
    let sync = try Row(#require(try folio("2026-04-05T18:00:00Z", "sync").lines.first))
    #expect(sync.number("snapshots") == 7)
    let slots = try folio("2026-04-05T18:00:00Z", "snapshot", "list").lines.map { try Row($0) }
    #expect(
      slots.compactMap { $0.text("slot") } == [
        "2026-04-04T06Z", "2026-04-04T12Z", "2026-04-04T18Z", "2026-04-05T00Z", "2026-04-05T06Z",
        "2026-04-05T12Z", "2026-04-05T18Z",
      ])
    #expect(slots.allSatisfy { $0.text("value") == "6" })
  }

  @Test("F46 F47 F54: a price that is none, or missing, or late costs no table and no snapshot")
  func missingPrices() throws {
    var world = try World(clock: "2026-03-01T05:00:00Z")
    try world.createAccount()
    _ = try world.row("phone", "init", "--server", world.url, "--account", "anna")
    for asset in ["crypto:a", "crypto:b"] { _ = try world.row("phone", "asset", "add", asset, "1") }
    _ = try world.row("phone", "sync")

    // Seen before the boundary and brought an hour after it: the table is that of the boundary.
    world.clock = "2026-03-01T07:00:00Z"
    try world.importPrices([
      "2026-03-01T05:59:59Z,crypto,a,10", "2026-03-01T05:59:59Z,crypto,b,20",
    ])
    _ = try world.row("phone", "sync")
    // One price is an error's text; then one is not there at all.
    world.clock = "2026-03-01T12:30:00Z"
    let file = "time,type,id,price\n2026-03-01T11:00:00Z,crypto,a,11\n"
    try world.folder.write(
      Array((file + "2026-03-01T11:00:00Z,crypto,b,not found\n").utf8), to: "odd.csv")
    let odd = try world.serve("prices", "import", world.path("odd.csv"))
    #expect(odd.status == 0 && odd.errors.hasPrefix("line 3: "), "\(odd.errors)")
    _ = try world.row("phone", "sync")
    world.clock = "2026-03-01T18:30:00Z"
    try world.importPrices(["2026-03-01T17:00:00Z,crypto,a,12"])
    _ = try world.row("phone", "sync")

    let slots = try world.rows("phone", "snapshot", "list")
    #expect(
      slots.map { $0.text("slot") } == [
        "2026-03-01T06Z", "2026-03-01T12Z", "2026-03-01T18Z",
      ])
    #expect(slots.map { $0.text("value") } == ["30", "31", "32"])
    #expect(slots.map { $0.number("unpricedCount") } == [0, 0, 0])
    for slot in ["2026-03-01T12Z", "2026-03-01T18Z"] {
      let assets = try world.row("phone", "snapshot", "show", slot).list("assets")
      #expect(assets.map { $0.text("pricedAt") } == [slot, "2026-03-01T06Z"])
    }
  }
}
