import FolioJSON
import TestSupport
import Testing

/// A server's folder and the stores of its devices, in a folder that goes with the test.
struct World: ~Copyable {
  let folder: TemporaryFolder
  /// The wall clock that the programs start with, as `FOLIO_CLOCK` takes it; nil is the real one.
  var clock: String?

  static let client = BuiltProgram("folio")
  static let server = BuiltProgram("folio-server")

  init(clock: String? = "2026-03-01T07:00:00Z") throws {
    folder = try TemporaryFolder("world")
    self.clock = clock
  }

  var data: String { folder.path + "/server" }

  /// The server as a client starts it.
  var url: String { "stdio:'\(Self.server.path)' --data '\(data)' serve --stdio --account anna" }

  /// The server as a client in this process starts it, at that time.
  func url(at time: String) -> String {
    url.replacing("stdio:", with: "stdio:FOLIO_CLOCK=\(time) ")
  }

  func path(_ name: String) -> String { folder.path + "/" + name }

  private var environment: [String: String?] {
    ["FOLIO_CLOCK": clock, "FOLIO_STORE": nil, "TZ": nil]
  }

  /// Runs `folio` on a store of this world.
  func folio(_ store: String, _ arguments: String..., input: String = "") throws -> CommandRun {
    try Self.client.run(
      ["--store", path(store)] + arguments, environment: environment, input: input)
  }

  /// Runs `folio` and reads what it says as JSON; fails the test where it does not succeed.
  func rows(
    _ store: String, _ arguments: String..., location: SourceLocation = #_sourceLocation
  ) throws -> [Row] {
    let run = try Self.client.run(
      ["--json", "--store", path(store)] + arguments, environment: environment)
    try #require(
      run.status == 0, "folio \(arguments): \(run.status) \(run.errors)", sourceLocation: location)
    return try run.lines.map { try Row($0) }
  }

  /// Runs `folio` and reads the one object it says.
  func row(
    _ store: String, _ arguments: String..., location: SourceLocation = #_sourceLocation
  ) throws -> Row {
    let run = try Self.client.run(
      ["--json", "--store", path(store)] + arguments, environment: environment)
    try #require(
      run.status == 0, "folio \(arguments): \(run.status) \(run.errors)", sourceLocation: location)
    try #require(run.lines.count == 1, "one object: \(run.output)", sourceLocation: location)
    return try Row(run.lines[0])
  }

  /// Runs `folio-server` on this world's server folder.
  @discardableResult
  func serve(_ arguments: String..., input: String = "") throws -> CommandRun {
    try Self.server.run(["--data", data] + arguments, environment: environment, input: input)
  }

  /// A server with the account `anna`.
  func createAccount(location: SourceLocation = #_sourceLocation) throws {
    let run = try serve("account", "create", "anna")
    try #require(run.status == 0, "\(run.errors)", sourceLocation: location)
  }

  /// Imports price rows `time,type,id,price`.
  func importPrices(_ rows: [String], location: SourceLocation = #_sourceLocation) throws {
    let text = (["time,type,id,price"] + rows).joined(separator: "\n") + "\n"
    try folder.write(Array(text.utf8), to: "prices.csv")
    let run = try serve("prices", "import", path("prices.csv"))
    try #require(run.status == 0, "\(run.errors)", sourceLocation: location)
  }
}

/// A JSON object that a program said.
struct Row: Equatable, CustomStringConvertible {
  let value: JSONValue

  init(_ line: String) throws {
    value = try JSONValue(parsing: Array(line.utf8), .rfc8259)
  }

  private init(value: JSONValue) { self.value = value }

  private func member(_ name: String) -> JSONValue? {
    guard case .object(let members) = value else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// The names of the members.
  var names: Set<String> {
    guard case .object(let members) = value else { return [] }
    return Set(members.map(\.name))
  }

  /// A member that is text; nil where it is null or not there.
  func text(_ name: String) -> String? {
    if case .string(let text)? = member(name) { return text }
    return nil
  }

  /// A member that is a whole number.
  func number(_ name: String) -> Int64? {
    if case .integer(let number)? = member(name) { return number }
    return nil
  }

  func flag(_ name: String) -> Bool? {
    if case .bool(let flag)? = member(name) { return flag }
    return nil
  }

  /// Whether the member is there and null.
  func isNull(_ name: String) -> Bool { member(name) == .null }

  /// A member that is an object.
  func object(_ name: String) -> Row? {
    guard let value = member(name), case .object = value else { return nil }
    return Row(value: value)
  }

  /// A member that is an array of objects.
  func list(_ name: String) -> [Row] {
    guard case .array(let values)? = member(name) else { return [] }
    return values.map(Row.init(value:))
  }

  /// A member that is an array of texts.
  func texts(_ name: String) -> [String] {
    guard case .array(let values)? = member(name) else { return [] }
    return values.compactMap { if case .string(let text) = $0 { text } else { nil } }
  }

  var description: String { "\(value)" }
}
