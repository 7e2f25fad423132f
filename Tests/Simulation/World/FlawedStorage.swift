import FolioDomain
import FolioGateway
import FolioStore

/// A device's storage with a promise broken on purpose.
final class FlawedStorage: SyncStorage {
  private let whole: any SyncStorage
  private let store: Store
  private let flaw: Flaw
  /// Another number for each connection.
  private let salt: UInt128

  init(_ whole: any SyncStorage, _ store: Store, _ flaw: Flaw, salt: UInt64) {
    self.whole = whole
    self.store = store
    self.flaw = flaw
    self.salt = UInt128(salt)
  }

  func pending(
    after sequence: UInt64, maxCount: Int, maxBytes: Int
  ) throws -> [PendingTransaction] {
    var found = try whole.pending(after: sequence, maxCount: maxCount, maxBytes: maxBytes)
    if flaw == .sendsAgainAsAnother {
      // The same bytes, under another id on each connection.
      for index in found.indices {
        found[index].transaction.id = TransactionID(found[index].transaction.id.value ^ salt)
      }
    }
    return found
  }

  func storePage(_ entries: [VerifiedEntry], stable: UInt64) throws -> PageOutcome {
    let outcome = try whole.storePage(entries, stable: stable)
    if flaw == .countsTwice, let foreign = entries.first(where: isForeignAdjustment) {
      try store.write { transaction in
        for case .adjust(let asset, let amount) in operations(of: foreign) where amount > .zero {
          try transaction.save([.add(asset, amount, category: nil)])
        }
      }
    }
    return outcome
  }

  private func operations(of entry: VerifiedEntry) -> [FolioDomain.Operation] {
    (try? TransactionBody(decoding: entry.entry.transaction.body).operations) ?? []
  }

  private func isForeignAdjustment(_ entry: VerifiedEntry) -> Bool {
    // Not of all entries, or what is counted twice is counted twice by others, without end.
    guard entry.entry.seq < 10, let device = try? whole.syncState().device else { return false }
    return entry.entry.transaction.device != device
  }

  func keptEntries(after seq: UInt64, maxCount: Int, maxBytes: Int) throws -> [VerifiedEntry] {
    if flaw == .keepsNoEntries { return [] }
    return try whole.keptEntries(after: seq, maxCount: maxCount, maxBytes: maxBytes)
  }

  // MARK: What is as it should be

  func syncState() throws -> SyncState { try whole.syncState() }
  func join(account: AccountID, server: ServerID, log: LogID) throws {
    try whole.join(account: account, server: server, log: log)
  }
  func position(at seq: UInt64) throws -> LogPosition? { try whole.position(at: seq) }
  func lastSequence(of device: DeviceID) throws -> UInt64 { try whole.lastSequence(of: device) }
  func ownBody(device: DeviceID, sequence: UInt64, hash: Hash256) throws -> [UInt8]? {
    try whole.ownBody(device: device, sequence: sequence, hash: hash)
  }
  func ownTransaction(at sequence: UInt64) throws -> TransactionID? {
    try whole.ownTransaction(at: sequence)
  }
  func acknowledge(_ transaction: AcknowledgedTransaction) throws {
    try whole.acknowledge(transaction)
  }
  func void(_ rejected: RejectedTransaction) throws { try whole.void(rejected) }
  func takeNewIdentity() throws -> DeviceID { try whole.takeNewIdentity() }
  func recordDivergence() throws { try whole.recordDivergence() }
  func rebuildPosition() throws -> LogPosition? { try whole.rebuildPosition() }
  func beginRebuild() throws { try whole.beginRebuild() }
  func stagePage(_ entries: [VerifiedEntry]) throws { try whole.stagePage(entries) }
  func keepCopy() throws { try whole.keepCopy() }
  func finishRebuild(_ end: RebuildEnd) throws -> PageOutcome { try whole.finishRebuild(end) }
  func keepServerSide() throws { try whole.keepServerSide() }
  func abandonRebuild() throws { try whole.abandonRebuild() }
  func storeTables(_ page: PriceTablesPage) throws -> Int {
    try whole.storeTables(page)
  }
  func storeAssets(_ page: AssetsPage) throws { try whole.storeAssets(page) }
  func makeDueSnapshots() throws -> SnapshotOutcome { try whole.makeDueSnapshots() }
}
