internal import FolioDomain
internal import FolioSystem
internal import LMDB

/// How many snapshots were made.
public struct SnapshotsMade: Hashable, Sendable {
  /// Snapshots of slots that had none.
  public var made = 0
  /// Snapshots made anew, because what they rest on has changed.
  public var remade = 0
  /// None.
  public init() {}

  fileprivate var count: Int { made + remade }

  fileprivate mutating func add(_ other: SnapshotsMade) {
    made += other.made
    remade += other.remade
  }
}

extension Store {
  /// Makes the snapshots of closed slots that have none, and those anew that are out of date; no
  /// others.
  ///
  /// In several storage transactions: interrupted, it goes on where it was the next time. Where many
  /// are due, the later half is worked out by a thread of its own meanwhile.
  /// - Parameter progress: Told how many are made, of how many.
  /// - Complexity: O(slots to be made x assets), beside reading their tables.
  public func makeDueSnapshots(progress: ((Int, Int) -> Void)? = nil) throws -> SnapshotsMade {
    var later = try beginLaterSnapshots()
    defer { later?.job.finish() }
    var total = SnapshotsMade()
    var walk: SnapshotWalk?
    var basis: SnapshotBasis?
    var count = 0
    while true {
      let step = try write { transaction in
        let present = try transaction.reading.snapshotBasis()
        let resumable = present == basis ? walk : nil
        return (present, try transaction.makeSnapshots(continuing: resumable, before: later?.first))
      }
      basis = step.0
      walk = step.1.walk
      total.add(step.1.result)
      var leftCount = step.1.leftCount
      if step.1.isDone, let worked = try later?.job.wait() {
        later = nil
        let more = try write { try $0.put(worked) }
        total.add(more)
        leftCount -= more.count
      }
      count = max(count, total.count + leftCount)
      if total.count > 0 { progress?(total.count, count) }
      if leftCount == 0 { return total }
    }
  }

  /// Has the later half of the snapshots that are due worked out, where there are many.
  private func beginLaterSnapshots() throws -> LaterSnapshots? {
    let due = try read { try $0.allDueSnapshots() }
    guard due.count >= LaterSnapshots.countMin, let first = due.slot(at: due.count / 2) else {
      return nil
    }
    return LaterSnapshots(
      first: first, job: BackgroundJob { try self.read { try $0.workOutSnapshots(from: first) } })
  }
}

/// Snapshots that another thread works out while those before them are made.
private struct LaterSnapshots {
  /// From how many due snapshots on that is worth the while.
  static let countMin = 8_192

  /// The first of them.
  var first: Slot
  var job: BackgroundJob<WorkedSnapshots>
}

/// Snapshots that were worked out and are not stored.
struct WorkedSnapshots {
  /// What they rest on.
  var basis: SnapshotBasis
  var records: [(slot: Slot, record: SnapshotRecord)] = []
}

extension StoreReadTransaction {
  /// The slots whose snapshots are to be made, or made anew.
  fileprivate func allDueSnapshots() throws -> SlotSet {
    let due = try dueSnapshots()
    var all = due.made
    all.formUnion(due.remade)
    return all
  }

  /// Works out the snapshots that are due from a slot on.
  fileprivate func workOutSnapshots(from first: Slot) throws -> WorkedSnapshots {
    var worked = WorkedSnapshots(basis: try snapshotBasis())
    for run in try allDueSnapshots().runs where run.upperBound >= first {
      var walk = try beginWalk(at: max(run.lowerBound, first))
      try self.walk(&walk, through: run.upperBound) { walk in
        worked.records.append((walk.walker.slot, SnapshotRecord(&walk.walker)))
      }
    }
    return worked
  }
}

extension SlotSet {
  /// The slot that has so many of the set before it.
  fileprivate func slot(at place: Int) -> Slot? {
    var rest = place
    for run in runs {
      if rest < run.count { return Slot(index: run.lowerBound.index + Int64(rest)) }
      rest -= run.count
    }
    return nil
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
  /// How many are due and not made, those that were not to be made now among them.
  var leftCount = 0
  /// Whether none of those that were to be made now is left.
  var isDone = true
  var walk: SnapshotWalk?
}

extension StoreWriteTransaction {
  /// How many snapshots are made in one storage transaction.
  private static var batchCount: Int { 2_048 }

  /// - Parameter limit: The slot before which they are to be made; nil for all.
  mutating func makeSnapshots(
    continuing walk: SnapshotWalk?, before limit: Slot? = nil
  ) throws -> SnapshotStep {
    let due = try reading.dueSnapshots()
    var step = SnapshotStep(leftCount: due.made.count + due.remade.count, walk: walk)
    var all = due.made
    all.formUnion(due.remade)
    for run in all.runs {
      if let limit, run.lowerBound >= limit { break }
      let room = Self.batchCount - step.result.count
      let wanted = limit.map { min(run.upperBound, $0.previous) } ?? run.upperBound
      let last = min(wanted, Slot(index: run.lowerBound.index + Int64(room) - 1))
      step.isDone = last == wanted
      if room <= 0 { break }
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
        try put(record, of: slot, isRemade: due.remade.contains(slot), &step.result)
      }
      step.leftCount -= records.count
    }
    return step
  }

  /// Stores snapshots that were worked out, those of them that are due; none where what they rest on
  /// is another by now.
  fileprivate mutating func put(_ worked: WorkedSnapshots) throws -> SnapshotsMade {
    var result = SnapshotsMade()
    guard try reading.snapshotBasis() == worked.basis else { return result }
    let due = try reading.dueSnapshots()
    for (slot, record) in worked.records {
      let isRemade = due.remade.contains(slot)
      if isRemade || due.made.contains(slot) {
        try put(record, of: slot, isRemade: isRemade, &result)
      }
    }
    return result
  }

  private mutating func put(
    _ record: SnapshotRecord, of slot: Slot, isRemade: Bool, _ result: inout SnapshotsMade
  ) throws {
    try base.append(spaces.snapshots, Keys.slot(slot), record.record)
    if isRemade { result.remade += 1 } else { result.made += 1 }
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
