internal import FolioDomain
internal import LMDB
internal import Synchronization

/// What all transactions of an open store share.
final class StoreContext: Sendable {
  let spaces: Spaces
  let clock: any WallClock
  let random: any RandomSource
  let instance: InstanceID
  let outboxLimits: OutboxLimits
  /// What the program understands of operations.
  let operationLevel: UInt64
  /// The databases of each name, by its place.
  private let marks: [DatabaseMarks]
  let hub: ChangeHub
  /// The holdings of the latest state that was read.
  let holdings = HoldingCache()

  private let session = Mutex(Session())
  private let market = Mutex<PresentMarket?>(nil)

  init(_ spaces: Spaces, _ options: StoreOptions, _ hub: ChangeHub) {
    self.spaces = spaces
    self.hub = hub
    marks = StoredName.all.map { DatabaseMarks($0.databases(spaces)) }
    clock = options.clock
    random = options.random
    outboxLimits = options.outbox
    operationLevel = options.operationLevel
    instance = InstanceID(options.random.next128())
  }

  /// What every price of the present is found by, as a state has it; read where it was read before.
  ///
  /// - Parameter transaction: The number of the state.
  func presentMarket(
    at transaction: UInt64, _ read: () throws -> PresentMarket
  ) rethrows -> PresentMarket {
    if let known = market.withLock({ $0 }), known.transaction == transaction { return known }
    let found = try read()
    market.withLock { known in
      if (known?.transaction ?? 0) < transaction { known = found }
    }
    return found
  }

  /// The names of what is in those databases.
  func names(of touched: DatabaseMarks) -> StoredNames {
    StoredNames(places: marks.indices.lazy.filter { self.marks[$0].meets(touched) })
  }

  /// Takes over what a write that has committed learned.
  func merge(_ changes: SessionChanges) {
    if changes.isEmpty { return }
    session.withLock { $0.merge(changes) }
  }

  /// The running digest that was remembered last.
  func lastDigest() -> RunningDigest? {
    session.withLock { $0.digests.last }
  }

  /// The running digest at a position, where this opening has read it lately.
  func digest(at seq: UInt64) -> RunningDigest? {
    session.withLock { $0.digest(at: seq) }
  }

  /// Whether own entries are remembered that were taken in before this opening.
  var hasReadOwn: Bool { session.withLock { $0.hasReadOwn } }

  /// The seq of the last own entry that touched an asset, where this opening has read it.
  func ownEntry(touching asset: AssetKey) -> UInt64? {
    session.withLock { $0.ownEntries[asset] }
  }
}
