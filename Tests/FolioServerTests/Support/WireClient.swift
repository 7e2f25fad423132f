import FolioDomain
import FolioSystem
import FolioTransport
import FolioWire
import TestSupport

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A client of a server process, which waits for each answer.
final class WireClient {
  enum Failure: Error {
    case ended
    case timedOut
    case unexpected(ClientConversation.Event)
    case notListening(log: String)
  }

  private let connection: DescriptorConnection
  private var framer = LineFramer(lineByteLimit: Wire.lineByteLimit)
  private var conversation: ClientConversation
  private let clock = SystemMonotonicClock()
  private let start: MonotonicTime
  /// Every line that came.
  private(set) var lines: [[UInt8]] = []

  init(_ url: String) throws {
    connection = try ServerURL(url).connect()
    start = clock.now()
    conversation = ClientConversation(
      hello: Hello(client: Software(name: "test", version: "1"), nonce: 1), at: .zero)
  }

  private var now: Duration { clock.now() - start }

  func send(_ bytes: [UInt8]) throws {
    try connection.writeAll(bytes, until: clock.now() + .seconds(10))
  }

  /// The next event that says something.
  func next() throws -> ClientConversation.Event {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      while let line = try framer.next() {
        lines.append(line)
        let event = conversation.receive(line, at: now)
        if event != .nothing { return event }
      }
      switch try connection.read(into: &buffer, until: clock.now() + .seconds(20)) {
      case .bytes(let count): framer.append(buffer[..<count])
      case .timedOut: throw Failure.timedOut
      case .end: throw Failure.ended
      }
    }
  }

  func logIn(_ account: String = "ann", device: UInt128 = 1, instance: UInt128 = 1) throws
    -> Ready
  {
    try send(conversation.start())
    guard case .welcome = try next() else { throw Failure.timedOut }
    try send(
      conversation.authenticate(
        Authentication(
          account: account,
          device: DeviceIdentity(id: DeviceID(device), instance: InstanceID(instance)))))
    let event = try next()
    guard case .ready(let ready) = event else { throw Failure.unexpected(event) }
    return ready
  }

  func ask(_ request: Request) throws -> Reply {
    try send(conversation.send(request).line)
    let event = try next()
    guard case .reply(_, _, let reply) = event else { throw Failure.unexpected(event) }
    return reply
  }

  func push(_ transactions: PushedTransaction...) throws -> Ack {
    guard case .ack(let ack) = try ask(.push(Push(transactions: transactions))) else {
      throw Failure.timedOut
    }
    return ack
  }

  func finishSending() { connection.finishSending() }

  /// Everything that still comes, up to the end.
  func rest() throws -> [ClientConversation.Event] {
    var events: [ClientConversation.Event] = []
    do {
      while true { events.append(try next()) }
    } catch Failure.ended {
      return events
    }
  }

  /// How the server process that this client started has ended.
  func exit() -> ChildExit? { connection.child?.waitForExit(until: clock.now() + .seconds(20)) }

  func close() { connection.close() }
}

/// A server process on a port of this machine.
final class ServerProcess {
  let address: String
  private let pid: Int32
  private let scratch: TestSupport.TemporaryFolder
  private var hasEnded = false

  init(data: String, clock: String? = nil, clients: Int? = nil) throws {
    scratch = try TestSupport.TemporaryFolder("server-process")
    let program = BuiltProgram("folio-server").path
    let options = clients.map { "--clients \($0)" } ?? ""
    let script = #"exec "$0" --data "$1" serve --listen 127.0.0.1:0 \#(options) 2>"$2""#
    let log = scratch.path + "/log"
    pid = try spawn(
      ["/bin/sh", "-c", script, program, data, log], environment: ["FOLIO_CLOCK": clock])
    var found: String?
    for _ in 0..<1000 where found == nil {
      usleep(10_000)
      let lines = ((try? scratch.text(of: "log")) ?? "").split(separator: "\n")
      found = lines.first { $0.hasPrefix(#"{"listening":""#) }.map(String.init)
    }
    guard let line = found else {
      throw WireClient.Failure.notListening(log: try scratch.text(of: "log"))
    }
    address = String(line.dropFirst(#"{"listening":""#.count).dropLast(2))
  }

  deinit { if !hasEnded { killed() } }

  func connect() throws -> WireClient { try WireClient("tcp://\(address)") }

  /// Asks the process to end.
  func terminate() { kill(pid, SIGTERM) }

  /// Waits for the process to end, and gives its exit status.
  func status() -> Int32 {
    hasEnded = true
    return wait(for: pid)
  }

  func killed() {
    kill(pid, SIGKILL)
    _ = status()
  }

  func log() throws -> [String] {
    try scratch.text(of: "log").split(separator: "\n").map(String.init)
  }
}
