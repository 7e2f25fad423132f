import FolioJSON
import Foundation
import TestSupport
import Testing

@testable import FolioConformance

@Suite("The conformance runner")
struct RunnerTests {
  @Test("Everything holds of this package's server")
  func ourServer() throws {
    let programs = try Programs()
    let failures = programs.failures(ofServer: programs.serverCommand)
    #expect(failures == [:], "\(failures)")
  }

  @Test("Everything holds of this package's client")
  func ourClient() throws {
    let failures = try Programs().failures(ofClient: Programs.clientCommand)
    #expect(failures == [:], "\(failures)")
  }

  @Test("Everything holds of the second client, which waits for nothing")
  func secondClient() throws {
    let program = Published.tests.appending(path: "SecondClient/client.py").path
    let python = try Python.words(for: "'\(program)'").joined(separator: " ")
    let command = """
      D="$FOLIO_CONFORMANCE_FOLDER"; \
      echo '[{"amount":"1","asset":"stock:A","kind":"adjust"}]' >"$D/edits"; \
      exec \(python) --server "$FOLIO_CONFORMANCE_URL" \
      --account "$FOLIO_CONFORMANCE_ACCOUNT" --store "$D/store" sync --edits "$D/edits"
      """
    let failures = try Programs().failures(
      ofClient: command, ClientCheck.all.filter { !$0.requirements.contains("conv-12") })
    #expect(failures == [:], "\(failures)")
  }

  @Test(
    "A server that is wrong in one way fails there and nowhere else",
    arguments: [
      ("none", []), ("nonce", ["a nonce is new for each connection"]),
      ("again", ["a push that comes again gets the same results"]),
      ("supported", ["no version in common is told with those there are"]),
      (
        "delta",
        [
          "pages of price tables", "tables narrowed to types",
          "an epoch that is not the server's begins anew",
          "a revision that there has not been begins anew",
        ]
      ),
      ("telltale", ["errors do not repeat what was sent"]),
      (
        "hash",
        [
          "the hash of each place", "an id that comes from another device is void",
          "entries that do not follow",
        ]
      ),
    ])
  func wrongServer(fault: String, wrong: [String]) throws {
    let programs = try Programs()
    let failures = programs.failures(
      ofServer: try programs.spoiled("server", fault, programs.serverCommand))
    #expect(Set(failures.keys) == Set(wrong), "\(failures)")
  }

  @Test("A server that writes something else to standard output fails everywhere")
  func noise() throws {
    let programs = try Programs()
    let failures = programs.failures(
      ofServer: try programs.spoiled("server", "noise", programs.serverCommand),
      ServerCheck.conversation)
    #expect(failures.count == ServerCheck.conversation.count, "\(failures)")
  }

  @Test("A command that ends at once, and one that says nothing, fail with a reason")
  func noServer() throws {
    let programs = try Programs()
    var server = ServerUnderTest(command: "exit 3", account: "conformance")
    #expect(ServerCheck.handshake[0].run(on: server).holds, "it does end the connection")
    #expect(!ServerCheck.market[0].run(on: server).holds)
    server.command = "cat >/dev/null"
    server.patience = .milliseconds(200)
    let result = ServerCheck.market[0].run(on: server)
    #expect(result.failure?.contains("silent") == true)
    withExtendedLifetime(programs) {}
  }

  /// Those checks that need no waiting between attempts.
  static let quick =
    ClientCheck.handshake.filter { !$0.name.contains("version") }
    + ClientCheck.conversation.prefix(2) + ClientCheck.pushing

  @Test(
    "A client that is wrong in one way fails there and nowhere else",
    arguments: [
      ("none", []), ("nonce", ["nonce and instance are new, and the device is the same"]),
      ("mute", ["a ping is answered"]),
      ("points", ["points are the cursor and older places", "facts that cannot be"]),
      (
        "placeholder",
        [
          "a transaction that is rejected becomes a placeholder",
          "a push that is refused as a whole",
        ]
      ),
    ])
  func wrongClient(fault: String, wrong: [String]) throws {
    let programs = try Programs()
    let failures = programs.failures(
      ofClient: try programs.spoiled("client", fault, Programs.clientCommand), Self.quick)
    #expect(Set(failures.keys) == Set(wrong), "\(failures)")
  }

  @Test("A client that never speaks to the server fails everywhere, even where it may not succeed")
  func mute() throws {
    let failures = try Programs().failures(ofClient: "exit 1")
    #expect(failures.count == ClientCheck.all.count, "\(failures.count)")
  }

  @Test("A client that says that it succeeded whatever happened")
  func boasting() throws {
    let programs = try Programs()
    let checks = Array(ClientCheck.log)
    let failures = programs.failures(
      ofClient: try programs.spoiled("client", "success", Programs.clientCommand), checks)
    #expect(failures.count >= 8, "\(failures.keys.sorted())")
    #expect(failures["a new store reads before it writes"] == nil)
    #expect(failures["an entry that was changed"]?.contains("says that it has succeeded") == true)
  }

  @Test("The program tells what holds by requirement, and ends 0 or 65")
  func program() throws {
    let programs = try Programs()
    let right = try Programs.runner.run(
      ["--json", "--only", "hand-5", "server", "--", programs.serverCommand])
    #expect(right.status == 0, "\(right.errors)")
    #expect(right.lines.count >= 2)
    for line in right.lines { #expect(line.contains(#""holds":true"#)) }
    let wrong = try Programs.runner.run(
      [
        "--only", "hand-5", "server", "--",
        try programs.spoiled("server", "nonce", programs.serverCommand),
      ])
    #expect(wrong.status == 65)
    #expect(wrong.output.contains("FAILS   a nonce is new for each connection [hand-5]"))
    #expect(wrong.lines.last?.contains("checks hold, 1 fails: hand-5") == true, "\(wrong.lines)")
    let client = try Programs.runner.run(
      ["--only", "hand-1", "client", "--", Programs.clientCommand])
    #expect(client.status == 0, "\(client.output)")
    #expect(
      try Programs.runner.run(["--only", "no-such-check", "client", "--", "true"]).status == 65)
    #expect(try Programs.runner.run(["server"]).status == 64)
    #expect(try Programs.runner.run(["list"]).lines.count >= 139)
  }

  @Test("Names of checks are unique, and each is about something")
  func names() {
    for names in [ServerCheck.all.map(\.name), ClientCheck.all.map(\.name)] {
      #expect(Set(names).count == names.count)
    }
    #expect(ServerCheck.all.allSatisfy { !$0.requirements.isEmpty })
    #expect(ClientCheck.all.allSatisfy { !$0.requirements.isEmpty })
  }
}
