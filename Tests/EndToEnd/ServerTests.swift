import FolioDomain
import FolioSystem
import TestSupport
import Testing

@Suite("The server over TCP: several clients, restarts, and an end that drains")
struct ServerTests {
  /// A server that listens, and is ended with the value.
  final class Listening {
    let pid: Int32
    let address: String
    private var hasEnded = false

    init(_ world: borrowing World) throws {
      let log = world.path("listen.log")
      try world.folder.write([], to: "listen.log")
      pid = try spawn(
        [
          "/bin/sh", "-c", "exec \"$0\" \"$@\" 2>\"$LISTEN_LOG\"", World.server.path, "--data",
          world.data, "serve", "--listen", "127.0.0.1:0",
        ], environment: ["FOLIO_CLOCK": world.clock, "LISTEN_LOG": log])
      var found: String?
      for _ in 0..<200 where found == nil {
        for line in try world.folder.text(of: "listen.log").split(separator: "\n") {
          if let row = try? Row(String(line)), let text = row.text("listening") { found = text }
        }
        if found == nil { try pause(milliseconds: 50) }
      }
      address = try #require(found, "the server did not say where it listens")
    }

    func terminate() -> Int32 {
      hasEnded = true
      signal(pid, .terminate)
      return wait(for: pid)
    }

    deinit {
      if !hasEnded {
        signal(pid, .kill)
        _ = wait(for: pid)
      }
    }
  }

  @Test("several devices sync at once over TCP and agree")
  func tcp() throws {
    let world = try World()
    try world.createAccount()
    let server = try Listening(world)
    let url = "tcp://\(server.address)"
    for store in ["a", "b", "c"] {
      _ = try world.row(store, "init", "--server", url, "--account", "anna")
      for n in 1...5 { _ = try world.row(store, "asset", "add", "stock:S\(n)", "\(n).5") }
    }
    let script =
      ["a", "b", "c"].map {
        "'\(World.client.path)' --store '\(world.path($0))' --quiet sync & p\($0)=$!"
      }.joined(separator: "\n") + "\nwait $pa && wait $pb && wait $pc"
    let all = try CommandRun.shell(script)
    #expect(all.status == 0, "\(all.errors)")
    for store in ["a", "b", "c"] { _ = try world.row(store, "sync") }
    let lists = try ["a", "b", "c"].map { try world.rows($0, "asset", "list") }
    #expect(lists[0].map { $0.text("amount") } == ["4.5", "7.5", "10.5", "13.5", "16.5"])
    #expect(lists[1] == lists[0] && lists[2] == lists[0])
    #expect(server.terminate() == 0)
  }

  @Test("a restart keeps everything, and nothing but what was pending is sent again")
  func restart() throws {
    let world = try World()
    try world.createAccount()
    let first = try Listening(world)
    _ = try world.row("a", "init", "--server", "tcp://\(first.address)", "--account", "anna")
    _ = try world.row("a", "asset", "add", "stock:S", "1")
    #expect(try world.row("a", "sync").number("pushed") == 1)
    #expect(first.terminate() == 0)
    #expect(try world.folio("a", "sync").status == 69)
    _ = try world.row("a", "asset", "add", "stock:S", "2")
    let second = try Listening(world)
    let url = "tcp://\(second.address)"
    #expect(
      try world.row("a", "sync", "--server", url, "--account", "anna").number("pushed") == 1)
    let restored = try world.row("b", "restore", "--server", url, "--account", "anna")
    #expect(restored.number("transactions") == 2)
    #expect(try world.rows("b", "asset", "list").map { $0.text("amount") } == ["3"])
    #expect(second.terminate() == 0)
  }

  @Test("F41 standard output of a server process carries the protocol alone")
  func standardOutput() throws {
    let world = try World()
    try world.createAccount()
    let run = try world.serve("serve", "--stdio", "--account", "anna", input: "nonsense\n")
    #expect(!run.lines.isEmpty)
    for line in run.lines { #expect(try Row(line).text("type") != nil, "\(line)") }
  }

  @Test("a wrong line of a server's command is usage")
  func usage() throws {
    let world = try World()
    #expect(try world.serve("frob").status == 64)
    #expect(try world.serve("serve").status == 64)
    #expect(try world.serve("account", "create", "Anna!").status == 65)
    #expect(try world.serve("serve", "--listen", "192.0.2.1:80").status == 64)
  }
}
