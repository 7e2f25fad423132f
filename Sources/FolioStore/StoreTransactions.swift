internal import FolioDomain
internal import LMDB

/// One state of a store, seen as it was when the read began.
///
/// It lives inside the closure it is handed to; what its functions return may leave.
public struct StoreReadTransaction: ~Copyable, ~Escapable {
  let base: ReadTransaction
  let context: StoreContext
  /// What was read once and stays; nil where the state may change.
  let cache: ReadCache?

  @_lifetime(copy base)
  init(_ base: consuming ReadTransaction, _ context: StoreContext, cache: ReadCache? = nil) {
    self.base = base
    self.context = context
    self.cache = cache
  }

  var spaces: Spaces { context.spaces }
}

/// What every price of the present is found by.
struct PresentMarket: Sendable {
  /// The number of the state that it is of.
  var transaction: UInt64
  var slot: Slot
  var rules: PricingRules
}

/// What a read transaction needs for each asset and reads once.
final class ReadCache {
  var market: PresentMarket?
  /// The pending transaction that was read last for what it does to a document.
  var lastPending: (sequence: UInt64, record: PendingRecord)?
}

/// The changes of one write, seen by nobody else until it commits.
///
/// Everything it changes happens, or nothing does. What it has changed so far is read through
/// ``reading``.
public struct StoreWriteTransaction: ~Copyable, ~Escapable {
  var base: WriteTransaction
  let context: StoreContext
  /// What the open store is to remember where this commits.
  let session = SessionChanges()

  @_lifetime(copy base)
  init(_ base: consuming WriteTransaction, _ context: StoreContext) {
    self.base = base
    self.context = context
  }

  var spaces: Spaces { context.spaces }

  /// The state with the changes made so far, for everything that reads.
  public var reading: StoreReadTransaction {
    @_lifetime(borrow self)
    get { StoreReadTransaction(base.reading, context) }
  }

  /// Makes the write end without changing anything when its closure returns.
  public mutating func cancel() {
    session.clear()
    base.cancel()
  }

  @_lifetime(copy self)
  consuming func end() -> WriteTransaction { base }
}
