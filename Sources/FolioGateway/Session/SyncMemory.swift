import FolioDomain

/// What a sync remembers from one connection to the next.
package struct SyncMemory: Sendable {
  /// What the sync has come to so far.
  package internal(set) var summary = SyncSummary()
  /// How often something durable came of it; a login is none.
  package internal(set) var progressCount = 0

  /// Up to where own transactions are counted as pushed.
  var countedSequence: UInt64?
  /// How often a batch that began at that sequence has failed.
  var failedBatch: (first: UInt64, last: UInt64, count: Int)?
  /// How often this sync took a new identity.
  var identityRenewals = 0
  /// Whether the server has answered at all.
  var hasMetServer = false

  /// The memory of a sync that has not begun.
  package init() {}

  /// Counts own transactions that the server turns out to have.
  mutating func noteAcked(_ sequence: UInt64) {
    guard let counted = countedSequence else { return }
    guard sequence > counted else { return }
    summary.pushed += Int(sequence - counted)
    countedSequence = sequence
    progressCount += 1
    if let failed = failedBatch, sequence >= failed.last { failedBatch = nil }
  }

  /// Notes that a batch came to nothing, whether by an error or with its connection.
  mutating func noteFailedBatch(first: UInt64, last: UInt64) {
    if let failed = failedBatch, failed.first == first {
      failedBatch = (first, max(failed.last, last), failed.count + 1)
    } else {
      failedBatch = (first, last, 1)
    }
  }

  /// Whether transactions are to be sent one by one, from `sequence` on.
  func sendsSingly(from sequence: UInt64) -> Bool {
    guard let failed = failedBatch, failed.count >= 2 else { return false }
    return sequence >= failed.first && sequence <= failed.last
  }
}
