internal import LMDB

/// What a check of every rule that a store must obey has found.
public struct IntegrityReport: Hashable, Sendable {
  /// How many records were looked at.
  public var checkedCount = 0
  /// What is wrong, in the order of finding; none where the store is whole.
  public var problems: [IntegrityProblem] = []

  /// Whether nothing is wrong.
  public var isSound: Bool { problems.isEmpty }

  /// Nothing checked.
  public init() {}

  /// What a look at pages and records has found.
  init(_ found: Verification) {
    checkedCount = found.tables.reduce(0) { $0 + $1.recordCount }
    for damage in found.damages {
      add(damage.isOfRecords ? .damagedRecord : .damagedPages, damage.table ?? "", damage.what)
    }
  }

  mutating func add(_ rule: IntegrityProblem.Rule, _ space: String, _ place: String = "") {
    problems.append(IntegrityProblem(rule: rule, space: space, place: place))
  }
}

/// A rule that a store breaks, and where.
public struct IntegrityProblem: Hashable, Sendable {
  /// The rules that are checked.
  @nonexhaustive
  public enum Rule: String, Hashable, Sendable, CaseIterable {
    /// The file's pages are what its trees say.
    case damagedPages
    /// Every record's checksum fits, and it is what its space holds.
    case damagedRecord
    /// The store says what format it has.
    case formatMissing
    /// Each listed asset is in exactly one category, the one its data names, with the record that it
    /// has by itself.
    case categoriesDiffer
    /// An asset's amount and category are what its history and the outbox come to, its price is that
    /// of the tables, and it is listed exactly where it should be.
    case holdingDiffers
    /// The index of the history by asset has the same rows.
    case historyIndexDiffers
    /// The state digest is that of all accepted data.
    case stateDigestDiffers
    /// The kept entries follow each other to the cursor, each with the hash the chain gives.
    case chainBroken
    /// A body is that which its entry's hash is of.
    case bodyDiffers
    /// The id that is known of an entry's transaction is that of the entry.
    case transactionIdDiffers
    /// A device's record is that of its last entry.
    case deviceDiffers
    /// The cursor is not ahead of what is held.
    case cursorAhead
    /// An entry of which something waits for a newer program is kept whole, and counted.
    case waitingDiffers
    /// The outbox's counts and indexes are those of its transactions, and its sequences have no gap.
    case outboxDiffers
    /// A document's place in the lists is the one its state gives it.
    case documentIndexDiffers
    /// The index of prices is that of the tables.
    case priceIndexDiffers
    /// What is known of successors is what the asset table says.
    case successionsDiffer
    /// A snapshot's digest is that of what is held and what it cost.
    case snapshotDiffers
    /// There are snapshots of closed slots alone.
    case snapshotNotClosed
  }

  /// The rule.
  public var rule: Rule
  /// The space it is broken in.
  public var space: String
  /// Where there: a slot, a sequence, or nothing where it is the whole space.
  ///
  /// Never what a record holds.
  public var place: String

  /// The rule's stable name.
  public var code: String { rule.rawValue }
}
