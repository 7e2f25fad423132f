import FolioDomain
import FolioWire

/// How far a server's log is filled, or a client's state built anew.
struct RefillProgress {
  /// The account whose log is filled.
  var account: AccountID?
  /// The place up to which the server has been given entries.
  var position = LogPosition(seq: 0, hash: .zero)
  /// The place after the last entry that is sent and not answered.
  var sent = LogPosition(seq: 0, hash: .zero)
  /// The entries that are sent as transactions and not answered.
  var given: [VerifiedEntry] = []
  /// Places of entries that the server could not take as their devices' own.
  var unplaced: [UInt64] = []
  /// Whether something of the state is not in the log that is to take its place.
  var losesEntries = false
  /// Whether the server's log has parted from the one that is held.
  var hasParted = false
  /// Whether the log read beside the state was begun in an earlier connection.
  var rebuildIsResumed = false
}

extension SyncMachine {
  private var refillByteLimit: Int { min(limits.pageBytes, 393_216) }
  private var refillCountLimit: Int { min(limits.entries, 500) }

  // MARK: A server whose log ends before this one

  /// Gives the server the entries that it lost, byte for byte, so that it gets the same hashes.
  mutating func beginRefill(after head: LogPosition, account: AccountID) throws {
    enter(.refilling)
    refill.account = account
    refill.position = head
    if head.seq == 0 { refill.position = emptyLog(of: account) }
    try sendRefill()
  }

  private mutating func sendRefill() throws {
    guard let account = refill.account else { return }
    let entries = try storage.keptEntries(
      after: refill.position.seq, maxCount: refillCountLimit, maxBytes: refillByteLimit)
    guard let last = entries.last else {
      if let ready { try join(ready, account: account) }
      try storage.recordDivergence()
      return try readLog()
    }
    refill.sent = last.position
    send(
      .refill(
        Refill(
          account: account, after: refill.position, entries: entries.map { WireEntry($0.entry) })))
  }

  mutating func receive(_ ack: Ack, to request: Refill) throws {
    guard phase == .refilling else { throw unexpected("ack") }
    guard ack.results.isEmpty, ack.head == refill.sent else {
      throw SyncError.violation(.wrongHead)
    }
    memory.summary.refilled += request.entries.count
    memory.progressCount += 1
    refill.position = refill.sent
    push.head = ack.head
    if let acked = ack.acked {
      push.acked = acked.sequence
      try noteAcknowledged(AcknowledgedTransaction(sequence: acked.sequence, id: acked.id))
    }
    show(.refilled(Int(refill.position.seq), of: Int(state.cursor?.seq ?? 0)))
    try sendRefill()
  }

  // MARK: A server whose log has parted from this one

  /// Gives the server, as transactions, what this store's log has and the server's may lack.
  mutating func beginGiving(after seq: UInt64, _ ready: Ready) throws {
    try checkDivergences()
    refill.hasParted = true
    enter(.giving)
    refill.position.seq = max(seq, state.keptFrom - 1)
    try sendGiven()
  }

  private mutating func sendGiven() throws {
    let entries = try storage.keptEntries(
      after: refill.position.seq, maxCount: refillCountLimit, maxBytes: refillByteLimit)
    guard let last = entries.last else { return try endGiving() }
    refill.sent = last.position
    refill.given = entries
    let transactions = entries.map { entry in
      PushedTransaction(entry.entry.transaction, isVoid: entry.entry.kind == .void)
    }
    send(.push(Push(transactions: transactions)))
  }

  mutating func receiveGiven(_ ack: Ack) throws {
    guard ack.results.count == refill.given.count else {
      throw SyncError.violation(.wrongResults)
    }
    for (entry, result) in zip(refill.given, ack.results) {
      switch result {
      case .ok, .duplicate, .void: break
      // Its place among its device's is another's, or follows what nobody has any more.
      case .gap, .forked, .rejected: refill.unplaced.append(entry.entry.seq)
      case .retry:
        throw SyncError.refused(
          ErrorMessage(code: "retry", class: .retry, action: .backoff, message: "it is busy"))
      }
    }
    memory.progressCount += 1
    push.head = ack.head
    push.acked = ack.acked?.sequence ?? 0
    refill.position = refill.sent
    try sendGiven()
  }

  /// Goes on to the server's log, unless it is shorter than this one even now.
  private mutating func endGiving() throws {
    let server = max(push.head?.seq ?? 0, ready?.head.seq ?? 0)
    let local = state.cursor?.seq ?? 0
    if server < local {
      guard options.answers.acceptsShorterLog else {
        throw SyncError.decisionNeeded(.shorterLog(server: server, local: local))
      }
      refill.losesEntries = true
    }
    try beginRebuild()
  }
}
