internal import FolioCrypto
public import FolioDomain
internal import LMDB

typealias SnapshotHash = SHA256

/// A snapshot in a list: its digest and what it comes to.
public struct SnapshotSummary: Hashable, Sendable {
  /// The slot.
  public var slot: Slot
  /// What it comes to; nil where it is out of date, or was not made.
  public var totals: SnapshotTotals?
  /// Its digest; nil where it is out of date, or was not made.
  public var digest: Hash256?
  /// The price of the currency that was asked for, in that slot; nil where none was, or it had none.
  public var rate: Quote?
}

/// What digests rest on: two devices with the same of these have the same digests, to the byte.
public struct DigestBasis: Hashable, Sendable {
  /// How far the log was read; nil before the first entry.
  public var position: LogPosition?
  /// The digest of all accepted data.
  public var stateDigest: Hash256
  /// The market's epoch; nil before the first price table.
  public var marketEpoch: UInt64?
  /// The revision up to which price tables were read.
  public var revision: UInt64?
  /// The tag of the asset table.
  public var assetsTag: Hash256?
  /// The last closed slot.
  public var through: Slot?
}

extension StoreReadTransaction {
  /// The slots there is a snapshot of, made or due; nil where none has closed.
  ///
  /// - Complexity: O(1).
  public func snapshotSlots() throws -> ClosedRange<Slot>? {
    guard let first = try single(LogRecord.self).firstEffectiveAt, let through = try through()
    else { return nil }
    return Slot.snapshots(firstEffectiveAt: first, through: through)
  }

  /// Calls `body` with each snapshot of a range, made or due.
  ///
  /// - Parameters:
  ///   - from: The first slot wanted; nil for that of the first snapshot.
  ///   - to: The last slot wanted; nil for the latest closed one.
  ///   - currency: A currency whose rate in each slot is wanted, to show values in it.
  ///   - body: Called with each, in order.
  /// - Complexity: O(slots x assets), in memory of one slot.
  public func snapshots(
    from: Slot? = nil, to: Slot? = nil, rateOf currency: AssetKey? = nil,
    _ body: (SnapshotSummary) throws -> Void
  ) throws {
    guard let slots = try snapshotSlots() else { return }
    let first = max(from ?? slots.lowerBound, slots.lowerBound)
    let last = min(to ?? slots.upperBound, slots.upperBound)
    guard first <= last else { return }
    try walkSnapshots(first...last, tracking: currency.map { [$0] } ?? []) { walker in
      var summary = SnapshotSummary(slot: walker.slot)
      summary.rate = currency.flatMap { walker.quote(of: $0) }
      if case .made(let digest, _, _, _) = try snapshotRecord(walker.slot) {
        summary.digest = digest
        summary.totals = walker.totals()
      }
      try body(summary)
    }
  }

  /// The snapshot of a closed slot.
  ///
  /// - Throws: ``StoreError/noSnapshots``, ``StoreError/snapshotBeforeFirst(_:first:)``,
  ///   ``StoreError/snapshotNotClosed(_:through:)``, and ``StoreError/snapshotOutOfDate(_:)`` where it
  ///   has to be made first.
  /// - Complexity: O(assets) and O(changes since).
  public func snapshot(_ slot: Slot) throws -> Snapshot {
    _ = try snapshotDigest(slot)
    var walk = try beginWalk(at: slot)
    var snapshot = Snapshot(slot: slot, assets: [])
    try self.walk(&walk, through: slot) { snapshot = $0.walker.snapshot() }
    return snapshot
  }

  /// The price of an asset that counts in the snapshot of a closed slot, held or not; nil where it
  /// has none.
  ///
  /// - Complexity: that of ``snapshot(_:)``.
  public func quote(of asset: AssetKey, in slot: Slot) throws -> Quote? {
    var quote: Quote?
    try walkSnapshots(slot...slot, tracking: [asset]) { quote = $0.quote(of: asset) }
    return quote
  }

