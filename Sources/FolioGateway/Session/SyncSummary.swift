public import FolioDomain

/// What a sync came to.
public struct SyncSummary: Hashable, Sendable {
  /// Own transactions that the server has now and had not before.
  public var pushed = 0
  /// Entries of other devices that were read and are now part of this store.
  public var pulled = 0
  /// Entries that the server had lost and was given again.
  public var refilled = 0
  /// Price tables that were new or changed.
  public var priceTables = 0
  /// Snapshots of slots that had none.
  public var snapshots = 0
  /// Snapshots made anew, because what they rest on has changed.
  public var remade = 0
  /// Where the server's log and this store's both end.
  public var head: LogPosition?
  /// Own transactions that cannot be accepted.
  public var rejected: [RejectedTransaction] = []
  /// Assets that were changed elsewhere while an edit of theirs was pending here, each once.
  public var changedOnBothSides: [AssetKey] = []
  /// The server's clock less this device's, in milliseconds.
  public var skewMilliseconds: Int64 = 0
  /// The id that this store took, where it was found to be a copy of another.
  public var newDevice: DeviceID?
  /// Whether the state was built anew, because the server's log had parted from this store's.
  public var rebuilt = false
  /// Transactions that bring back what a restored backup holds.
  public var compensations = 0
  /// Bodies that nobody can read; their transactions have no effect.
  public var unreadableBodies = 0
  /// When the server makes its next price table, by its clock.
  public var nextTables: Timestamp?

  /// Entries whose writer was shown another log under the id of this one.
  public var atOdds: [UInt64] = []
  /// The newest state digest of another device that could be compared.
  public var witness: StateWitness?

  /// A sync that has done nothing.
  public init() {}

  mutating func add(_ outcome: PageOutcome) {
    atOdds += outcome.atOdds
    witness = outcome.witness ?? witness
    unreadableBodies += outcome.unreadableBodies
    compensations += outcome.compensations
    for asset in outcome.changedOnBothSides where !changedOnBothSides.contains(asset) {
      changedOnBothSides.append(asset)
    }
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

/// How far a sync is, for those who show it.
public enum SyncProgress: Hashable, Sendable {
  /// Connected to a server of that name and version.
  case connected(String)
  /// Entries read, of how many there are to read.
  case pulled(Int, of: Int)
  /// Transactions sent and taken.
  case pushed(Int)
  /// Entries given again to a server that had lost them, of how many.
  case refilled(Int, of: Int)
  /// Price tables read.
  case tables(Int)
  /// The snapshots that are due are being made.
  case makingSnapshots
  /// The connection ended; the next attempt begins in that many milliseconds.
  case waiting(milliseconds: Int64, reason: SyncError)
}
