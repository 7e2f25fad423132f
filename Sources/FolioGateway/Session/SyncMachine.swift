import FolioCrypto
import FolioDomain
import FolioWire

/// The client's side of a sync on one connection, as requests and replies: what comes in decides what
/// goes out.
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
  private(set) var outgoing: [Outgoing] = []
  /// What may be shown to a person, and has not been taken.
  private(set) var progress: [SyncProgress] = []
  /// What has arrived and is not yet taken in, though what follows from it is asked for already.
  private var held: Held?
  /// What is being stored: waits until it is, and notes what it came to.
  private var storing: ((inout SyncMachine) throws -> Void)?
  private var lastTag = 0

  /// What the server announced.
  var limits = Limits()
  var serverID = ServerID(0)
  /// The places of the log that the server was told of.
  var named: [LogPosition] = []
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

  /// A request to be sent, and the tag by which its answer is told.
  struct Outgoing {
    var tag: Int
    var request: Request
  }

  mutating func enter(_ phase: Phase) { self.phase = phase }

  mutating func finish(_ end: End) {
    phase = .over
    self.end = end
  }

  mutating func show(_ progress: SyncProgress) { self.progress.append(progress) }

  /// Asks for something; the answer comes with the tag that is returned.
  @discardableResult
  mutating func send(_ request: Request) -> Int {
    lastTag += 1
    outgoing.append(Outgoing(tag: lastTag, request: request))
    return lastTag
  }

  mutating func takeOutgoing() -> [Outgoing] {
    defer { outgoing = [] }
    return outgoing
  }

  mutating func takeProgress() -> [SyncProgress] {
    defer { progress = [] }
    return progress
  }

  // MARK: What comes in

  /// An answer whose taking in costs time.
  enum Held {
    case page(Page)
    case tables(TablesPage, PricesRequest)
  }

  /// Keeps an answer until `takeHeld`.
  mutating func hold(_ held: Held) { self.held = held }

  /// Whether an answer waits to be taken in.
  var isHolding: Bool { held != nil }

  /// Takes in the answer that waits, once what it made the machine ask for is sent: so the server
  /// is at work at the same time.
  mutating func takeHeld() throws {
    guard let held else { return }
    self.held = nil
    switch held {
    case .page(let page): try take(page)
    case .tables(let page, let request): try take(page, after: request)
    }
  }

  // MARK: Storing

  /// Stores what was read and is not stored; all of it is when this returns.
  mutating func storeRead() throws {
    try beginStoringEntries()
    try beginStoringTables()
    try finishStoring()
  }

  /// Has `finish` called before anything else is stored, or asked for that rests on it.
  mutating func whenStored(_ finish: @escaping (inout SyncMachine) throws -> Void) {
    storing = finish
  }

  /// Waits until what was given to be stored is.
  mutating func finishStoring() throws {
    guard let finish = storing else { return }
    storing = nil
    try finish(&self)
  }

  // MARK: Answers

  /// Takes the answer to a request; where it `isHolding` then, `takeHeld` is to follow.
  mutating func receive(_ reply: Reply, to request: Request, tag: Int) throws {
    guard phase != .over else { return }
    switch (reply, request) {
    case (.page(let page), .pull(let pull)): try receive(page, to: pull, tag)
    case (.ack(let ack), .push): try receive(ack, to: tag)
    case (.ack(let ack), .refill(let refill)): try receive(ack, to: refill)
    case (.hash(let hash), .verify(let seq)): try receive(hash, at: seq)
    case (.tables(let page), .prices(let request)): try receive(page, to: request)
    case (.catalog(let page), .assets(let request)): try receive(page, to: request)
    default: throw unexpected(reply.type.rawValue)
    }
  }

  /// Takes the refusal of a request, after which the conversation goes on.
  mutating func receive(_ error: ErrorMessage, to request: Request, tag: Int) throws {
    guard phase != .over else { return }
    if error.action == .newDevice { return try renewIdentity() }
    switch request {
    case .push where error.response == .giveUpRequest: try receiveRefusal(error, of: tag)
    case .verify where error.response == .giveUpRequest: try receiveVerifyRefusal()
    default: throw SyncError.refused(error)
    }
  }

  func unexpected(_ type: String) -> SyncError {
    .violation(.unexpectedMessage(type))
  }

  // MARK: Identity

  /// Takes a new device id, since another store writes under this one, and begins again.
  mutating func renewIdentity() throws {
    guard memory.identityRenewals == 0 else { throw SyncError.identityContested }
    try storeRead()
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
