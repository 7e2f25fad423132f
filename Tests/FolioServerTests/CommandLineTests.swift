import FolioDomain
import FolioJSON
import TestSupport
import Testing

@testable import FolioServer

/// The commands of `folio-server`: what they print and how they end.
struct CommandLineTests {
  private let program = BuiltProgram("folio-server")
  private let scratch: TemporaryFolder
  private let data: String

  init() throws {
    scratch = try TemporaryFolder("server-command")
    data = scratch.path + "/data"
  }

  private func run(_ words: String..., clock: String = "2026-03-01T07:00:00Z") throws -> CommandRun
  {
    try program.run(
      ["--data", data] + words, environment: ["FOLIO_CLOCK": clock, "TZ": "Asia/Kathmandu"])
  }

  /// Runs a command that is to succeed, and gives the objects it prints.
  private func values(_ words: String..., clock: String = "2026-03-01T07:00:00Z") throws
    -> [[String: JSONValue]]
  {
    let run = try program.run(
      ["--data", data, "--json"] + words, environment: ["FOLIO_CLOCK": clock])
    #expect(run.status == 0, "\(words): \(run.errors)")
    #expect(run.errors.isEmpty)
    return try run.lines.map { try members(JSONValue(parsing: $0)) }
  }

  private func members(_ value: JSONValue?) throws -> [String: JSONValue] {
    guard case .object(let members) = value else {
      Issue.record("not an object")
      return [:]
    }
    return Dictionary(members.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
  }

  /// The error that a command with `--json` writes.
  private func errorCode(_ run: CommandRun) throws -> JSONValue? {
    let members = try members(JSONValue(parsing: run.errors))
    #expect(members["message"] != nil && members["hint"] != nil)
    return members["code"]
  }

  @Test func initMakesTheFolderOnce() throws {
    let made = try values("init", "--base", "EUR")[0]
    #expect(made["base"] == .string("EUR"))
    let again = try run("init", "--json")
    #expect(again.status == 73)
    #expect(try errorCode(again) == .string("folderNotEmpty"))
    #expect(try run("init", "--base", "eur").status == 65)
  }

  @Test func accountsAreCreatedListedAndDisabled() throws {
    let ann = try values("account", "create", "ann")[0]
    #expect(ann["account"] == .string("ann") && ann["disabled"] == .bool(false))
    #expect(ann["createdAt"].map { "\($0)".contains("2026-03-01T07:00:0") } == true)
    _ = try values("account", "create", "bob_2-x")
    #expect(try run("account", "create", "ann").status == 73)
    for name in ["Ann", "", "a b", "../x", String(repeating: "a", count: 65), "é"] {
      #expect(try run("account", "create", name).status == 65, "\(name)")
    }
    #expect(try values("account", "disable", "ann")[0]["disabled"] == .bool(true))
    #expect(try run("account", "disable", "nobody").status == 66)
    let listed = try values("account", "list")
    #expect(listed.map { $0["account"] } == [.string("ann"), .string("bob_2-x")])
    #expect(listed.map { $0["disabled"] } == [.bool(true), .bool(false)])
  }

  @Test func pricesAreImportedAndBadLinesNamed() throws {
    try scratch.write(
      Array(
        """
        time,type,id,price
        2026-03-01T05:00:00Z,crypto,bitcoin,9.35e4
        2026-03-01T05:00:00Z,crypto,ethereum,NA
        2026-03-01T06:00:00.001Z,crypto,bitcoin,94000

        """.utf8), to: "prices.csv")
    let file = scratch.path + "/prices.csv"
    let strict = try run("prices", "import", file, "--strict", "--json")
    #expect(strict.status == 65)
    #expect(try errorCode(strict) == .string("linesRefused"))
    #expect(try values("status")[0]["revision"] == .integer(0))
    let text = try run("prices", "import", file)
    #expect(text.status == 0 && text.errors.hasPrefix("line 3: "))
    let again = try values("prices", "import", file)[0]
    #expect(again["skipped"] == .integer(1) && again["prices"] == .integer(2))
    #expect(again["unchanged"] == .integer(2) && again["revision"] == .integer(1))
    guard case .array(let problems)? = again["problems"] else { return }
    #expect(try members(problems.first)["line"] == .integer(3))
    let status = try values("status")[0]
    #expect(status["heldBack"] == .integer(1) && status["priceTables"] == .integer(1))
    #expect(status["newestTable"] == .string("2026-03-01T12Z"))
    #expect(try run("prices", "import", scratch.path + "/none.csv").status == 66)
    try scratch.write(Array("a,b\n".utf8), to: "other.csv")
    #expect(try run("prices", "import", scratch.path + "/other.csv").status == 65)
  }

  @Test func pricesComeFromStandardInputToo() throws {
    let run = try program.run(
      ["--data", data, "prices", "import", "-", "--json"],
      environment: ["FOLIO_CLOCK": "2026-03-01T07:00:00Z"],
      input: "time,type,id,price\n2026-03-01T05:00:00Z,crypto,a,1\n")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try members(JSONValue(parsing: run.lines[0]))["added"] == .integer(1))
  }

