public import FolioDomain

/// What a client knows of its account, its server and its own log when a connection begins.
public struct SyncState: Hashable, Sendable {
  /// The device, as which this store writes.
  public var device: DeviceID
  /// This opening of the store.
  public var instance: InstanceID
  /// The account, once a server has told it.
  public var account: AccountID?
  /// The server that was last spoken to.
  public var server: ServerID?
  /// The log that was last read.
  public var log: LogID?
  /// How far the log has been read; nil before the first page.
  public var cursor: LogPosition?
  /// The first entry from which on every entry up to the cursor is kept whole, so that a server
  /// could be filled with them.
  ///
  /// One past the cursor where none is kept.
  public var keptFrom: UInt64
  /// The server's mark, as it was last told.
  public var stable: UInt64
  /// The last transaction of this device that the server said it had.
  public var acknowledged: AcknowledgedTransaction?
  /// The sequence of the last transaction that this store has made; 0 before the first.
  public var lastSequence: UInt64
  /// How far price tables have been read; nil before the first page.
  public var market: MarketPosition?
  /// The tag of the asset table that is held.
  public var assetsTag: Hash256?
  /// Divergences met in the last 24 hours that were not mere pulling.
  public var recentDivergences: Int
  /// Whether another log is being read beside the state.
  public var isRebuilding: Bool
  /// Whether the store was restored from a backup, and nobody has said which side counts.
  public var isRestoredBackup = false

  /// The state of a store of `device`, that has met no server unless told otherwise.
  public init(
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
public struct ServerID: Hashable, Sendable {
  /// The bits, first byte most significant.
  public var value: UInt128
  /// The id of those bits.
  public init(_ value: UInt128) { self.value = value }
}

/// The last transaction of a device that a server has taken.
public struct AcknowledgedTransaction: Hashable, Sendable {
  /// Its place among the device's transactions.
  public var sequence: UInt64
  /// Its identity.
  public var id: TransactionID
  /// The transaction of that place and identity.
  public init(sequence: UInt64, id: TransactionID) {
    self.sequence = sequence
    self.id = id
  }
}

/// A transaction of this store that has not come back in the log.
public struct PendingTransaction: Hashable, Sendable {
  /// The transaction, with its exact bytes.
  public var transaction: Envelope
  /// Whether it only uses up its sequence, because what it said could never be accepted.
  public var isVoid: Bool
  /// A pending transaction.
  public init(_ transaction: Envelope, isVoid: Bool = false) {
    self.transaction = transaction
    self.isVoid = isVoid
  }
}

/// An entry whose place in the chain has been checked.
public struct VerifiedEntry: Hashable, Sendable {
  /// The entry, its body never left out.
  public var entry: LogEntry
  /// The hash of the chain after it.
  public var hash: Hash256
  /// `entry`, after which the chain has `hash`.
  public init(_ entry: LogEntry, hash: Hash256) {
    self.entry = entry
    self.hash = hash
  }

  /// The place after the entry.
  public var position: LogPosition { LogPosition(seq: entry.seq, hash: hash) }
}

/// What storing a page of the log came to.
public struct PageOutcome: Hashable, Sendable {
  /// Assets that the page changed for others while this store had an edit of theirs pending.
  public var changedOnBothSides: [AssetKey]
  /// Bodies that could not be read; their transactions have no effect, for anybody.
  public var unreadableBodies: Int
  /// Entries whose writer saw this log, by its id, with other entries in it.
  public var atOdds: [UInt64]
  /// The newest state digest of another device that the page told and that could be compared.
  public var witness: StateWitness?
  /// Transactions that were made to bring back what the store showed.
  public var compensations = 0
  /// An outcome of those members.
  public init(
    changedOnBothSides: [AssetKey] = [], unreadableBodies: Int = 0, atOdds: [UInt64] = [],
    witness: StateWitness? = nil
  ) {
    self.changedOnBothSides = changedOnBothSides
    self.unreadableBodies = unreadableBodies
    self.atOdds = atOdds
    self.witness = witness
  }
}

/// A comparison of this store's state with that of another device at the same place of the log.
public struct StateWitness: Hashable, Sendable {
  /// The place.
  public var position: LogPosition
  /// Whether both had the same state there, to the byte.
  public var agrees: Bool
  /// A comparison at `position`.
  public init(position: LogPosition, agrees: Bool) {
    self.position = position
    self.agrees = agrees
  }
}

/// How many snapshots were made.
public struct SnapshotOutcome: Hashable, Sendable {
  /// Snapshots of slots that had none.
  public var made: Int
  /// Snapshots made anew, because what they rest on has changed.
  public var remade: Int
  /// An outcome of those counts.
  public init(made: Int = 0, remade: Int = 0) {
    self.made = made
    self.remade = remade
  }
}

/// A transaction of this device that cannot be accepted.
public struct RejectedTransaction: Hashable, Sendable {
  /// Its identity.
  public var id: TransactionID
  /// Its place among the device's transactions, which a void entry uses up.
  public var sequence: UInt64
  /// Why, as a stable code.
  public var reason: String
  /// A rejected transaction.
  public init(id: TransactionID, sequence: UInt64, reason: String) {
    self.id = id
    self.sequence = sequence
    self.reason = reason
  }
}
