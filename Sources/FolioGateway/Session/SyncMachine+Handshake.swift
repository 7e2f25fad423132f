import FolioDomain
import FolioWire

extension SyncMachine {
  /// Takes the server's greeting, and says who this is.
  mutating func receive(_ welcome: Welcome) throws -> Authentication {
    memory.hasMetServer = true
    limits = welcome.limits
    serverID = ServerID(welcome.serverID)
    memory.summary.skewMilliseconds = welcome.time.milliseconds - clock.now().milliseconds
    memory.summary.nextTables = welcome.schedule.next
    show(.connected("\(welcome.server.name) \(welcome.server.version)"))
    enter(.authenticating)
    let device = DeviceIdentity(id: state.device, instance: state.instance)
    named = try points()
    return Authentication(
      account: options.account, accountID: state.account, device: device, points: named)
  }

  /// Places of the log as read, by which the server finds the newest that it has too.
  private func points() throws -> [LogPosition] {
    guard let cursor = state.cursor else { return [] }
    // The oldest is where the kept entries begin: a server that has that place can be given the rest.
    let sequences = LogPoints.sequences(first: max(state.keptFrom, 2) - 1, last: cursor.seq)
    // Where nothing is kept, the cursor is known all the same.
    if sequences.isEmpty { return cursor.seq > 0 ? [cursor] : [] }
    return try sequences.compactMap { try storage.position(at: $0) }
  }

  mutating func receive(_ ready: Ready) throws {
    guard phase == .authenticating else { throw unexpected("ready") }
    if let common = ready.common, !named.contains(common) {
      throw SyncError.violation(.impossibleFacts)
    }
    self.ready = ready
    let head = ready.head
    let facts = Divergence.Facts(
      account: state.account, cursor: state.cursor, keptFrom: state.keptFrom,
      hashAtServerHead: try storage.position(at: head.seq)?.hash, serverAccount: ready.account,
      serverHead: head, common: ready.common)
    let action = Divergence.decide(facts, adoptsAccount: options.answers.adoptsAccount)
    switch action {
    case .askAboutAccount:
      throw SyncError.decisionNeeded(
        .otherAccount(server: head.seq, local: state.cursor?.seq ?? 0))
    case .refuseFacts: throw SyncError.violation(.impossibleFacts)
    default: break
    }
    if state.isRestoredBackup, options.answers.keep == nil, options.extent != .account {
      throw SyncError.decisionNeeded(.restoredBackup(local: state.cursor?.seq ?? 0))
    }
    if let acked = ready.acked {
      let acked = AcknowledgedTransaction(sequence: acked.sequence, id: acked.id)
      if try isContested(acked) { return try renewIdentity() }
      try noteAcknowledged(acked)
    }
    push.acked = ready.acked?.sequence ?? 0
    try follow(action, ready)
  }

  mutating func noteAcknowledged(_ acked: AcknowledgedTransaction) throws {
    memory.noteAcked(acked.sequence)
    if state.acknowledged != acked {
      try storage.acknowledge(acked)
      state.acknowledged = acked
    }
  }

  private mutating func follow(_ action: Divergence.Action, _ ready: Ready) throws {
    if options.extent == .account {
      if action == .pull || action == .adoptAccount { try join(ready, account: ready.account) }
      return finish(.finished)
    }
    switch action {
    case .pull, .adoptAccount, .refill:
      // The logs have met again: what was read of another one is of no use.
      if state.isRebuilding, !readsAnew { try storage.abandonRebuild() }
    default: break
    }
    switch action {
    case .pull, .adoptAccount:
      try join(ready, account: ready.account)
      try readLog()
    case .refill(let after):
      try checkDivergences()
      guard let account = state.account else { throw SyncError.violation(.impossibleFacts) }
      try beginRefill(after: after, account: account)
    case .askAboutMissing(let range):
      guard options.answers.acceptsShorterLog else {
        throw SyncError.decisionNeeded(.serverLacks(range))
      }
      refill.losesEntries = true
      try beginGiving(after: range.upperBound, ready)
    case .rebuild(let common):
      try beginGiving(after: common?.seq ?? 0, ready)
    case .askAboutAccount, .refuseFacts: break
    }
  }

  /// Whether a log that continues this store's is read from its start beside the state all the same.
  private var readsAnew: Bool { state.isRestoredBackup && options.answers.keep == .backup }

  /// Reads a log that continues this store's: from the cursor on, or all of it beside the state.
  mutating func readLog() throws {
    if state.isRestoredBackup, options.answers.keep == .server {
      try storage.keepServerSide()
      state.isRestoredBackup = false
    }
    if readsAnew { try beginRebuild() } else { try beginPull() }
  }

  /// Takes over the server's account and the id of its log.
  ///
  /// Not before the log that is held is the server's or the beginning of it: transactions that are
  /// saved meanwhile name the log by its id, and a place in it that the server may never have.
  mutating func join(_ ready: Ready, account: AccountID) throws {
    try storage.join(account: account, server: serverID, log: ready.log)
    state.account = account
    state.server = serverID
    state.log = ready.log
    if state.cursor == nil || state.cursor?.seq == 0 {
      state.cursor = emptyLog(of: account)
    }
  }

  /// Refuses to go on where the log was another one too often to be by chance.
  func checkDivergences() throws {
    guard state.recentDivergences < 3 else {
      throw SyncError.tooManyDivergences(count: state.recentDivergences)
    }
  }
}
