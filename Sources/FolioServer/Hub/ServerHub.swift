import FolioDomain
import FolioWire

/// All connections of a server: what is said on them, without the sending and receiving.
///
/// Bytes and the time go in; bytes to send come out. Pushes that arrive together, on whichever
/// connections, are committed in one storage transaction, and acknowledged when it is durable.
/// One thread drives it: after each round of input it calls ``advance(at:)``.
package final class ServerHub {
  let service: ServerService
  let limits: HubLimits
  let log: any ServerLog
  /// The only account that may be named; any where nil.
  let onlyAccount: String?

  var connections: [ConnectionID: Connection] = [:]
  /// The newest connection of each device.
  var devices: [DeviceOfAccount: ConnectionID] = [:]
  /// Connections that may have something to be handled, each once.
  var ready: [Connection] = []
  /// Connections that have something to send, or are to be closed, since it was last asked; each
  /// once.
  private var touched: [Connection] = []
  package private(set) var isDraining = false
  /// Whether requests were committed since the last tick.
  var hasCommitted = false
  private var lastID: UInt64 = 0
  private var nextTick = Duration.zero

  /// How often the clock is looked at where nothing else happens.
  package static let tickInterval = Duration.seconds(1)

  struct DeviceOfAccount: Hashable {
    var account: String
    var device: DeviceID
  }

  /// A hub of no connections.
  package init(
    service: ServerService, onlyAccount: String? = nil, limits: HubLimits = HubLimits(),
    log: any ServerLog = SilentLog()
  ) {
    self.service = service
    self.onlyAccount = onlyAccount
    self.limits = limits
    self.log = log
  }

  /// How many connections there are.
  package var count: Int { connections.count }

  /// Takes a new connection; nil where there are too many, or where the server is about to stop.
  package func connect(at now: Duration) -> ConnectionID? {
    guard !isDraining, connections.count < limits.connections else {
      log.write(LogLine(.warning, "connection_refused"))
      return nil
    }
    lastID += 1
    let id = ConnectionID(value: lastID)
    connections[id] = Connection(id, limits: service.limits, at: now)
    log.write(LogLine(.info, "connection_opened", connection: lastID))
    return id
  }

  /// The line for a connection that is not taken.
  package var refusal: [UInt8] {
    Message.error(nil, isDraining ? .shuttingDown : .busy(retryAfter: 1000)).line
  }

  /// Takes bytes that a client sent.
  package func receive(_ bytes: some Collection<UInt8>, on id: ConnectionID, at now: Duration) {
    guard let connection = connections[id], !connection.isEnding else { return }
    connection.framer.append(bytes)
    connection.conversation.hear(at: now)
    if !connection.conversation.isOpen {
      connection.bytesBeforeLogin += bytes.count
    }
    makeReady(connection)
  }

  /// Notes that a client sends nothing more.
  package func endInput(of id: ConnectionID, at now: Duration) {
    guard let connection = connections[id] else { return }
    connection.hasInputEnded = true
    makeReady(connection)
  }

  /// Forgets a connection that is closed.
  package func forget(_ id: ConnectionID) {
    guard let connection = connections.removeValue(forKey: id) else { return }
    connection.isForgotten = true
    if connection.isReady { ready.removeAll { $0 === connection } }
    if connection.isTouched { touched.removeAll { $0 === connection } }
    if let member = connection.member { release(member, id) }
    log.write(LogLine(.info, "connection_closed", connection: id.value))
  }

  func release(_ member: Member, _ id: ConnectionID) {
    let key = DeviceOfAccount(account: member.account, device: member.device)
    if devices[key] == id { devices[key] = nil }
  }

  /// Has what a connection sent looked at.
  func makeReady(_ connection: Connection) {
    if connection.isReady || connection.isForgotten { return }
    connection.isReady = true
    ready.append(connection)
  }

  /// Adds a line to what is to be sent on a connection.
  func put(_ line: [UInt8], on connection: Connection, at now: Duration) {
    connection.output.append(line, at: now)
    touch(connection)
  }

  func touch(_ connection: Connection) {
    if connection.isTouched || connection.isForgotten { return }
    connection.isTouched = true
    touched.append(connection)
  }

  /// The connections that have something to send, or are to be closed, since this was last asked.
  package func takeTouched() -> [ConnectionID] {
    defer { touched.removeAll(keepingCapacity: true) }
    for connection in touched { connection.isTouched = false }
    return touched.map(\.id)
  }

  /// What waits to be sent on a connection.
  package func output(of id: ConnectionID) -> ArraySlice<UInt8> {
    connections[id]?.output.waiting ?? []
  }

  /// Notes that the first `count` bytes of a connection's output were sent.
  package func sent(_ count: Int, on id: ConnectionID, at now: Duration) {
    guard let connection = connections[id] else { return }
    // Requests that waited for the client to read go on.
    if connection.output.count >= limits.waitingOutput { makeReady(connection) }
    connection.output.remove(count, at: now)
  }

  /// Notes that a client reads again what waits for it.
  package func resume(_ id: ConnectionID) {
    guard let connection = connections[id] else { return }
    makeReady(connection)
    touch(connection)
  }

  /// Whether bytes of a client may be read; not while what it asked for before is too much.
  package func wantsInput(of id: ConnectionID) -> Bool {
    guard let connection = connections[id] else { return false }
    return !connection.isEnding && !connection.isLeaving && connection.waiting == nil
      && connection.output.count < limits.waitingOutput
  }

  /// Whether a connection is to be closed now.
  package func isFinished(_ id: ConnectionID) -> Bool {
    guard let connection = connections[id] else { return true }
    return connection.isEnding && connection.output.count == 0
  }

  /// When ``advance(at:)`` is due though nothing arrives.
  package var deadline: Duration { nextTick }

  /// Handles all that has arrived, commits what is to be committed, and looks at the clock.
  package func advance(at now: Duration) {
    handleArrived(at: now)
    if now >= nextTick {
      nextTick = now + Self.tickInterval
      tick(at: now)
    }
  }

  /// Takes no more connections, answers what has arrived, and says goodbye to everyone.
  package func drain(at now: Duration) {
    guard !isDraining else { return }
    handleArrived(at: now)
    isDraining = true
    log.write(LogLine(.info, "draining"))
    for connection in connections.values.sorted(by: { $0.id < $1.id }) {
      sayGoodbye(connection, at: now)
    }
  }
}
