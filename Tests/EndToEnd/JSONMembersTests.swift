import TestSupport
import Testing

/// What a program that reads `--json` may rely on: members are there, known or null.
@Suite("The members of every answer in JSON stay")
struct JSONMembersTests {
  /// A command, the members that its rows have at least, and those of the first element of a list in
  /// its first row.
  struct Answer: CustomTestStringConvertible {
    var command: [String]
    var members: String
    var lists: [String: String] = [:]

    init(_ command: String, _ members: String, _ lists: [String: String] = [:]) {
      self.command = command.split(separator: " ").map(String.init)
      self.members = members
      self.lists = lists
    }

    var testDescription: String { command.joined(separator: " ") }
  }

  private static let document = "id createdAt updatedAt isDeleted pending fields"
  private static let figures = "key start end deposits withdrawals profit rate"

  static let answers = [
    Answer("asset add stock:A 1", "asset amount category"),
    Answer("asset set stock:A 3", "asset amount category"),
    Answer("asset move stock:A --category Shares", "asset amount category"),
    Answer("asset delete stock:A", "asset outcome"),
    Answer(
      "asset list", "asset type id symbol name amount price pricedAt stale value category"),
    Answer("asset search bit", "asset symbol name rank"),
    Answer("category list", "category assets value"),
    Answer(
      "record create --type bill --title Water", "\(document) title type subtitle userId metadata"),
    Answer("record list", "\(document) cursor title type"), Answer("doc put note {}", document),
    Answer("doc list record", "\(document) cursor"),
    Answer(
      "sync",
      "pushed pulled priceTables snapshots remade head rejected changedOnBothSides skewMs"),
    Answer("snapshot list", "slot assetCount value unpricedCount staleCount digest"),
    Answer(
      "snapshot show 2026-03-01T12Z",
      "slot assetCount value unpricedCount staleCount digest assets",
      ["assets": "asset amount category price pricedAt stale value"]),
    Answer(
      "snapshot show now", "slot assetCount value unpricedCount staleCount provisional assets"),
    Answer(
      "snapshot digest", "slot digest stateDigest head marketEpoch revision assetsTag through"),
    Answer(
      "report",
      "from to currency start end deposits withdrawals profit rate categories types assets gainers "
        + "losers sold series",
      [
        "categories": figures, "types": figures, "assets": figures,
        "series": "slot value deposits withdrawals",
      ]),
    Answer("settings get", "name value"), Answer("edit begin", "begunAt"),
    Answer("verify", "ok checked problems"),
  ]

  private func world() throws -> World {
    var world = try World()
    try world.createAccount()
    try world.importPrices(["2026-03-01T05:00:00Z,crypto,bitcoin,60000"])
    try world.folder.write(
      Array(#"{"type":"crypto","id":"bitcoin","symbol":"BTC","name":"Bitcoin"}"#.utf8),
      to: "assets.ndjson")
    try world.serve("assets", "import", world.path("assets.ndjson"))
    _ = try world.row("s", "init", "--server", world.url, "--account", "anna")
    _ = try world.row("s", "asset", "add", "crypto:bitcoin", "0.5")
    _ = try world.row("s", "asset", "add", "stock:A", "2")
    _ = try world.row("s", "record", "create", "--type", "bill", "--title", "Rent")
    _ = try world.row("s", "sync")
    world.clock = "2026-03-01T13:00:00Z"
    _ = try world.row("s", "sync")
    return world
  }

  @Test("each of a command's rows has them")
  func members() throws {
    let world = try world()
    for answer in Self.answers {
      let run = try World.client.run(
        ["--json", "--store", world.path("s")] + answer.command,
        environment: ["FOLIO_CLOCK": world.clock])
      #expect(run.status == 0 && !run.lines.isEmpty, "\(answer.command): \(run.errors)")
      for line in run.lines { expect(answer.members, in: try Row(line), answer) }
      guard let first = run.lines.first else { continue }
      for (list, members) in answer.lists {
        let element = try #require(try Row(first).list(list).first, "\(answer.command): \(list)")
        expect(members, in: element, answer)
      }
    }
  }

  private func expect(_ members: String, in row: Row, _ answer: Answer) {
    let missing = Set(members.split(separator: " ").map(String.init)).subtracting(row.names)
    #expect(missing.isEmpty, "\(answer.command) lacks \(missing.sorted())")
  }
}
