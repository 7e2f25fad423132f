/// Which snapshots are no longer true when something earlier becomes known, so that those, and only
/// those, are made anew.
public struct ConcernedSnapshots: Sendable {
  /// The base currency and the successions.
  public var rules: PricingRules
  /// The last slot there is a snapshot of.
  public var through: Slot

  /// Among the snapshots up to `through`, by those rules.
  public init(rules: PricingRules, through: Slot) {
    self.rules = rules
    self.through = through
  }

  /// The snapshots that a transaction concerns which arrives late: all after the slot it took
  /// effect in.
  ///
  /// O(1).
  public func byTransaction(effectiveAt: Timestamp) -> SlotSet {
    let first = Slot(containing: effectiveAt).firstSnapshot
    return first <= through ? SlotSet(first...through) : SlotSet()
  }

  /// The snapshots that a table concerns which arrives late or is corrected.
  ///
  /// For each asset whose price in the table is another than before, or came, or went: those from
  /// the table's slot up to the next table that has a price of the asset, in which an asset is held
  /// that takes its price from there, itself or an earlier one that it succeeds.
  /// - Parameters:
  ///   - changed: The assets whose row in the table changed.
  ///   - slot: The slot of the table.
  ///   - nextObservation: The slot of the first table after a slot that has a price of an asset.
  ///   - heldRuns: The runs of slots in whose snapshots an asset is, in order; `heldRuns(of:)`
  ///     makes them.
  /// - Complexity: O(runs) for each changed asset and each that it succeeds.
  public func byTable(
    of slot: Slot, changed: some Sequence<AssetKey>,
    nextObservation: (AssetKey, Slot) throws -> Slot?,
    heldRuns: (AssetKey) throws -> [ClosedRange<Slot>]
  ) rethrows -> SlotSet {
    var slots = SlotSet()
    for asset in changed where asset != rules.base {
      let next = try nextObservation(asset, slot)
      let last = min(through, next.map { Slot(index: $0.index - 1) } ?? through)
      guard slot <= last else { continue }
      for dependent in rules.successions.dependents(of: asset) {
        for stretch in stretches(of: slot...last, turns: rules.successions.turns(of: dependent)) {
          let end = rules.successions.end(
            of: dependent, at: stretch.lowerBound, base: rules.base)
          guard end?.asset == asset else { continue }
          insert(stretch, within: try heldRuns(dependent), into: &slots)
        }
      }
    }
    return slots
  }

  /// The snapshots that a change of the asset table concerns: those in which an asset is held that
  /// takes another price by the new successions, or the same with another factor.
  ///
  /// - Complexity: O(runs) for each asset with a successor before or after.
  public func bySuccessions(
    from old: Successions, heldRuns: (AssetKey) throws -> [ClosedRange<Slot>]
  ) rethrows -> SlotSet {
    var slots = SlotSet()
    let new = rules.successions
    for asset in Set(old.assets).union(new.assets) {
      let runs = try heldRuns(asset)
      guard let first = runs.first?.lowerBound, first <= through else { continue }
      let turns = Set(old.turns(of: asset)).union(new.turns(of: asset)).sorted()
      for stretch in stretches(of: first...through, turns: turns) {
        let before = old.end(of: asset, at: stretch.lowerBound, base: rules.base)
        let after = new.end(of: asset, at: stretch.lowerBound, base: rules.base)
        if before != after { insert(stretch, within: runs, into: &slots) }
      }
    }
    return slots
  }

  /// The runs of slots in whose snapshots an asset is, from the changes of that asset alone, in
  /// the order of their slots.
  ///
  /// O(n).
  public func heldRuns(of changes: some Sequence<HoldingChange>) -> [ClosedRange<Slot>] {
    var held = SlotSet()
    var amount = Int256.zero
    var since: Slot?
    for change in changes {
      amount += change.sum
      let first = change.slot.firstSnapshot
      if let start = since, amount.isZero {
        if start < first { held.insert(start...Slot(index: first.index - 1)) }
        since = nil
      } else if since == nil, !amount.isZero {
        since = first
      }
    }
    if let start = since, start <= through { held.insert(start...through) }
    return held.runs.compactMap { run in
      run.lowerBound <= through ? run.lowerBound...min(run.upperBound, through) : nil
    }
  }

  /// `range` cut before each turn, so that a chain takes one course within each piece.
  private func stretches(of range: ClosedRange<Slot>, turns: [Slot]) -> [ClosedRange<Slot>] {
    var pieces: [ClosedRange<Slot>] = []
    var start = range.lowerBound
    for turn in turns where start < turn && turn <= range.upperBound {
      pieces.append(start...Slot(index: turn.index - 1))
      start = turn
    }
    pieces.append(start...range.upperBound)
    return pieces
  }

  private func insert(
    _ stretch: ClosedRange<Slot>, within runs: [ClosedRange<Slot>], into slots: inout SlotSet
  ) {
    for run in runs where run.overlaps(stretch) { slots.insert(run.clamped(to: stretch)) }
  }
}
