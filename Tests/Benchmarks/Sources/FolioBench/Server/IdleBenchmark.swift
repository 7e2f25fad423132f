import CBaseline
import FolioSystem
import Foundation

/// What 10,000 clients cost the server that have logged in, pushed once, and wait.
///
/// The memory of the server's own process, its mapped pages apart, before and after; at the end every
/// one of them pushes again, and is answered.
enum IdleBenchmark: Benchmark {
  static let name = "idle"
  static let title = "the memory of 10,000 idle connections to the server"
  static let bar = "at most 16 KiB each"
  static let size = Size(10_000, "connections")
  static let kibibytesBar = 16.0
  static let accounts = 16

  static func measure(_ run: Run) throws {
    try run.inFolder("idle") { root in
      let count = run.count(size)
      let descriptors = load_raise_descriptors()
      try demand(
        descriptors > count + 100, "the system gives a process only \(descriptors) descriptors")
      let server = try OurServer(
        run.programs(), root + "/server", accounts: accounts,
        options: ["--clients", "\(count + 100)"]
      ) { $0 % accounts }
      defer { server.stop() }
      var content = try LoadContent()
      let before = try memory(server)
      let sockets = try (0..<count).map { try server.connect($0) }
      let connected = try memory(server)
      try push(server, sockets, &content, request: 0)
      // Long enough for the server to look at its clock, and to put things in order.
      sleep(3)
      let idle = try memory(server)
      try push(server, sockets, &content, request: 1)
      try demand(
        server.storedAfterRestart() == 2 * count, "a push of an idle connection was lost")
      let share = { (memory: ProcessMemory) in
        Double(memory.anonymousByteCount - before.anonymousByteCount) / 1_024 / Double(count)
      }
      try run.output.add(
        Figure(
          name: "idle, each of \(count) connections", value: share(idle), unit: "KiB",
          bar: .atMost(kibibytesBar),
          note: "anonymous; logged in, after a push; all of them push again afterwards"))
      try run.output.add(
        Figure(name: "idle, each before it pushed", value: share(connected), unit: "KiB"))
      try run.output.add(
        Figure(
          name: "idle, mapped pages of the server",
          value: Double(idle.mappedByteCount) / 1_048_576, unit: "MiB"))
    }
  }

  private static func memory(_ server: OurServer) throws -> ProcessMemory {
    guard let memory = ProcessMemory.of(process: server.id) else {
      throw Command.Failed(description: "the system does not tell a process's memory")
    }
    return memory
  }

  /// Every client pushes once, 250 of them at a time.
  private static func push(
    _ server: OurServer, _ sockets: [LoadSocket], _ content: inout LoadContent, request: Int
  ) throws {
    for begin in stride(from: 0, to: sockets.count, by: 250) {
      let clients = begin..<min(begin + 250, sockets.count)
      let requests = try clients.map { client in
        var requests = Requests()
        requests.add(
          server.append(try content.next(client), client: client, request: request))
        return requests
      }
      _ = try LoadOutcome(
        server.speech, mark: server.appended, Array(sockets[clients]), requests)
    }
  }
}
