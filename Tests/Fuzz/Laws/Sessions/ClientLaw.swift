import FolioCrypto
import FolioDomain
import FolioGateway
import FolioSystem
import FolioWire
import TestSupport
public import WireLaws

extension Law {
  /// Whatever a server sends: the client answers in messages of one form, asks within bounds, ends
  /// for a reason that has a name and says nothing after it, keeps of the log only what the chain
  /// proves, and loses none of its own edits.
  ///
  /// An input is what a server sends; see ``ClientTrial`` for the bytes that do something else.
  public static let client = Law("client") { script, isPlanted in
    var trial = try ClientTrial(isPlanted: isPlanted)
    for byte in script { try trial.take(byte) }
    try trial.finish()
  }
}

/// A client in memory, to which a server says what the bytes of a script say.
///
/// Bytes are sent as they are, but for some control characters, which no message holds:
///
/// | byte | what happens |
/// |---|---|
/// | 0 | the connection ends, and another one begins |
/// | 1 | as much time passes as the client waits |
/// | 2 | what was sent arrives, before more is sent |
/// | 3 | an edit is made |
/// | 4 | the third call from now on of the client's storage fails |
struct ClientTrial {
  private let storage = MemoryStorage(device: 1)
  private let clock = ManualClock(PreparedStorage.now)
  private let isPlanted: Bool
  private var session: SyncSession
  private var now = MonotonicTime(nanoseconds: 0)
  private var inbox: [UInt8] = []
  private var edits: [TransactionID] = []
  private var lastRequest: UInt64 = 0

  /// What the client has sent.
  private(set) var sent: [UInt8] = []
  /// How much of that it had sent before this connection.
  private(set) var connectionStart = 0
  /// Whether the sync of this connection is done.
  var isFinished: Bool {
    if case .finished = session.outcome { true } else { false }
  }

  init(isPlanted: Bool) throws {
    self.isPlanted = isPlanted
    session = try Self.begin(storage, SyncMemory(), clock, now)
    try check(session.start())
  }

  /// Does what a byte of the script says.
  mutating func take(_ byte: UInt8) throws {
    guard byte <= 4 else {
      inbox.append(byte)
      return
    }
    if byte != 3 { try arrive() }
    switch byte {
    case 0: try reconnect()
    case 1: try wait()
    case 3:
      edits.append(storage.edit("{\"operations\":[]}", id: UInt128(edits.count + 1)))
    case 4: storage.callsUntilFailure = 2
    default: break
    }
  }

  /// Ends with silence, which no session outlives, and looks at what is kept.
  mutating func finish() throws {
    try arrive()
    for _ in 0..<3 where session.outcome == nil { try wait() }
    try require(session.outcome != nil, "the session outlives the silence")
    try endsForAReason()
    try require(session.receive(Message.bye.line, at: now).isEmpty, "speaks after the end")
    try logIsProved()
    let kept = Set(storage.pendingTransactions.map(\.transaction.id))
      .union(storage.log.map(\.entry.transaction.id))
    try require(kept.isSuperset(of: edits), "of \(edits.count) edits some are lost")
  }

  // MARK: Steps

  private static func begin(
    _ storage: MemoryStorage, _ memory: SyncMemory, _ clock: ManualClock, _ now: MonotonicTime
  ) throws -> SyncSession {
    try SyncSession(
      storage: storage, options: SyncOptions(account: PreparedStorage.account), memory: memory,
      clock: clock,
      random: SeededSource(seed: 4), at: now)
  }

  private mutating func reconnect() throws {
    session.end(.connectionLost("cut"))
    try endsForAReason()
    storage.callsUntilFailure = nil
    session = try Self.begin(storage, session.memory, clock, now)
    lastRequest = 0
    connectionStart = sent.count
    try check(session.start())
  }

  private mutating func arrive() throws {
    guard !inbox.isEmpty else { return }
    let wasOver = session.outcome != nil
    let outputs = session.receive(inbox, at: now)
    inbox = []
    try require(!wasOver || outputs.isEmpty, "speaks after the end")
    try check(outputs)
  }

  private mutating func wait() throws {
    now = max(now, session.deadline)
    try check(session.tick(at: now))
  }

  /// Holds what the client sends to the protocol.
  private mutating func check(_ outputs: [SyncSession.Output]) throws {
    for case .send(let bytes) in outputs {
      sent += bytes
      var framer = LineFramer(lineByteLimit: Wire.lineByteLimit)
      framer.append(bytes)
      while let line = try framer.next() {
        let message = try Message(line: line)
        try require(message.line.dropLast() == line[...], "not in its one form: \(line.shown)")
        guard case .request(var id, let request) = message else { continue }
        // The fault that is planted: a client that gives its second pull the number of another.
        if isPlanted, case .pull(let pull) = request, pull.after.seq > 0 { id.value = lastRequest }
        try require(id.value > lastRequest, "request \(id.value) after \(lastRequest)")
        lastRequest = id.value
      }
      try framer.finish()
    }
  }

  private func endsForAReason() throws {
    guard case .failed(let error) = session.outcome else { return }
    if error is MemoryStorage.Failure { return }
    guard let named = error as? any DomainError else {
      throw BrokenLaw(description: "ends with \(error), which has no code")
    }
    try require(!named.code.isEmpty && !named.message.isEmpty, "an error without words")
  }

  private func logIsProved() throws {
    guard let last = storage.log.last else { return }
    guard let account = storage.state.account else {
      throw BrokenLaw(description: "a log without an account")
    }
    var hash = LogChain.start(account: account, using: SHA256.self)
    for (index, entry) in storage.log.enumerated() {
      hash = LogChain.next(after: hash, entry.entry, using: SHA256.self)
      try require(
        entry.entry.seq == UInt64(index) + 1 && entry.hash == hash,
        "entry \(index + 1) of the log is not proved")
    }
    try require(storage.state.cursor == last.position, "the cursor is not the end of the log")
  }
}
