import FolioDomain
import FolioWire
import Synchronization
import TestSupport

@testable import FolioServer

/// A hub over a storage in memory, with a monotonic clock that stands where a test puts it.
final class HubFixture {
  let server: ServerFixture<MemoryServerStorage>
  let hub: ServerHub
  let log = RecordedLog()
  var now = Duration.seconds(1)

  init(
    accounts: [String] = ["ann", "bob"], onlyAccount: String? = nil,
    limits: HubLimits = HubLimits(), wireLimits: Limits = Limits(), seed: UInt64 = 1
  ) throws {
    server = try ServerFixture(seed: seed)
    for account in accounts { try server.createAccount(account) }
    let service = try ServerService(
      storage: server.storage, clock: server.clock, random: server.random, limits: wireLimits)
    hub = ServerHub(service: service, onlyAccount: onlyAccount, limits: limits, log: log)
  }

  /// A connection that has said nothing.
  func connect() throws -> HubClient {
    guard let id = hub.connect(at: now) else { throw HubClientError.notConnected }
    return HubClient(self, id)
  }

  /// A connection that has logged in.
  func logIn(_ account: String = "ann", device: UInt128 = 1, instance: UInt128 = 1) throws
    -> HubClient
  {
    let client = try connect()
    _ = try client.logIn(account, device: device, instance: instance)
    return client
  }

  func wait(_ duration: Duration) {
    now += duration
    hub.advance(at: now)
  }
}

enum HubClientError: Error {
  case notConnected
  case unexpected([ClientConversation.Event])
}

/// A client that speaks to a hub in the same process.
final class HubClient {
  let fixture: HubFixture
  let id: ConnectionID
  var conversation: ClientConversation
  private var framer = LineFramer(lineByteLimit: Wire.lineByteLimit)
  /// Every byte that came.
  private(set) var received: [UInt8] = []

  init(_ fixture: HubFixture, _ id: ConnectionID) {
    self.fixture = fixture
    self.id = id
    conversation = ClientConversation(
      hello: Hello(client: Software(name: "test", version: "1"), nonce: 1), at: fixture.now)
  }

  var isFinished: Bool { fixture.hub.isFinished(id) }

  /// Hands bytes over without letting the hub handle them.
  func hand(_ bytes: [UInt8]) { fixture.hub.receive(bytes, on: id, at: fixture.now) }

  /// Hands bytes over, lets the hub handle all it has, and takes what comes.
  @discardableResult
  func send(_ bytes: [UInt8]) throws -> [ClientConversation.Event] {
    hand(bytes)
    fixture.hub.advance(at: fixture.now)
    return try take()
  }

  /// What has come.
  func take() throws -> [ClientConversation.Event] {
    let output = Array(fixture.hub.output(of: id))
    fixture.hub.sent(output.count, on: id, at: fixture.now)
    received += output
    framer.append(output)
    var events: [ClientConversation.Event] = []
    while let line = try framer.next() {
      events.append(conversation.receive(line, at: fixture.now))
    }
    return events
  }

  func greet() throws -> Welcome {
    let events = try send(conversation.start())
    guard case .welcome(let welcome)? = events.first else {
      throw HubClientError.unexpected(events)
    }
    return welcome
  }

  func logIn(
    _ account: String = "ann", device: UInt128 = 1, instance: UInt128 = 1,
    points: [LogPosition] = []
  ) throws -> Ready {
    _ = try greet()
    let events = try send(
      conversation.authenticate(
        Authentication(
          account: account,
          device: DeviceIdentity(id: DeviceID(device), instance: InstanceID(instance)),
          points: points)))
    guard case .ready(let ready)? = events.first else { throw HubClientError.unexpected(events) }
    return ready
  }

  /// Sends a request and gives its reply.
  func ask(_ request: Request) throws -> Reply {
    let events = try send(conversation.send(request).line)
    guard events.count == 1, case .reply(_, _, let reply) = events[0] else {
      throw HubClientError.unexpected(events)
    }
    return reply
  }

  /// Sends a request and gives the error that refuses it.
  func refusal(of request: Request) throws -> ErrorMessage {
    let events = try send(conversation.send(request).line)
    switch events.first {
    case .refused(_, _, let error): return error
    case .failed(.refused(let error)): return error
    default: throw HubClientError.unexpected(events)
    }
  }

  func push(_ transactions: PushedTransaction...) throws -> Ack {
    guard case .ack(let ack) = try ask(.push(Push(transactions: transactions))) else {
      throw HubClientError.unexpected([])
    }
    return ack
  }
}

/// A log that keeps its lines.
final class RecordedLog: ServerLog {
  private let kept = Mutex<[LogLine]>([])

  var lines: [LogLine] { kept.withLock { $0 } }

  var events: [String] { lines.map(\.event) }

  func write(_ line: LogLine) { kept.withLock { $0.append(line) } }
}
