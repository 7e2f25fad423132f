import FolioDomain
import FolioServer
import FolioSystem
import FolioTransport
import FolioWire
import TestSupport

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Connections to a server's program, made and broken in several ways: descriptors, threads and
/// memory of it stay as they are, and so do those of the process that connects.
struct Connections {
  let settings: Settings

  /// What a process has of the system.
  private struct Use {
    var descriptors: Int
    var threads: Int
    var kibibytes: Int

    init(_ process: Int32) throws {
      descriptors = try Files.entries(of: "/proc/\(process)/fd").count
      threads = try Files.entries(of: "/proc/\(process)/task").count
      let status = String(decoding: try Files.read("/proc/\(process)/status"), as: UTF8.self)
      let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
      kibibytes = Int(line?.filter(\.isNumber) ?? "") ?? 0
    }
  }

  /// Makes and breaks them; says how many.
  func run() throws -> Int {
    guard settings.part == 0 else { return 0 }
    let scratch = try TemporaryFolder("connections")
    let stage = Stage(scratch.path, seed: settings.seed)
    let subject = ServerSubject(stage)
    for step in 0...2 { try subject.perform(step) }
    subject.close()
    let (process, address) = try start(stage, scratch)
    defer {
      kill(process, SIGTERM)
      _ = wait(for: process)
    }
    var held: [any ByteConnection] = []
    for number in 0..<min(500, settings.count) { try connect(number, address, &held) }
    held = []
    let before = try settled(process, upTo: nil)
    let own = try Use(getpid())
    for number in 0..<settings.count {
      try connect(number, address, &held)
      if settings.wrong != .halves { held = [] }
    }
    let after = try settled(process, upTo: before)
    guard after.descriptors <= before.descriptors, after.threads <= before.threads,
      after.kibibytes <= before.kibibytes + 8_192
    else { throw Finding("before \(before), after \(after)") }
    held = []
    let ownAfter = try Use(getpid())
    guard ownAfter.descriptors <= own.descriptors, ownAfter.threads <= own.threads,
      ownAfter.kibibytes <= own.kibibytes + 8_192
    else { throw Finding("who connects: before \(own), after \(ownAfter)") }
    return settings.count
  }

  private func start(_ stage: Stage, _ scratch: TemporaryFolder) throws -> (Int32, String) {
    let program = Files.parent(of: RunningProgram.path ?? "") + "/folio-server"
    let log = scratch.path + "/log"
    let process = try spawn(
      [
        "/bin/sh", "-c", "exec \"$0\" --data \"$1\" serve --listen 127.0.0.1:0 2>\"$2\"", program,
        stage.store, log,
      ], environment: ["FOLIO_CLOCK": nil])
    let mark = "{\"listening\":\""
    for _ in 0..<1_000 {
      usleep(10_000)
      let text = (try? scratch.text(of: "log")) ?? ""
      if let line = text.split(separator: "\n").first(where: { $0.hasPrefix(mark) }) {
        return (process, String(line.dropFirst(mark.count).dropLast(2)))
      }
    }
    throw Finding("the server does not listen: \(try scratch.text(of: "log"))")
  }

  /// Connects and breaks off: at once, within a line, after a line that is none, after a greeting,
  /// logged in.
  private func connect(_ number: Int, _ address: String, _ held: inout [any ByteConnection]) throws
  {
    let connection = try ServerURL("tcp://\(address)").connect()
    let end = SystemMonotonicClock().now() + .seconds(20)
    var conversation = ClientConversation(
      hello: Hello(client: Software(name: "crash", version: "1"), nonce: 1), at: .zero)
    var buffer = [UInt8](repeating: 0, count: 65_536)
    switch number % 5 {
    case 0: break
    case 1: try connection.writeAll(Array("{\"type\":".utf8), until: end)
    case 2:
      try connection.writeAll(Array("no line of ours\n".utf8), until: end)
      _ = try connection.read(into: &buffer, until: end)
    default:
      try connection.writeAll(conversation.start(), until: end)
      var framer = LineFramer(lineByteLimit: Wire.lineByteLimit)
      try receive(connection, &framer, &conversation, end)
      if number % 5 == 4 {
        try connection.writeAll(
          conversation.authenticate(
            Authentication(
              account: "ann",
              device: DeviceIdentity(
                id: DeviceID(UInt128(number % 7 + 1)),
                instance: InstanceID(UInt128(number + 1))))),
          until: end)
        try receive(connection, &framer, &conversation, end)
      }
    }
    held.append(connection)
  }

  private func receive(
    _ connection: some ByteConnection, _ framer: inout LineFramer,
    _ conversation: inout ClientConversation, _ end: MonotonicTime
  ) throws {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      if let line = try framer.next() {
        _ = conversation.receive(line, at: .zero)
        return
      }
      guard case .bytes(let count) = try connection.read(into: &buffer, until: end) else {
        throw Finding("the server broke off a sound conversation")
      }
      framer.append(buffer[..<count])
    }
  }

  /// What the process has once it is done with what was broken off.
  private func settled(_ process: Int32, upTo before: Use?) throws -> Use {
    var use = try Use(process)
    for _ in 0..<60 {
      usleep(100_000)
      use = try Use(process)
      if let before, use.descriptors <= before.descriptors { return use }
    }
    return use
  }
}
