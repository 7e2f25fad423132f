public import FolioDomain

/// An entry with the hash of the chain after it.
public struct ChainedEntry: Hashable, Sendable {
  /// The entry, whole.
  public var entry: LogEntry
  /// The hash of the chain after it, which the caller has checked.
  public var hash: Hash256
  /// `entry`, after which the chain has `hash`.
  public init(_ entry: LogEntry, hash: Hash256) {
    self.entry = entry
    self.hash = hash
  }

  /// The place after the entry.
  public var position: LogPosition { LogPosition(seq: entry.seq, hash: hash) }
}

/// What a page of the log came to.
public struct PageResult: Hashable, Sendable {
  /// How many own transactions came back, and are no longer pending.
  public var ownCount = 0
  /// How many entries of other devices there were.
  public var foreignCount = 0
  /// Assets that were changed elsewhere by somebody who had not read an edit made here, nor was that
  /// read here when the edit was made; each once, in the order of meeting.
  public var changedOnBothSides: [AssetKey] = []
  /// What could not be applied, or is at odds with what was read.
  public var remarks: [LogRemark] = []
  /// The newest state digest that a transaction of the page told and this opening could compare.
  public var witness: Witness?
  /// How many transactions were made to bring back what the store showed.
  public var compensationCount = 0

  /// A page of nothing.
  public init() {}

  /// How many bodies cannot be read by anybody.
  public var unreadableCount: Int { remarks.count { $0.kind == .unreadableBody } }
}

/// A state digest that another device told, compared with this store's.
public struct Witness: Hashable, Sendable {
  /// Where both had read the log up to.
  public var position: LogPosition
  /// Whether they had the same state there.
  public var agrees: Bool
  /// A comparison at `position`.
  public init(position: LogPosition, agrees: Bool) {
    self.position = position
    self.agrees = agrees
  }
}

/// Something to be said of an entry that holds up nothing.
public struct LogRemark: Hashable, Sendable {
  /// What is to be said.
  @nonexhaustive
  public enum Kind: UInt8, Hashable, Sendable, CaseIterable {
    /// The body cannot be read; the transaction has no effect, for anybody.
    case unreadableBody = 1
    /// The entry or an operation in it is of a form that this version does not know; it takes effect
    /// after an upgrade.
    case needsNewerVersion = 3
    /// The entry's writer had read this same log and has another hash there: the server has shown the
    /// two devices different logs.
    case otherLogSeen = 4
    /// The entry's writer had another state at the same place of the log.
    case otherStateSeen = 5

    /// A stable name.
    public var code: String {
      switch self {
      case .unreadableBody: "unreadableBody"
      case .needsNewerVersion: "needsNewerVersion"
      case .otherLogSeen: "otherLogSeen"
      case .otherStateSeen: "otherStateSeen"
      }
    }
  }

  /// The entry.
  public var seq: UInt64
  /// What is to be said.
  public var kind: Kind
  /// A remark on entry `seq`.
  public init(seq: UInt64, kind: Kind) {
    self.seq = seq
    self.kind = kind
  }
}
