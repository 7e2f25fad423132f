import Foundation
import TestSupport
import Testing

@testable import FolioConformance

/// The programs of this package as the runner takes them, right and spoiled.
struct Programs {
  let folder: TemporaryFolder

  static let client = BuiltProgram("folio").path
  static let server = BuiltProgram("folio-server")
  static let runner = BuiltProgram("folio-conformance")
  static let wrong = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Wrong/spoil.py").path

  /// A server's folder with an account, prices and assets.
  init() throws {
    folder = try TemporaryFolder("conformance")
    try folder.write(
      Array(
        """
        time,type,id,price
        2026-03-01T05:00:00Z,crypto,bitcoin,93000.5
        2026-03-01T05:00:00Z,stock,ABC,10
        2026-03-01T11:00:00Z,crypto,bitcoin,93001.5

        """.utf8), to: "prices.csv")
    try folder.write(
      Array(
        """
        {"type":"crypto","id":"bitcoin","symbol":"BTC","name":"Bitcoin","rank":1}
        {"type":"stock","id":"ABC","symbol":"ABC","name":"ABC"}

        """.utf8), to: "assets.ndjson")
    for words in [
      ["account", "create", "conformance"], ["prices", "import", folder.path + "/prices.csv"],
      ["assets", "import", folder.path + "/assets.ndjson"],
    ] {
      let run = try Self.server.run(["--data", data] + words)
      try #require(run.status == 0, "\(run.errors)")
    }
  }

  private var data: String { folder.path + "/data" }

  /// The command of this package's server.
  var serverCommand: String {
    "'\(Self.server.path)' --data '\(data)' serve --stdio --account conformance"
  }

  /// The command of this package's client: one session, as the runner asks for.
  static let clientCommand = """
    S="$FOLIO_CONFORMANCE_FOLDER/store"; { [ -d "$S" ] || '\(client)' --store "$S" init; } && \
    '\(client)' --store "$S" asset add stock:A 1 && '\(client)' --store "$S" sync \
    --server "$FOLIO_CONFORMANCE_URL" --account "$FOLIO_CONFORMANCE_ACCOUNT"
    """

  /// A command that is wrong in one way.
  func spoiled(_ side: String, _ fault: String, _ command: String) throws -> String {
    let file = side + "-" + fault + ".sh"
    try folder.write(Array(command.utf8), to: file)
    let python = try Python.words(for: "'\(Self.wrong)'").joined(separator: " ")
    return "exec \(python) \(side) \(fault) \"sh '\(folder.path)/\(file)'\""
  }

  /// The names of the checks that fail of a server.
  func failures(
    ofServer command: String, _ checks: [ServerCheck] = ServerCheck.all
  ) -> [String: String] {
    let server = ServerUnderTest(command: command, account: "conformance")
    return Self.failures(checks.map { $0.run(on: server) })
  }

  /// The names of the checks that fail of a client.
  func failures(
    ofClient command: String, _ checks: [ClientCheck] = ClientCheck.all
  ) -> [String: String] {
    let client = ClientUnderTest(command: command, account: "conformance")
    return Self.failures(checks.map { $0.run(on: client) })
  }

  private static func failures(_ results: [CheckResult]) -> [String: String] {
    var failures: [String: String] = [:]
    for result in results { failures[result.name] = result.failure }
    return failures
  }
}
