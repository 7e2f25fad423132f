package import FolioDomain

/// What a sync needs of a client's state, and does to it.
///
/// Every call is one storage transaction: it happens whole or not at all, and what it returned is
/// durable. A session calls from one thread at a time. An error that a call throws ends the
/// session, and reaches the caller of the sync as it is.
package protocol SyncStorage {
  /// What is known at the start of a connection.
  func syncState() throws -> SyncState

  /// Remembers the account, the server and the log that a `ready` told.
  ///
  /// The caller has compared them: an account that is known becomes another only where nothing of
  /// its log has been read.
  func join(account: AccountID, server: ServerID, log: LogID) throws

  // MARK: The log

  /// The place after entry `seq`, or nil where its hash is no longer known.
  ///
  /// Known for every entry from `SyncState.keptFrom` to the cursor, at least.
  func position(at seq: UInt64) throws -> LogPosition?

  /// The sequence of the last entry of `device` in the log as read; 0 where there is none.
  func lastSequence(of device: DeviceID) throws -> UInt64

  /// Kept entries after `seq`, in order and without a gap, whole.
  ///
  /// At least one where any is kept; then as many as fit both limits. Bytes are those of bodies.
  func keptEntries(after seq: UInt64, maxCount: Int, maxBytes: Int) throws -> [VerifiedEntry]

  /// The exact bytes of an own transaction's body, where they are still held, whether pending or
  /// kept; nil where they are not, or have another hash.
  func ownBody(device: DeviceID, sequence: UInt64, hash: Hash256) throws -> [UInt8]?

  /// Adds a page to the history and moves the cursor to its end, both or neither.
  ///
  /// A pending transaction stops being one where the page has the entry of its device and
  /// sequence. Where the page has its id under another device or sequence, what it says is in the
  /// log already: it loses its effect, and stays only to use up its sequence.
  /// - Parameters:
  ///   - entries: Entries that follow the cursor, checked against the chain.
  ///   - stable: The server's mark: entries up to it need not be kept once they are in the
  ///     history.
  func storePage(_ entries: [VerifiedEntry], stable: UInt64) throws -> PageOutcome

  /// Begins to do what `storePage` does, and gives what waits for its end.
  ///
  /// It is called once, before the next page is begun and before anything else is changed. What is
  /// read meanwhile is the state before the page, or the one after it. One that stores at once does
  /// nothing here but call `storePage`.
  func beginStoringPage(_ entries: [VerifiedEntry], stable: UInt64) throws
    -> () throws -> PageOutcome

  // MARK: What is pending

  /// Transactions that are not in the log as read, after `sequence`, in order.
  ///
  /// At least one where there is any; then as many as fit both limits. Bytes are those of bodies.
  func pending(after sequence: UInt64, maxCount: Int, maxBytes: Int) throws -> [PendingTransaction]

  /// The id of this device's transaction at `sequence`, pending or in the log; nil where it was
  /// never made, or is no longer known.
  func ownTransaction(at sequence: UInt64) throws -> TransactionID?

  /// Remembers what the server said it had of this device.
  func acknowledge(_ transaction: AcknowledgedTransaction) throws

  /// Makes a pending transaction into a void placeholder that only uses up its sequence.
  func void(_ rejected: RejectedTransaction) throws

  /// Takes a new device id: what is pending is numbered anew from 1, under the same ids.
  ///
  /// Nothing is known to be acknowledged then.
  ///
  /// What the old device has in the log stays, as another device's.
  /// - Returns: The new id.
  func takeNewIdentity() throws -> DeviceID

  /// Notes that the server's log was not the one known, at the present time.
  func recordDivergence() throws

  // MARK: Building the state anew from another log

  /// How far the log of a rebuilding has been read; nil where none is under way.
  func rebuildPosition() throws -> LogPosition?

  /// Begins to read a log from its start, beside the state, which stays as it is.
  func beginRebuild() throws

  /// Adds a page to the log that is read beside the state.
  func stagePage(_ entries: [VerifiedEntry]) throws

  /// Keeps a copy of the state as it is, before entries of it are given up.
  func keepCopy() throws

  /// Replaces the accepted state by that of the log read beside it.
  ///
  /// What is pending, and is not in that log, stays pending.
  func finishRebuild(_ end: RebuildEnd) throws -> PageOutcome

  /// Notes that the server's side counts, after the store was restored from a backup.
  func keepServerSide() throws

  /// Drops the log that is read beside the state.
  func abandonRebuild() throws

  // MARK: The market

  /// Adds a page of price tables and moves the position, both or neither.
  ///
  /// - Returns: How many tables were new or changed.
  func storeTables(_ page: PriceTablesPage) throws -> Int

  /// Begins to do what `storeTables` does, as `beginStoringPage` does with a page of the log.
  func beginStoringTables(_ page: PriceTablesPage) throws -> () throws -> Int

  /// Adds a page of the asset table; the table and its tag count once the last page is there.
  func storeAssets(_ page: AssetsPage) throws

  /// Makes the snapshots that are due, and those anew that are out of date.
  func makeDueSnapshots() throws -> SnapshotOutcome
}

extension SyncStorage {
  package func beginStoringPage(_ entries: [VerifiedEntry], stable: UInt64) throws
    -> () throws -> PageOutcome
  {
    let outcome = try storePage(entries, stable: stable)
    return { outcome }
  }

  package func beginStoringTables(_ page: PriceTablesPage) throws -> () throws -> Int {
    let changedCount = try storeTables(page)
    return { changedCount }
  }
}

/// How the building of a state from another log ends.
package struct RebuildEnd: Hashable, Sendable {
  /// The account of that log.
  package var account: AccountID
  /// The log's id.
  package var log: LogID
  /// The server's mark.
  package var stable: UInt64
  /// Kept entries, by their place in the log held so far, that the server could not take as their
  /// devices' own.
  ///
  /// Those of them that the new log does not have under their ids become pending here,
  /// under the same ids.
  package var unplaced: [UInt64]
  /// Whether what the store shows is to stay as it is, by transactions that undo the difference.
  ///
  /// The question which side counts, after a restore from a backup, is answered with it.
  package var bringsBackShown: Bool
  /// An end of those members.
  package init(
    account: AccountID, log: LogID, stable: UInt64, unplaced: [UInt64] = [],
    bringsBackShown: Bool = false
  ) {
    self.account = account
    self.log = log
    self.stable = stable
    self.unplaced = unplaced
    self.bringsBackShown = bringsBackShown
  }
}
