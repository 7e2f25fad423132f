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
///
/// An object, since each read of one asset asks for it.
final class PresentMarket: Sendable {
  /// The number of the state that it is of.
  let transaction: UInt64
  let slot: Slot
  let rules: PricingRules
  /// The key among assets of the currency that prices are in.
  let baseKey: [UInt8]

  init(transaction: UInt64, slot: Slot, rules: PricingRules) throws {
    self.transaction = transaction
    self.slot = slot
    self.rules = rules
    baseKey = try Keys.asset(rules.base).bytes
  }

  /// Whether the price of an asset is that of its own tables.
  @inline(__always)
  func isPricedByItself(_ key: RawSpan) -> Bool {
    if !rules.successions.isEmpty { return false }
    let baseKey = baseKey
    let base = baseKey.span
    let isBase = unsafe base.bytes.isEqual(to: key)
    return !isBase
  }
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
