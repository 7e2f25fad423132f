import FolioCrypto
package import FolioDomain
package import FolioGateway

/// A client's state in memory, with nothing derived from the log: what a session needs, no more.
package final class MemoryStorage: SyncStorage {
  /// A failure that a test asked for.
  package struct Failure: Error {}

  /// What a session is told when it begins.
  package var state: SyncState
  /// The log as read, all of it kept unless `forget` drops some.
  package var log: [VerifiedEntry] = []
  /// Transactions that are not in the log.
  package var pendingTransactions: [PendingTransaction] = []
  /// A log that is read beside the state.
  package var staged: [VerifiedEntry]?
  /// Logs of which a copy was kept.
  package var copies: [[VerifiedEntry]] = []
  /// Transactions that only use up their sequence, and why.
  package var rejected: [RejectedTransaction] = []
  /// The price tables.
  package var tables: [Slot: PriceTable] = [:]
  /// The asset table.
  package var assets: [AssetInfo] = []
  var stagedAssets: [AssetInfo] = []
  /// How often snapshots were asked for.
  package var snapshotsMade = 0
  /// The identity before the next one that is taken.
  package var nextIdentity: UInt128 = 0xd000
  /// How often pages of the log were stored.
  package private(set) var pagesStored = 0
  /// Calls until one fails; nil for never.
  package var callsUntilFailure: Int?

  /// The state of a store that has met no server.
  package init(device: UInt128) {
    state = SyncState(device: DeviceID(device), instance: InstanceID(device << 8 | 1))
  }

  private func call() throws {
    guard let left = callsUntilFailure else { return }
    guard left > 0 else { throw Failure() }
    callsUntilFailure = left - 1
  }

  /// Makes a transaction, as an edit would.
  @discardableResult
  package func edit(_ text: String, id: UInt128) -> TransactionID {
    state.lastSequence += 1
    let transaction = Envelope(
      id: TransactionID(id), device: state.device, deviceSequence: state.lastSequence,
      recordedAt: Timestamp(milliseconds: 1_700_000_000_000), body: Array(text.utf8))
    pendingTransactions.append(PendingTransaction(transaction))
    return transaction.id
  }

  /// Drops what is kept of entries up to `seq`, as a stable mark would.
  package func forget(upTo seq: UInt64) { state.keptFrom = seq + 1 }

  /// See `SyncStorage`.
  package func syncState() throws -> SyncState {
    try call()
    state.isRebuilding = staged != nil
    return state
  }

  /// See `SyncStorage`.
  package func join(account: AccountID, server: ServerID, log: LogID) throws {
    try call()
    precondition(state.account == nil || state.account == account || self.log.isEmpty)
    state.account = account
    state.server = server
    state.log = log
  }

  /// See `SyncStorage`.
  package func position(at seq: UInt64) throws -> LogPosition? {
    try call()
    guard seq >= 1, seq <= log.count, seq + 1 >= state.keptFrom else { return nil }
    return log[Int(seq) - 1].position
  }

  /// See `SyncStorage`.
  package func lastSequence(of device: DeviceID) throws -> UInt64 {
    try call()
    return log.last { $0.entry.transaction.device == device }?.entry.transaction.deviceSequence
      ?? 0
  }

  /// See `SyncStorage`.
  package func keptEntries(after seq: UInt64, maxCount: Int, maxBytes: Int) throws
    -> [VerifiedEntry]
  {
    try call()
    guard seq + 1 >= state.keptFrom else { return [] }
    var bytes = 0
    var result: [VerifiedEntry] = []
    for entry in log.dropFirst(Int(seq)).prefix(maxCount) {
      bytes += entry.entry.transaction.body.count
      if bytes > maxBytes, !result.isEmpty { break }
      result.append(entry)
    }
    return result
  }

  /// See `SyncStorage`.
  package func ownBody(device: DeviceID, sequence: UInt64, hash: Hash256) throws -> [UInt8]? {
    try call()
    let kept = log.map(\.entry.transaction) + pendingTransactions.map(\.transaction)
    let own = kept.first { $0.device == device && $0.deviceSequence == sequence }
    return own.flatMap { SHA256.hash(of: $0.body) == hash ? $0.body : nil }
  }

  /// See `SyncStorage`.
  package func storePage(_ entries: [VerifiedEntry], stable: UInt64) throws -> PageOutcome {
    try call()
    append(entries, to: &log)
    pagesStored += 1
    state.stable = stable
    return PageOutcome()
  }

  private func append(_ entries: [VerifiedEntry], to log: inout [VerifiedEntry]) {
    for entry in entries {
      precondition(entry.entry.seq == UInt64(log.count) + 1)
      log.append(entry)
      take(entry.entry.transaction)
    }
    if let last = log.last { state.cursor = last.position }
  }

  private func take(_ transaction: Envelope) {
    pendingTransactions.removeAll { pending in
      pending.transaction.device == transaction.device
        && pending.transaction.deviceSequence == transaction.deviceSequence
    }
    for index in pendingTransactions.indices
    where pendingTransactions[index].transaction.id == transaction.id {
      pendingTransactions[index].isVoid = true
    }
  }

  /// See `SyncStorage`.
  package func pending(after sequence: UInt64, maxCount: Int, maxBytes: Int) throws
    -> [PendingTransaction]
  {
    try call()
    var bytes = 0
    var result: [PendingTransaction] = []
    for pending in pendingTransactions where pending.transaction.deviceSequence > sequence {
      bytes += pending.transaction.body.count
      if result.count == maxCount || (bytes > maxBytes && !result.isEmpty) { break }
      result.append(pending)
    }
    return result
  }

  /// See `SyncStorage`.
  package func ownTransaction(at sequence: UInt64) throws -> TransactionID? {
    try call()
    let own = log.map(\.entry.transaction) + pendingTransactions.map(\.transaction)
    return own.first { $0.device == state.device && $0.deviceSequence == sequence }?.id
  }

  /// See `SyncStorage`.
  package func acknowledge(_ transaction: AcknowledgedTransaction) throws {
    try call()
    state.acknowledged = transaction
  }

  /// See `SyncStorage`.
  package func void(_ rejected: RejectedTransaction) throws {
    try call()
    self.rejected.append(rejected)
    guard
      let index = pendingTransactions.firstIndex(where: { $0.transaction.id == rejected.id })
    else { return }
    pendingTransactions[index].isVoid = true
    pendingTransactions[index].transaction.body = Array(
      #"{"reason":"\#(rejected.reason)"}"#.utf8)
  }

  /// See `SyncStorage`.
  package func takeNewIdentity() throws -> DeviceID {
    try call()
    nextIdentity += 1
    state.device = DeviceID(nextIdentity)
    state.acknowledged = nil
    state.lastSequence = UInt64(pendingTransactions.count)
    for index in pendingTransactions.indices {
      pendingTransactions[index].transaction.device = state.device
      pendingTransactions[index].transaction.deviceSequence = UInt64(index) + 1
    }
    return state.device
  }

  /// See `SyncStorage`.
  package func recordDivergence() throws {
    try call()
    state.recentDivergences += 1
  }

  /// See `SyncStorage`.
  package func rebuildPosition() throws -> LogPosition? {
    try call()
    return staged?.last?.position
  }

  /// See `SyncStorage`.
  package func beginRebuild() throws {
    try call()
    staged = []
  }

  /// See `SyncStorage`.
  package func stagePage(_ entries: [VerifiedEntry]) throws {
    try call()
    staged?.append(contentsOf: entries)
  }

  /// See `SyncStorage`.
  package func finishRebuild(_ end: RebuildEnd) throws -> PageOutcome {
    try call()
    guard let staged else { throw Failure() }
    let accepted = Set(staged.filter { $0.entry.kind == .accepted }.map(\.entry.transaction.id))
    let homeless = end.unplaced.map { log[Int($0) - 1].entry }.filter { entry in
      entry.kind == .accepted && !accepted.contains(entry.transaction.id)
    }
    log = []
    state.cursor = nil
    state.log = end.log
    state.account = end.account
    if end.bringsBackShown { state.isRestoredBackup = false }
    append(staged, to: &log)
    self.staged = nil
    state.keptFrom = 1
    for entry in homeless { adopt(entry.transaction) }
    return PageOutcome()
  }

  /// See `SyncStorage`.
  package func keepServerSide() throws {
    try call()
    state.isRestoredBackup = false
  }

  private func adopt(_ transaction: Envelope) {
    guard !pendingTransactions.contains(where: { $0.transaction.id == transaction.id }) else {
      return
    }
    state.lastSequence += 1
    var transaction = transaction
    transaction.device = state.device
    transaction.deviceSequence = state.lastSequence
    pendingTransactions.append(PendingTransaction(transaction))
  }

  /// See `SyncStorage`.
  package func keepCopy() throws {
    try call()
    copies.append(log)
  }

  /// See `SyncStorage`.
  package func abandonRebuild() throws {
    try call()
    staged = nil
  }

  /// See `SyncStorage`.
  package func storeTables(_ page: PriceTablesPage) throws -> Int {
    try call()
    if page.beginsAnew { tables = [:] }
    for table in page.tables { tables[table.slot] = table }
    state.market = page.position
    return page.tables.count
  }

  /// See `SyncStorage`.
  package func storeAssets(_ page: AssetsPage) throws {
    try call()
    if page.isFirst { stagedAssets = [] }
    stagedAssets += page.assets
    if page.isLast {
      assets = stagedAssets
      state.assetsTag = page.tag
    }
  }

  /// See `SyncStorage`.
  package func makeDueSnapshots() throws -> SnapshotOutcome {
    try call()
    snapshotsMade += 1
    return SnapshotOutcome(made: 1)
  }
}
