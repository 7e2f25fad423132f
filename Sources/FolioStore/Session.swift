internal import FolioDomain

/// What an open store remembers of what it read, and forgets when it is closed.
///
/// Nothing here is needed to be right: it makes it possible to say more about a sync.
struct Session: Sendable {
  /// How many positions the running digests are kept for.
  static let digestsMax = 4_096

  /// The last positions of the log read by this opening, in order and without a gap.
  private(set) var digests: [RunningDigest] = []
  /// The seq of the last own entry that touched an asset, of those read by this opening.
  private(set) var ownEntries: [AssetKey: UInt64] = [:]
  /// Whether those are among them that were taken in before this opening.
  private(set) var hasReadOwn = false

  mutating func merge(_ changes: SessionChanges) {
    if changes.isReset {
      digests = []
      ownEntries = [:]
      hasReadOwn = false
    }
    if let first = changes.digests.first, let last = digests.last, last.seq + 1 != first.seq {
      digests = []
    }
    digests.append(contentsOf: changes.digests)
    if digests.count > 2 * Self.digestsMax {
      digests.removeFirst(digests.count - Self.digestsMax)
    }
    ownEntries.merge(changes.ownEntries) { max($0, $1) }
    if changes.hasReadOwn { hasReadOwn = true }
  }

  /// The running digest at a position, where it is among the last that are kept.
  func digest(at seq: UInt64) -> RunningDigest? {
    RunningDigest.find(seq, in: digests)
  }
}

/// The hash of the log and the state digest after an entry.
struct RunningDigest: Sendable {
  var seq: UInt64
  var hash: Hash256
  var state: Hash256

  static func find(_ seq: UInt64, in digests: [RunningDigest]) -> RunningDigest? {
    guard let first = digests.first, seq >= first.seq, seq - first.seq < digests.count else {
      return nil
    }
    return digests[Int(seq - first.seq)]
  }
}

/// What a write adds to what an open store remembers.
///
/// An object, since the compiler cannot move a noncopyable value that has such a member.
final class SessionChanges {
  /// Whether what was remembered belongs to a log that is not held any more.
  var isReset = false
  var digests: [RunningDigest] = []
  var ownEntries: [AssetKey: UInt64] = [:]
  var hasReadOwn = false
  /// The indexes of collections, as the transaction has read them; not for others.
  private(set) var indexes: [CollectionName: [IndexRecord]] = [:]

  /// Keeps what was read of a collection's indexes, for the rest of the transaction.
  func remember(_ indexes: [IndexRecord], of collection: CollectionName) {
    self.indexes[collection] = indexes
  }

  /// The collections whose documents the transaction has changed, nil for all; not for others.
  private(set) var collections: Set<CollectionName>? = []

  /// The one noted last: documents of one collection mostly change together.
  private var lastCollection: CollectionName?

  /// Counts a collection among those whose documents have changed.
  func note(_ collection: CollectionName) {
    if lastCollection == collection { return }
    collections?.insert(collection)
    lastCollection = collection
  }

  /// What stands for the types that the transaction has come across; not for others.
  private var typeNumbers: [DocumentType: UInt128] = [:]

  /// What stands for the text of a document's type; see `DocumentListing`.
  func number(ofType text: String) -> UInt128 {
    let type = DocumentType(text: text)
    if let known = typeNumbers[type] { return known }
    // Types are few. Where they are not, what was found before is of no use.
    if typeNumbers.count >= 256 { typeNumbers = [:] }
    let number = DocumentListing.number(ofType: text)
    typeNumbers[type] = number
    return number
  }

  /// Counts all collections among them.
  func noteAllCollections() { collections = nil }

  /// Has indexes read anew.
  func forgetIndexes() { indexes = [:] }

  /// Adds what a page told.
  ///
  /// Here and not where a transaction holds this object: there the thread sanitizer's build takes
  /// a change in place for an escape of the transaction.
  func add(_ work: PageWork) {
    digests.append(contentsOf: work.digests)
    ownEntries.merge(work.ownEntries) { max($0, $1) }
  }

  var isEmpty: Bool { !isReset && !hasReadOwn && digests.isEmpty && ownEntries.isEmpty }

  func clear() {
    isReset = false
    digests = []
    ownEntries = [:]
    hasReadOwn = false
  }
}

/// The text of a document's type.
private struct DocumentType: ByteText {
  let text: String
}
