package import FolioDomain

/// What a client knows of its account, its server and its own log when a connection begins.
package struct SyncState: Hashable, Sendable {
  /// The device, as which this store writes.
  package var device: DeviceID
  /// This opening of the store.
  package var instance: InstanceID
  /// The account, once a server has told it.
  package var account: AccountID?
  /// The server that was last spoken to.
  package var server: ServerID?
  /// The log that was last read.
  package var log: LogID?
  /// How far the log has been read; nil before the first page.
  package var cursor: LogPosition?
  /// The first entry from which on every entry up to the cursor is kept whole, so that a server
  /// could be filled with them.
  ///
  /// One past the cursor where none is kept.
  package var keptFrom: UInt64
  /// The server's mark, as it was last told.
  package var stable: UInt64
  /// The last transaction of this device that the server said it had.
  package var acknowledged: AcknowledgedTransaction?
  /// The sequence of the last transaction that this store has made; 0 before the first.
  package var lastSequence: UInt64
  /// How far price tables have been read; nil before the first page.
  package var market: MarketPosition?
  /// The tag of the asset table that is held.
  package var assetsTag: Hash256?
  /// Divergences met in the last 24 hours that were not mere pulling.
  package var recentDivergences: Int
  /// Whether another log is being read beside the state.
  package var isRebuilding: Bool
  /// Whether the store was restored from a backup, and nobody has said which side counts.
  package var isRestoredBackup = false

  /// The state of a store of `device`, that has met no server unless told otherwise.
  package init(
    device: DeviceID, instance: InstanceID, account: AccountID? = nil, server: ServerID? = nil,
    log: LogID? = nil, cursor: LogPosition? = nil, keptFrom: UInt64 = 1, stable: UInt64 = 0,
    acknowledged: AcknowledgedTransaction? = nil, lastSequence: UInt64 = 0,
    market: MarketPosition? = nil, assetsTag: Hash256? = nil, recentDivergences: Int = 0,
    isRebuilding: Bool = false
  ) {
    self.device = device
    self.instance = instance
    self.account = account
    self.server = server
    self.log = log
    self.cursor = cursor
    self.keptFrom = keptFrom
    self.stable = stable
    self.acknowledged = acknowledged
    self.lastSequence = lastSequence
    self.market = market
    self.assetsTag = assetsTag
    self.recentDivergences = recentDivergences
    self.isRebuilding = isRebuilding
  }
}

/// A server: 128 random bits, made with its folder.
package struct ServerID: Hashable, Sendable {
  /// The bits, first byte most significant.
  package var value: UInt128
  /// The id of those bits.
  package init(_ value: UInt128) { self.value = value }
}

/// The last transaction of a device that a server has taken.
package struct AcknowledgedTransaction: Hashable, Sendable {
  /// Its place among the device's transactions.
  package var sequence: UInt64
  /// Its identity.
  package var id: TransactionID
  /// The transaction of that place and identity.
  package init(sequence: UInt64, id: TransactionID) {
    self.sequence = sequence
    self.id = id
  }
}

/// A transaction of this store that has not come back in the log.
package struct PendingTransaction: Hashable, Sendable {
  /// The transaction, with its exact bytes.
  package var transaction: Envelope
  /// Whether it only uses up its sequence, because what it said could never be accepted.
  package var isVoid: Bool
  /// A pending transaction.
  package init(_ transaction: Envelope, isVoid: Bool = false) {
    self.transaction = transaction
    self.isVoid = isVoid
  }
}

/// An entry whose place in the chain has been checked.
package struct VerifiedEntry: Hashable, Sendable {
  /// The entry, its body never left out.
  package var entry: LogEntry
  /// The hash of the chain after it.
  package var hash: Hash256
  /// `entry`, after which the chain has `hash`.
  package init(_ entry: LogEntry, hash: Hash256) {
    self.entry = entry
    self.hash = hash
  }

  /// The place after the entry.
  package var position: LogPosition { LogPosition(seq: entry.seq, hash: hash) }
}

/// What storing a page of the log came to.
package struct PageOutcome: Hashable, Sendable {
  /// Assets that the page changed for others while this store had an edit of theirs pending.
  package var changedOnBothSides: [AssetKey]
  /// Bodies that could not be read; their transactions have no effect, for anybody.
  package var unreadableBodies: Int
  /// Entries whose writer saw this log, by its id, with other entries in it.
  package var atOdds: [UInt64]
  /// The newest state digest of another device that the page told and that could be compared.
  package var witness: StateWitness?
  /// Transactions that were made to bring back what the store showed.
  package var compensations = 0
  /// An outcome of those members.
  package init(
    changedOnBothSides: [AssetKey] = [], unreadableBodies: Int = 0, atOdds: [UInt64] = [],
    witness: StateWitness? = nil
  ) {
    self.changedOnBothSides = changedOnBothSides
    self.unreadableBodies = unreadableBodies
    self.atOdds = atOdds
    self.witness = witness
  }
}

/// How many snapshots were made.
package struct SnapshotOutcome: Hashable, Sendable {
  /// Snapshots of slots that had none.
  package var made: Int
  /// Snapshots made anew, because what they rest on has changed.
  package var remade: Int
  /// An outcome of those counts.
  package init(made: Int = 0, remade: Int = 0) {
    self.made = made
    self.remade = remade
  }
}
