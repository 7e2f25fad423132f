import FolioCrypto
import FolioDomain
import FolioWire

/// The client's side of a sync on one connection, as messages: what comes in decides what goes out.
///
/// It does no I/O but for its storage. Everything that ends it is thrown; where it ends well, `end`
/// says how.
struct SyncMachine {
  /// What the machine waits for.
  enum Phase: Equatable {
    case greeting
    case authenticating
    case refilling
    case giving
    case checkingRebuild
    case rebuilding
    case pulling
    case pushing
    case readingTables
    case readingAssets
    case over
  }

  /// How a machine ended that did not throw.
  enum End: Equatable {
    /// All was done.
    case finished
    /// A new connection is to begin at once, because the store has another identity now.
    case again
  }

  let storage: any SyncStorage
  let options: SyncOptions
  let clock: any WallClock

  var memory: SyncMemory
  var state: SyncState
  private(set) var phase = Phase.greeting
  private(set) var end: End?
  /// Requests that have not been taken to be sent.
  private(set) var outgoing: [Message] = []
  /// What may be shown to a person, and has not been taken.
  private(set) var progress: [SyncProgress] = []

  private var outstanding: [RequestID: Request] = [:]
  private var lastID: UInt64 = 0

  /// What the server announced.
  var limits = Limits()
  var serverID = ServerID(0)
  /// What the server said of itself, once it has.
  var ready: Ready?

  var pull = PullProgress()
  var push = PushProgress()
  var refill = RefillProgress()
  var market = MarketProgress()

  init(
    storage: any SyncStorage, options: SyncOptions, memory: SyncMemory, clock: any WallClock
  ) throws {
    self.storage = storage
    self.options = options
    self.memory = memory
    self.clock = clock
    state = try storage.syncState()
    if self.memory.countedSequence == nil {
      self.memory.countedSequence = state.acknowledged?.sequence ?? 0
    }
  }

  // MARK: Going on

  mutating func enter(_ phase: Phase) { self.phase = phase }

  mutating func finish(_ end: End) {
    phase = .over
    self.end = end
    outgoing.append(.bye)
  }

  mutating func show(_ progress: SyncProgress) { self.progress.append(progress) }

  /// Whether nothing is asked that has not been answered.
  var isIdle: Bool { outstanding.isEmpty }

  @discardableResult
  mutating func send(_ request: Request) -> RequestID {
    lastID += 1
    let id = RequestID(lastID)
    outstanding[id] = request
    outgoing.append(.request(id, request))
    return id
  }

  mutating func takeOutgoing() -> [Message] {
    defer { outgoing = [] }
    return outgoing
  }

  mutating func takeProgress() -> [SyncProgress] {
    defer { progress = [] }
    return progress
  }

  // MARK: What comes in

  /// Takes a message from the server.
  mutating func receive(_ message: Message) throws {
    switch message {
    case .reply(let id, let reply): try receive(reply, to: id)
    case .error(let id, let error): try receive(error, to: id)
    case .request(let id, .ping): outgoing.append(.reply(id, .pong))
    case .request(_, let request): throw unexpected(request.type.rawValue)
    case .bye: throw SyncError.connectionLost("the server said goodbye")
    case .unknown(let unknown) where unknown.re != nil: throw unexpected(unknown.type)
    case .note, .unknown: break
    }
  }

  private mutating func receive(_ reply: Reply, to id: RequestID) throws {
    guard let request = outstanding.removeValue(forKey: id), reply.type == request.replyType
    else { throw unexpected(reply.type.rawValue) }
    switch (reply, request) {
    case (.welcome(let welcome), _): try receive(welcome)
    case (.ready(let ready), _): try receive(ready)
    case (.page(let page), .pull(let pull)): try receive(page, to: pull, id)
    case (.ack(let ack), .push): try receive(ack, to: id)
    case (.ack(let ack), .refill(let refill)): try receive(ack, to: refill)
    case (.hash(let hash), .verify(let seq)): try receive(hash, at: seq)
    case (.tables(let page), .prices(let request)): try receive(page, to: request)
    case (.catalog(let page), .assets(let request)): try receive(page, to: request)
    case (.pong, _): break
    default: throw unexpected(reply.type.rawValue)
    }
  }

  private mutating func receive(_ error: ErrorMessage, to id: RequestID?) throws {
    let request = id.flatMap { outstanding.removeValue(forKey: $0) }
    if case .hello = request, let supported = error.supported {
      throw SyncError.versionRefused(supported: supported)
    }
    if error.action == .newDevice {
      return try renewIdentity()
    }
    switch request {
    case .push where error.response == .giveUpRequest:
      if let id { return try receiveRefusal(error, of: id) }
    case .verify: return try receiveVerifyRefusal()
    default: break
    }
    throw SyncError.refused(error)
  }

  func unexpected(_ type: String) -> SyncError {
    .violation(.unexpectedMessage(type))
  }

  // MARK: Identity

  /// Takes a new device id, since another store writes under this one, and begins again.
  mutating func renewIdentity() throws {
    guard memory.identityRenewals == 0 else { throw SyncError.identityContested }
    memory.identityRenewals += 1
    memory.summary.newDevice = try storage.takeNewIdentity()
    memory.countedSequence = 0
    memory.failedBatch = nil
    finish(.again)
  }

  /// Whether what the server has of this device is not what this store made.
  mutating func isContested(_ acked: AcknowledgedTransaction) throws -> Bool {
    if acked.sequence > state.lastSequence {
      // It may have been made since the connection began.
      state.lastSequence = try storage.syncState().lastSequence
      if acked.sequence > state.lastSequence { return true }
    }
    guard let own = try storage.ownTransaction(at: acked.sequence) else { return false }
    return own != acked.id
  }
}
