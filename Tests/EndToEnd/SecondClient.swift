import FolioJSON
import TestSupport
import Testing

/// The programs in Python beside the tests.
enum SecondClient {
  /// The checkout's folder.
  private static let root =
    "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
  /// The folder of version 1 of the protocol.
  static let protocolFolder = root + "/Protocol/v1"

  /// Runs one of the scripts to its end.
  static func run(
    _ script: String, _ arguments: [String], environment: [String: String?] = [:]
  ) throws -> CommandRun {
    let words = try Python.words(for: "\(root)/Tests/SecondClient/\(script)")
    return try BuiltProgram(at: words[0]).run(
      words.dropFirst() + arguments, environment: environment)
  }

  /// Holds the published schemas against the vectors, with a validator that is installed.
  static func checkSchemas() throws -> CommandRun {
    let python = try #require(Python.installed)
    return try BuiltProgram(at: python.path).run([
      "\(root)/Tests/SecondClient/check_schemas.py", protocolFolder,
    ])
  }

  static let hasJSONSchema =
    Python.installed?.runs("from jsonschema import Draft202012Validator") == true
}

extension Trait where Self == ConditionTrait {
  /// Skips, and says so, where there is no Python.
  static var needsPython: Self { .enabled(if: Python.installed != nil, "\(Python.reason)") }

  /// Skips, and says so, where Python's validator of JSON Schema is not installed.
  static var needsPythonJSONSchema: Self {
    .enabled(if: SecondClient.hasJSONSchema, "needs the package python3-jsonschema")
  }
}

extension World {
  /// Runs the second client's `sync` on a store of this world.
  func runSecond(
    _ store: String, url: String? = nil, edits: [String] = [], _ options: String...
  ) throws -> CommandRun {
    try folder.write(Array(edits.map { $0 + "\n" }.joined().utf8), to: "edits")
    return try SecondClient.run(
      "client.py",
      [
        "--server", url ?? self.url, "--account", "anna", "--store", path(store + ".json"), "sync",
        "--edits", path("edits"),
      ] + options, environment: ["FOLIO_CLOCK": clock])
  }

  /// Syncs the second client, and gives the one object it says.
  func second(
    _ store: String, url: String? = nil, edits: [String] = [],
    location: SourceLocation = #_sourceLocation
  ) throws -> Row {
    let run = try runSecond(store, url: url, edits: edits)
    try #require(run.status == 0, "\(run.errors)", sourceLocation: location)
    try #require(run.lines.count == 1, "\(run.output)", sourceLocation: location)
    return try Row(run.lines[0])
  }

  /// What the second client shows of its store: holdings, documents, snapshots, and last digests.
  func shown(_ store: String, location: SourceLocation = #_sourceLocation) throws -> [Row] {
    let run = try SecondClient.run("client.py", ["--store", path(store + ".json"), "show"])
    try #require(run.status == 0, "\(run.errors)", sourceLocation: location)
    return try run.lines.map { try Row($0) }
  }

  /// Syncs a store of each program, and expects both to have the same, to the byte.
  func expectAgreement(
    _ store: String, _ other: String, url: String? = nil, strange: [String: [Int64]] = [:],
    location: SourceLocation = #_sourceLocation
  ) throws {
    _ = try second(other, url: url, location: location)
    _ = try row(store, "sync", location: location)
    let theirs = try shown(other, location: location)
    let summary = try #require(theirs.last, sourceLocation: location)

    let basis = try row(store, "snapshot", "digest", location: location)
    for name in ["stateDigest", "marketEpoch", "assetsTag"] {
      #expect(summary.text(name) == basis.text(name), "\(name)", sourceLocation: location)
    }
    #expect(summary.object("head") == basis.object("head"), sourceLocation: location)
    #expect(summary.number("revision") == basis.number("revision"), sourceLocation: location)
    for name in ["alarms", "unreadable", "waiting"] {
      #expect(summary.numbers(name) == strange[name, default: []], sourceLocation: location)
    }
    #expect(summary.flag("witness") != false, sourceLocation: location)

    let members = ["slot", "digest", "value"]
    #expect(
      try rows(store, "snapshot", "list", location: location).map { row in
        members.map { row.text($0) } + ["\(row.number("assetCount") ?? -1)"]
      }
        == theirs.filter { $0.text("digest") != nil }.map { row in
          members.map { row.text($0) } + ["\(row.number("assetCount") ?? -1)"]
        }, sourceLocation: location)
    let held = theirs.filter { $0.text("asset") != nil }
    #expect(
      try rows(store, "asset", "list", "--all", location: location).map { row in
        [row.text("asset"), row.text("amount")]
      } == held.map { [$0.text("asset"), $0.text("amount")] }, sourceLocation: location)
    #expect(
      Set(try rows(store, "category", "list", location: location).map { $0.text("category") })
        .subtracting(held.map { $0.text("category") }).isEmpty, sourceLocation: location)
    let documents = theirs.filter {
      $0.text("collection") == "record" && $0.flag("isDeleted") != true
    }
    #expect(
      Set(try rows(store, "doc", "list", "record", location: location).map { $0.document })
        == Set(documents.map { $0.document }), sourceLocation: location)
  }

  /// Imports an asset table in which one asset follows another.
  func importAssets(location: SourceLocation = #_sourceLocation) throws {
    let rows = [
      #"{"type":"crypto","id":"bitcoin","symbol":"BTC","name":"Bitcoin","rank":1}"#,
      #"{"type":"metal","id":"NEW","symbol":"","name":"New"}"#,
      #"{"type":"metal","id":"OLD","symbol":"","name":"Old","successor":"NEW","factor":"0.25","#
        + #""fromSlot":"2026-03-02T00Z"}"#,
    ]
    try folder.write(Array((rows.joined(separator: "\n") + "\n").utf8), to: "assets.ndjson")
    let run = try serve("assets", "import", path("assets.ndjson"))
    try #require(run.status == 0, "\(run.errors)", sourceLocation: location)
  }
}

extension Row {
  /// A member that is an array of whole numbers.
  fileprivate func numbers(_ name: String) -> [Int64] {
    guard case .object(let members) = value,
      case .array(let values)? = members.first(where: { $0.name == name })?.value
    else { return [] }
    return values.compactMap { if case .integer(let number) = $0 { number } else { nil } }
  }

  /// A document as both programs say it: the id and the fields.
  fileprivate var document: String { "\(text("id") ?? "") \(object("fields")?.description ?? "")" }
}