  @Test func assetsAreImportedAndRepeatedOnesNamed() throws {
    try scratch.write(
      Array(
        """
        {"type":"crypto","id":"a","symbol":"A","name":"First","rank":1}
        {"type":"crypto","id":"a","symbol":"A","name":"Second"}
        {"type":"crypto"}
        """.utf8), to: "assets.ndjson")
    let file = scratch.path + "/assets.ndjson"
    let first = try values("assets", "import", file)[0]
    #expect(first["added"] == .integer(1))
    #expect(first["repeated"] == .integer(1) && first["skipped"] == .integer(1))
    let text = try run("assets", "import", file)
    #expect(text.errors.split(separator: "\n").map { $0.prefix(7) } == ["line 3:", "line 2:"])
    #expect(try values("status")[0]["assets"] == .integer(1))
  }

  @Test func theLogIsShownByYear() throws {
    _ = try values("account", "create", "ann")
    let folder = try ServerFolder.open(at: data)
    let server = try ServerFixture(folder.storage, at: "2026-12-31T23:59:59Z")
    try server.push(transaction(1, sequence: 1))
    server.advance(milliseconds: 1000)
    try server.push(transaction(2, sequence: 2))
    folder.storage.close()
    let lines = try values("log", "show", "ann")
    #expect(
      lines.map { $0["year"] } == [2026, 2026, 2027, 2027].map { .integer($0) })
    #expect(lines.compactMap { $0["seq"] } == [.integer(1), .integer(2)])
    #expect(lines[0]["hashAfter"] == lines[1]["hash"])
    let one = try values("log", "show", "ann", "--year", "2027")
    #expect(one.count == 2 && one[1]["seq"] == .integer(2))
    #expect(one[1]["acceptedAt"] == .string("2027-01-01T00:00:00Z"))
    #expect(try values("log", "show", "ann", "--year", "2025").isEmpty)
    #expect(try run("log", "show", "nobody").status == 66)
    #expect(try run("log", "show", "ann").output.hasPrefix("2026: entries 1 to 1\n"))
  }

  @Test func backsUpAndRestores() throws {
    let log = try values("account", "create", "ann")[0]["log"]
    let backup = scratch.path + "/backup"
    #expect(try values("backup", backup)[0]["accounts"] == .integer(1))
    #expect(try run("backup", backup).status == 73)
    #expect(try values("status")[0]["backedUpAt"] != .null)
    let restored = try values("restore", backup)[0]
    #expect(restored["replaced"] != .null)
    #expect(try values("account", "list")[0]["log"] != log)
    #expect(try run("restore", scratch.path + "/nothing").status == 66)
    #expect(try values("verify")[0]["ok"] == .bool(true))
  }

  @Test func restoringWhereSomebodyServesIsToBeTriedAgain() throws {
    _ = try values("account", "create", "ann")
    let backup = scratch.path + "/backup"
    _ = try values("backup", backup)
    let server = try ServerProcess(data: data)
    let refused = try run("restore", backup, "--json")
    #expect(refused.status == 75)
    #expect(try errorCode(refused) == .string("dataBusy"))
    let client = try server.connect()
    _ = try client.logIn()
    // Everything else goes on beside it.
    #expect(try values("verify")[0]["ok"] == .bool(true))
    _ = try values("backup", backup + "2")
  }

  @Test func verifyFindsDamage() throws {
    _ = try values("account", "create", "ann")
    let folder = try ServerFolder.open(at: data)
    let server = try ServerFixture(folder.storage)
    try server.push(transaction(1, sequence: 1, body: #"{"a":"to be damaged"}"#))
    folder.storage.close()
    var bytes = try scratch.bytes(of: "data/data.mdb")
    let place = try #require(bytes.firstRange(of: Array("to be damaged".utf8))?.lowerBound)
    bytes[place] ^= 1
    try scratch.write(bytes, to: "data/data.mdb")
    let verified = try run("verify", "--json")
    #expect(verified.status == 65)
    let found = try members(JSONValue(parsing: verified.lines[0]))
    #expect(found["ok"] == .bool(false) && found["problemCount"] != .integer(0))
    #expect(!verified.output.contains("to be"))
  }

  @Test func withoutDataThereIsNothing() throws {
    for words in [["status"], ["verify"], ["account", "list"], ["log", "show", "ann"]] {
      let run = try program.run(["--data", data, "--json"] + words)
      #expect(run.status == 66, "\(words)")
      #expect(try errorCode(run) == .string("dataMissing"))
      #expect(run.output.isEmpty)
    }
    #expect(try program.run(["status"]).status == 64)
    #expect(try run("sing").status == 64)
  }

  @Test func serveTakesOneWay() throws {
    #expect(try run("serve").status == 64)
    #expect(try run("serve", "--stdio").status == 64)
    #expect(try run("serve", "--stdio", "--account", "A!").status == 65)
    #expect(try run("serve", "--stdio", "--account", "a", "--listen", "127.0.0.1:0").status == 64)
    #expect(try run("serve", "--listen", "192.168.0.1:80").status == 64)
    #expect(try run("serve", "--listen", "example.org:80").status == 64)
    #expect(try run("serve", "--listen", "127.0.0.1").status == 64)
  }

  @Test func aWrongClockIsRefused() throws {
    #expect(try run("status", clock: "yesterday").status == 65)
  }

  @Test func everyLevelHasHelp() throws {
    for words in [[], ["account"], ["account", "create"], ["prices", "import"], ["serve"]] {
      let run = try program.run(words + ["--help"])
      #expect(run.status == 0 && run.output.contains("usage: folio-server"))
    }
    #expect(try program.run(["--version"]).output.hasPrefix("folio-server "))
  }
}
