internal import FolioDomain
internal import LMDB

/// How many snapshots were made.
public struct SnapshotsMade: Hashable, Sendable {
  /// Snapshots of slots that had none.
  public var made = 0
  /// Snapshots made anew, because what they rest on has changed.
  public var remade = 0
  /// None.
  public init() {}
}

extension Store {
  /// Makes the snapshots of closed slots that have none, and those anew that are out of date; no
  /// others.
  ///
  /// In several storage transactions: interrupted, it goes on where it was the next time.
  /// - Parameter progress: Told how many are made, of how many.
  /// - Complexity: O(slots to be made x assets), beside reading their tables.
  public func makeDueSnapshots(progress: ((Int, Int) -> Void)? = nil) throws -> SnapshotsMade {
    var total = SnapshotsMade()
    var walk: SnapshotWalk?
    var basis: SnapshotBasis?
    var count = 0
    while true {
      let step = try write { transaction in
        let present = try transaction.reading.snapshotBasis()
        let resumable = present == basis ? walk : nil
        return (present, try transaction.makeSnapshots(continuing: resumable))
      }
      basis = step.0
      walk = step.1.walk
      total.made += step.1.result.made
      total.remade += step.1.result.remade
      let done = total.made + total.remade
      count = max(count, done + step.1.leftCount)
      if done > 0 { progress?(done, count) }
      if step.1.leftCount == 0 { return total }
    }
  }
}

/// What snapshots rest on: a walk goes on in another storage transaction only where it is the same.
struct SnapshotBasis: Hashable {
  var position: LogPosition?
  var epoch: UInt64?
  var revision: UInt64?
  var assetsTag: Hash256?
}

/// What one storage transaction made of the snapshots that are due.
struct SnapshotStep {
  var result = SnapshotsMade()
  var leftCount = 0
  var walk: SnapshotWalk?
}

extension StoreWriteTransaction {
  /// How many snapshots are made in one storage transaction.
  private static var batchCount: Int { 2_048 }

  mutating func makeSnapshots(continuing walk: SnapshotWalk?) throws -> SnapshotStep {
    let due = try reading.dueSnapshots()
    var step = SnapshotStep(leftCount: due.made.count + due.remade.count, walk: walk)
    var all = due.made
    all.formUnion(due.remade)
    for run in all.runs {
      let room = Self.batchCount - step.result.made - step.result.remade
      if room <= 0 { break }
      let last = min(run.upperBound, Slot(index: run.lowerBound.index + Int64(room) - 1))
      if step.walk?.walker.slot != run.lowerBound {
        step.walk = try reading.beginWalk(at: run.lowerBound)
      }
      guard var walk = step.walk else { continue }
      var records: [(Slot, SnapshotRecord)] = []
      try reading.walk(&walk, through: last) { walk in
        records.append((walk.walker.slot, SnapshotRecord(&walk.walker)))
      }
      step.walk = walk
      for (slot, record) in records {
        try base.append(spaces.snapshots, Keys.slot(slot), record.record)
        if due.remade.contains(slot) { step.result.remade += 1 } else { step.result.made += 1 }
      }
      step.leftCount -= records.count
    }
    return step
  }

  // MARK: Marking

  /// Marks the snapshots that a transaction concerns which took effect at a time.
  mutating func markStale(byTransactionAt time: Timestamp) throws {
    guard let last = try reading.lastSnapshotSlot() else { return }
    let concerned = ConcernedSnapshots(rules: try reading.pricingRules(), through: last)
    try markStale(concerned.byTransaction(effectiveAt: time))
  }

  /// Marks the snapshots that corrected or late tables concern.
  mutating func markStale(byTables corrected: [Slot: Set<AssetKey>]) throws {
    if corrected.isEmpty { return }
    guard let last = try reading.lastSnapshotSlot() else { return }
    let concerned = ConcernedSnapshots(rules: try reading.pricingRules(), through: last)
    var runs: [AssetKey: [ClosedRange<Slot>]] = [:]
    var slots = SlotSet()
    for (slot, assets) in corrected {
      slots.formUnion(
        try concerned.byTable(
          of: slot, changed: assets,
          nextObservation: { try reading.nextObservation(of: $0, after: $1) },
          heldRuns: { asset in
            if let known = runs[asset] { return known }
            let found = try reading.heldRuns(of: asset, concerned)
            runs[asset] = found
            return found
          }))
    }
    try markStale(slots)
  }

  /// Marks the snapshots that a change of the asset table's successions concerns.
  mutating func markStale(bySuccessionsFrom old: Successions) throws {
    guard let last = try reading.lastSnapshotSlot() else { return }
    let concerned = ConcernedSnapshots(rules: try reading.pricingRules(), through: last)
    try markStale(
      try concerned.bySuccessions(from: old) { try reading.heldRuns(of: $0, concerned) })
  }

  mutating func markAllStale() throws {
    guard let range = try reading.snapshotRange() else { return }
    try markStale(SlotSet(range))
  }

  private mutating func markStale(_ slots: SlotSet) throws {
    guard let range = try reading.snapshotRange() else { return }
    for run in slots.runs where run.overlaps(range) {
      for slot in run.clamped(to: range) {
        let key = Keys.slot(slot)
        guard try base.contains(spaces.snapshots, key) else { continue }
        try base.put(spaces.snapshots, key, SnapshotRecord.outOfDateRecord)
      }
    }
  }
}

extension SnapshotRecord {
  /// The snapshot at the walker's slot.
  fileprivate init(_ walker: inout SnapshotWalker) {
    let totals = walker.totals()
    self = .made(
      digest: walker.digest(using: SnapshotHash.self), assetCount: totals.assetCount,
      unpricedCount: totals.unpricedCount, staleCount: totals.staleCount)
  }
}
