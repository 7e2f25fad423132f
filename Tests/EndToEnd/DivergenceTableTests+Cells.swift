import TestSupport
import Testing

extension DivergenceTableTests {
  /// A cell: how the world came there, and what a sync of the phone comes to.
  struct Cell: Sendable, CustomTestStringConvertible {
    var name: String
    var arrange: @Sendable (borrowing World) throws -> Void
    /// What is typed.
    var sync: [String] = ["sync"]
    /// How the sync ends.
    var exit: Int32 = 0
    /// The code of its error.
    var code: String?
    /// Members of what it says.
    var numbers: [String: Int64] = [:]
    var flags: [String: Bool] = [:]
    /// What a person reads.
    var says: String?
    /// The codes of the questions that wait after it, and what can be answered.
    var decisions: [String: [String]] = [:]
    /// The answer that is given then, with which a sync ends well.
    var answer: [String]?
    /// What the phone and the tablet hold in the end: bitcoin, and the stock.
    var held: [String] = []

    var testDescription: String { name }
  }

  static let cells: [Cell] = [
    Cell(
      name: "2 nothing is new", arrange: { _ in }, numbers: ["pushed": 0, "pulled": 0],
      flags: ["rebuilt": false], says: "sent 0, received 0", held: ["1"]),
    Cell(
      name: "2 the server's log goes on", arrange: { try $0.tablet("stock:S", "2") },
      numbers: ["pushed": 0, "pulled": 1, "refilled": 0], held: ["1", "2"]),
    Cell(
      name: "2 both went on",
      arrange: {
        try $0.tablet("stock:S", "2")
        try $0.phone("crypto:bitcoin", "4")
      }, numbers: ["pushed": 1, "pulled": 1], held: ["5", "2"]),
    Cell(
      name: "1 the account has another id, and neither side has entries",
      arrange: { world in
        _ = try world.row("early", "init", "--server", world.url, "--account", "anna")
        try world.emptyServer()
        try world.shell(
          "rm -r '\(world.path("phone"))'; mv '\(world.path("early"))' '\(world.path("phone"))'")
      }, numbers: ["pushed": 0, "pulled": 0, "refilled": 0]),
    Cell(
      name: "1 F06: the server was emptied, and another device came first",
      arrange: { world in
        try world.emptyServer()
        _ = try world.row("new", "init", "--server", world.url, "--account", "anna")
        _ = try world.row("new", "asset", "add", "stock:S", "2")
        _ = try world.row("new", "sync")
      }, exit: 75, code: "wrongAccount",
      decisions: ["wrongAccount": ["sync --adopt-account"]], answer: ["sync", "--adopt-account"],
      held: ["1", "2"]),
    Cell(
      name: "3a F06: the server was emptied",
      arrange: { world in
        try world.emptyServer()
        try world.phone("stock:S", "2")
      }, numbers: ["refilled": 1, "pushed": 1, "pulled": 0], flags: ["rebuilt": false],
      says: "the server lacked 1 entry: given back", held: ["1", "2"]),
    Cell(
      name: "3a F05: the server went back, and lacks what another device wrote",
      arrange: { world in
        try world.keepServer()
        try world.tablet("stock:S", "2")
        _ = try world.row("phone", "sync")
        try world.putServerBack()
      }, numbers: ["refilled": 1, "pulled": 0], says: "the server lacked 1 entry: given back",
      held: ["1", "2"]),
    Cell(
      name: "3a F05: the server is restored from its backup, whose mark clients have passed",
      arrange: { world in
        try world.server("backup", world.path("backup"))
        try world.tablet("stock:S", "2")
        _ = try world.row("phone", "sync")
        try world.server("restore", world.path("backup"))
      }, numbers: ["refilled": 1, "pulled": 0], held: ["1", "2"]),
    Cell(
      name: "3b the server was emptied, and clients no longer keep what its backup had",
      arrange: { world in
        try world.server("backup", world.path("backup"))
        try world.tablet("stock:S", "2")
        _ = try world.row("phone", "sync")
        try world.emptyServer()
      }, exit: 75, code: "serverLacksEntries",
      decisions: ["serverLacksEntries": ["sync --accept-shorter-log"]],
      answer: ["sync", "--accept-shorter-log"]),
    Cell(
      name: "3c F05: the server went back and went on: logs that parted, without a word of it",
      arrange: { world in
        try world.keepServer()
        try world.phone("crypto:bitcoin", "4")
        _ = try world.row("phone", "sync")
        try world.putServerBack()
        try world.tablet("stock:S", "2")
        try world.tablet("stock:S", "1")
      }, flags: ["rebuilt": true], says: "had parted", held: ["5", "3"]),
    Cell(
      name: "3c F05: the server is restored from its backup and went on: logs that parted",
      arrange: { world in
        try world.server("backup", world.path("backup"))
        try world.phone("crypto:bitcoin", "4")
        _ = try world.row("phone", "sync")
        try world.server("restore", world.path("backup"))
        try world.tablet("stock:S", "2")
        try world.tablet("stock:S", "1")
      }, flags: ["rebuilt": true], says: "had parted", held: ["5", "3"]),
    Cell(
      name: "F14: the store is a copy, and its twin wrote",
      arrange: { world in
        try world.shell("cp -r '\(world.path("phone"))' '\(world.path("twin"))'")
        _ = try world.row("twin", "asset", "add", "stock:S", "2")
        _ = try world.row("twin", "sync")
        try world.phone("crypto:bitcoin", "4")
      }, numbers: ["pushed": 1, "pulled": 1], says: "this store was a copy", held: ["5", "2"]),
    Cell(
      name: "F17: the store is restored from a backup", arrange: { try $0.restorePhone() },
      exit: 75, code: "restoredBackup",
      decisions: ["restoredBackup": ["sync --keep server", "sync --keep backup"]],
      answer: ["sync", "--keep", "server"], held: ["5", "2"]),
    Cell(
      name: "F17: the store is restored from a backup, whose side counts",
      arrange: { try $0.restorePhone() }, exit: 75, code: "restoredBackup",
      decisions: ["restoredBackup": ["sync --keep server", "sync --keep backup"]],
      answer: ["sync", "--keep", "backup"], held: ["1"]),
    Cell(
      name: "F17: an answer that is given at once is not asked for",
      arrange: { try $0.restorePhone() }, sync: ["sync", "--keep", "backup"],
      numbers: ["compensations": 1], says: "what the backup holds is brought back", held: ["1"]),
    Cell(
      name: "F13: more than three times in a day",
      arrange: { world in
        for _ in 1...3 {
          try world.emptyServer()
          _ = try world.row("phone", "sync")
        }
        try world.emptyServer()
      }, exit: 75, code: "tooManyDivergences"),
    Cell(
      name: "an answer to what is not asked changes nothing", arrange: { _ in },
      sync: ["sync", "--keep", "backup", "--accept-shorter-log", "--adopt-account"],
      numbers: ["pushed": 0, "pulled": 0, "compensations": 0], flags: ["rebuilt": false],
      held: ["1"]),
  ]
}