  /// The digest of the snapshot of a closed slot.
  ///
  /// - Complexity: O(log n).
  ///
  /// - Throws: as ``snapshot(_:)`` does.
  public func snapshotDigest(_ slot: Slot) throws -> Hash256 {
    guard let slots = try snapshotSlots() else { throw StoreError.noSnapshots }
    if slot < slots.lowerBound {
      throw StoreError.snapshotBeforeFirst(slot, first: slots.lowerBound)
    }
    if slot > slots.upperBound {
      throw StoreError.snapshotNotClosed(slot, through: slots.upperBound)
    }
    guard case .made(let digest, _, _, _) = try snapshotRecord(slot) else {
      throw StoreError.snapshotOutOfDate(slot)
    }
    return digest
  }

  /// The present state, what is pending included, with the latest prices.
  ///
  /// It is no snapshot: it has no digest, and changes.
  ///
  /// - Complexity: O(assets x log n).
  public func provisionalSnapshot() throws -> Snapshot {
    var snapshot = Snapshot(slot: try presentSlot(), assets: [])
    for asset in try holdings() where !asset.holding.amount.isZero {
      snapshot.assets.append(
        SnapshotAsset(
          asset: asset.holding.asset, amount: asset.holding.amount,
          category: asset.holding.category, quote: asset.quote))
    }
    return snapshot
  }

  /// What digests rest on.
  ///
  /// - Complexity: O(1).
  public func digestBasis() throws -> DigestBasis {
    let log = try single(LogRecord.self)
    let market = try single(MarketRecord.self)
    return DigestBasis(
      position: log.position, stateDigest: log.digest.value, marketEpoch: market.cursor?.epoch,
      revision: market.cursor?.revision, assetsTag: market.assetsTag, through: market.through)
  }

  func snapshotBasis() throws -> SnapshotBasis {
    let basis = try digestBasis()
    return SnapshotBasis(
      position: basis.position, epoch: basis.marketEpoch, revision: basis.revision,
      assetsTag: basis.assetsTag)
  }

  func snapshotRecord(_ slot: Slot) throws -> SnapshotRecord? {
    guard let span = try base.get(spaces.snapshots, Keys.slot(slot)) else { return nil }
    var reader = RecordReader(span, of: spaces.snapshots.name)
    return try SnapshotRecord(&reader)
  }

  /// The slots from the first snapshot that is stored to the last.
  func snapshotRange() throws -> ClosedRange<Slot>? {
    guard let first = try base.first(spaces.snapshots), let last = try lastSnapshotSlot() else {
      return nil
    }
    let key = first.key.span
    var reader = unsafe KeyReader(key.bytes)
    return try reader.readSlot()...last
  }

  func lastSnapshotSlot() throws -> Slot? {
    guard let last = try base.last(spaces.snapshots) else { return nil }
    let key = last.key.span
    var reader = unsafe KeyReader(key.bytes)
    return try reader.readSlot()
  }

  /// The slots of closed snapshots that were not made, and of those that are out of date.
  func dueSnapshots() throws -> (made: SlotSet, remade: SlotSet) {
    var due = (made: SlotSet(), remade: SlotSet())
    guard let slots = try snapshotSlots() else { return due }
    var next = slots.lowerBound
    try base.scan(spaces.snapshots, .slots(slots)) { key, value in
      var keyReader = KeyReader(key)
      let slot = try keyReader.readSlot()
      if next < slot { due.made.insert(next...slot.previous) }
      next = slot.next
      var reader = RecordReader(value, of: spaces.snapshots.name)
      if try reader.readBool() == false { due.remade.insert(slot...slot) }
      return .next
    }
    if next <= slots.upperBound { due.made.insert(next...slots.upperBound) }
    return due
  }

  /// The runs of slots in whose snapshots an asset is.
  func heldRuns(of asset: AssetKey, _ concerned: ConcernedSnapshots) throws
    -> [ClosedRange<Slot>]
  {
    var changes: [HoldingChange] = []
    try scanHistory(of: asset) { slot, state in
      changes.append(HoldingChange(slot: slot, asset: asset, sum: state.adjustment))
      return .next
    }
    return concerned.heldRuns(of: changes)
  }
}
