import FolioCrypto
package import FolioDomain
package import FolioGateway
package import FolioStore
import FolioSystem

/// A store as a sync sees it.
package struct StoreSyncStorage: SyncStorage, Sendable {
  private let store: Store
  private let clock: any WallClock
  private let storesBehind: Bool
  /// What is remembered of the server once it has told the account.
  package var server: (url: String, account: String)?

  /// `store`, with the wall clock by which days are counted.
  /// - Parameter storesBehind: Whether a page is stored by a thread of its own, while the caller
  ///   looks at the next one.
  package init(store: Store, clock: any WallClock, storesBehind: Bool = false) {
    self.store = store
    self.clock = clock
    self.storesBehind = storesBehind
  }

  private static let dayMilliseconds: Int64 = 86_400_000

  package func syncState() throws -> SyncState {
    let status = try store.read { try $0.status() }
    let now = clock.now()
    var state = SyncState(
      device: status.device, instance: status.instance, account: status.account,
      server: status.server.map(ServerID.init), log: status.log, cursor: status.position,
      keptFrom: status.keptFrom, stable: status.stable,
      acknowledged: status.acknowledged.map {
        AcknowledgedTransaction(sequence: $0.sequence, id: $0.id)
      },
      lastSequence: status.lastSequence, market: status.market, assetsTag: status.assetsTag,
      // A clock that was set back a little since does not make them undone.
      recentDivergences: status.divergences.count { time in
        (now.milliseconds - time.milliseconds).magnitude < Self.dayMilliseconds
      }, isRebuilding: status.rebuildPosition != nil)
    state.isRestoredBackup = status.isRestoredBackup
    return state
  }

  package func join(account: AccountID, server id: ServerID, log: LogID) throws {
    let status = try store.read { try $0.status() }
    let isKnown =
      status.account == account && status.server == id.value && status.log == log
      && (server == nil || (server?.url, server?.account) == (status.serverURL, status.accountName))
    if isKnown { return }
    try store.write { transaction in
      try transaction.join(account: account, server: id.value, log: log)
      if let server { try transaction.setServer(url: server.url, accountName: server.account) }
    }
  }

  // MARK: The log

  package func position(at seq: UInt64) throws -> LogPosition? {
    try store.read { try $0.position(at: seq) }
  }

  package func lastSequence(of device: DeviceID) throws -> UInt64 {
    try store.read { try $0.deviceState(device)?.sequence ?? 0 }
  }

  package func keptEntries(after seq: UInt64, maxCount: Int, maxBytes: Int) throws
    -> [VerifiedEntry]
  {
    let entries = try store.read {
      try $0.keptEntries(after: seq, maxCount: maxCount, maxByteCount: maxBytes)
    }
    return entries.map { VerifiedEntry($0.entry, hash: $0.hash) }
  }

  package func ownBody(device: DeviceID, sequence: UInt64, hash: Hash256) throws -> [UInt8]? {
    guard let body = try store.read({ try $0.ownBody(at: sequence) }),
      SHA256.hash(of: body) == hash
    else { return nil }
    return body
  }

  package func storePage(_ entries: [VerifiedEntry], stable: UInt64) throws -> PageOutcome {
    PageOutcome(try store.write { try $0.apply(entries.map(ChainedEntry.init), stable: stable) })
  }

  package func beginStoringPage(_ entries: [VerifiedEntry], stable: UInt64) throws
    -> () throws -> PageOutcome
  {
    try begin { try storePage(entries, stable: stable) }
  }

  // MARK: What is pending

  package func pending(
    after sequence: UInt64, maxCount: Int, maxBytes: Int
  ) throws -> [PendingTransaction] {
    let entries = try store.read {
      try $0.pending(after: sequence, maxCount: maxCount, maxByteCount: maxBytes)
    }
    return entries.map { PendingTransaction($0.transaction, isVoid: $0.isVoid) }
  }

  package func ownTransaction(at sequence: UInt64) throws -> TransactionID? {
    try store.read { try $0.ownTransaction(at: sequence) }
  }

  package func acknowledge(_ transaction: AcknowledgedTransaction) throws {
    try store.write { try $0.acknowledge(sequence: transaction.sequence, id: transaction.id) }
  }

  package func void(_ rejected: RejectedTransaction) throws {
    try store.write { try $0.void(rejected.id, reason: rejected.reason) }
  }

  package func takeNewIdentity() throws -> DeviceID {
    try store.write { try $0.takeNewIdentity() }
  }

  package func recordDivergence() throws {
    try store.write { try $0.recordDivergence() }
  }

  // MARK: Building the state anew

  package func rebuildPosition() throws -> LogPosition? {
    let position = try store.read { try $0.rebuildPosition() }
    return position?.seq == 0 ? nil : position
  }

  package func beginRebuild() throws {
    try store.write { try $0.beginRebuild() }
  }

  package func stagePage(_ entries: [VerifiedEntry]) throws {
    try store.write { try $0.stage(entries.map(ChainedEntry.init)) }
  }

  package func keepCopy() throws {
    try store.backUp(to: "\(store.path)/before-\(clock.now().text).backup")
  }

  package func finishRebuild(_ end: RebuildEnd) throws -> PageOutcome {
    PageOutcome(
      try store.write {
        try $0.finishRebuild(
          log: end.log, stable: end.stable, unplaced: end.unplaced, account: end.account,
          bringsBackShown: end.bringsBackShown)
      })
  }

  package func keepServerSide() throws {
    try store.write { try $0.setRestoredBackup(false) }
  }

  package func abandonRebuild() throws {
    try store.write { try $0.abandonRebuild() }
  }

  // MARK: The market

  package func storeTables(_ page: PriceTablesPage) throws -> Int {
    try store.write { try $0.apply(page) }
  }

  package func beginStoringTables(_ page: PriceTablesPage) throws -> () throws -> Int {
    try begin { try storeTables(page) }
  }

  /// Begins to store, and gives what waits for the outcome.
  private func begin<Outcome: Sendable>(
    _ work: @escaping @Sendable () throws -> Outcome
  ) throws -> () throws -> Outcome {
    if storesBehind {
      let job = BackgroundJob(work)
      return { try job.wait() }
    }
    let outcome = try work()
    return { outcome }
  }

  package func storeAssets(_ page: AssetsPage) throws {
    try store.write { try $0.apply(page) }
  }

  package func makeDueSnapshots() throws -> SnapshotOutcome {
    let made = try store.makeDueSnapshots()
    return SnapshotOutcome(made: made.made, remade: made.remade)
  }
}

extension ChainedEntry {
  fileprivate init(_ entry: VerifiedEntry) { self.init(entry.entry, hash: entry.hash) }
}

extension PageOutcome {
  fileprivate init(_ result: PageResult) {
    self.init(
      changedOnBothSides: result.changedOnBothSides, unreadableBodies: result.unreadableCount,
      atOdds: result.remarks.filter { $0.kind == .otherLogSeen }.map(\.seq),
      witness: result.witness.map { StateWitness(position: $0.position, agrees: $0.agrees) })
    compensations = result.compensationCount
  }
}
