public import FolioDomain
internal import LMDB

extension StoreReadTransaction {
  /// Goes from slot to slot and hands over the walker at the start of each, with that slot's table
  /// observed; both ends are included.
  ///
  /// What a slot's snapshot, its digest, its totals or a report over it need is asked of the walker.
  /// It says what accepted state and the price tables held come to now.
  /// - Parameters:
  ///   - slots: Closed slots, from the first snapshot on.
  ///   - tracking: Assets whose prices are wanted though they are not held.
  ///   - body: Called with the walker at each slot.
  /// - Complexity: O(slots x assets), O(prices of the tables) and O(changes since the first slot), in
  ///   memory of one slot.
  public func walkSnapshots(
    _ slots: ClosedRange<Slot>, tracking: [AssetKey] = [],
    _ body: (inout SnapshotWalker) throws -> Void
  ) throws {
    var walk = try beginWalk(at: slots.lowerBound, tracking: tracking)
    try self.walk(&walk, through: slots.upperBound) { walk in
      try body(&walk.walker)
    }
  }

  /// A walker at the start of a slot that knows what is held there, and every price before.
  func beginWalk(at slot: Slot, tracking: [AssetKey] = []) throws -> SnapshotWalk {
    let rules = try pricingRules()
    var walk = SnapshotWalk(SnapshotWalker(at: slot, rules: rules))
    let holdings = try holdings(at: slot)
    for asset in tracking { try track(asset, rules, &walk) }
    // An asset bought later may take a price from before this slot.
    let assets = holdings.keys.sorted()
    for asset in assets { try track(asset, rules, &walk) }
    try observePrices(before: slot, &walk)
    for asset in assets {
      guard let state = holdings[asset] else { continue }
      walk.walker.apply(
        HoldingChange(
          slot: slot.previous, asset: asset, sum: state.adjustment,
          category: state.category?.category))
    }
    return walk
  }

  /// What is held of each listed asset at the start of a closed slot, 0 included.
  ///
  /// Found from the end: what happened since is taken away again. An asset that is not listed is in
  /// no snapshot.
  private func holdings(at slot: Slot) throws -> [AssetKey: AssetSlotState] {
    var holdings: [AssetKey: AssetSlotState] = [:]
    try scanRecords(.all) { asset, record in
      holdings[asset] = AssetSlotState(
        adjustment: record.accepted.amount, category: record.accepted.category)
    }
    var namedSince: Set<AssetKey> = []
    try scanChanges(.slots(from: slot)) { _, asset, state in
      holdings[asset]?.adjustment -= state.adjustment
      if state.category != nil { namedSince.insert(asset) }
    }
    for asset in namedSince where holdings[asset] != nil {
      holdings[asset]?.category = try category(of: asset, before: slot)
    }
    return holdings
  }

  /// The category that an asset was put into last before a slot began.
  private func category(of asset: AssetKey, before slot: Slot) throws -> StampedCategory? {
    let prefix = try Keys.asset(asset)
    let end = try Keys.history(asset, slot)
    var found: StampedCategory?
    let range = KeyRange.from(prefix.bytes, upTo: end.bytes)
    try base.scan(spaces.historyByAsset, range, .descending) { key, _ in
      var reader = KeyReader(key)
      _ = try reader.readFixed(prefix.byteCount)
      let key = AssetSlot(asset: asset, slot: try reader.readSlot())
      found = try historyState(key)?.category
      return found == nil ? .next : .stop
    }
    return found
  }

  /// Has the walker observe an asset's prices, and those of what may follow it.
  private func track(
    _ asset: AssetKey, _ rules: PricingRules, _ walk: inout SnapshotWalk
  ) throws {
    var asset = asset
    for _ in 0...Successions.stepsMax {
      guard try walk.track(asset, pricedRecord(asset)) else { return }
      guard let successor = rules.successions[asset] else { return }
      asset = AssetKey(type: asset.type, id: successor.id)
    }
  }

  /// Has the walker observe the last price of each tracked asset before a slot.
  private func observePrices(before slot: Slot, _ walk: inout SnapshotWalk) throws {
    var missing: Set<UInt32> = []
    for (number, priced) in walk.priced where priced.first < slot {
      if let latest = priced.latest, latest.slot < slot {
        walk.observe(latest.price, of: number, in: latest.slot)
      } else {
        missing.insert(number)
      }
    }
    if missing.isEmpty { return }
    try scanPriceBlocks(upTo: slot.previous, .descending, where: missing.contains) { block in
      let slots = block.bits(upTo: slot.previous)
      for (index, column) in block.columns.enumerated() {
        guard let latest = block.lastPrice(ofColumn: index, in: slots),
          missing.remove(column.number) != nil
        else { continue }
        walk.observe(latest.price, of: column.number, in: latest.slot)
      }
      return missing.isEmpty ? .stop : .next
    }
  }

  /// Walks on to a slot, handing the walk over at the start of each, the last one included.
  ///
  /// It stands at the slot after that one then, ready to go on.
  func walk(
    _ walk: inout SnapshotWalk, through last: Slot,
    _ body: (inout SnapshotWalk) throws -> Void
  ) throws {
    // Tables may be others than those of a storage transaction before: they are read again.
    var blockFirst: Slot?
    while walk.walker.slot <= last {
      let first = walk.walker.slot
      let end = min(last, Slot(index: first.index + Self.chunkCount - 1))
      var changes: [HoldingChange] = []
      try scanChanges(.slots(first...end)) { slot, asset, state in
        changes.append(
          HoldingChange(
            slot: slot, asset: asset, sum: state.adjustment, category: state.category?.category))
      }
      var next = changes.startIndex
      for slot in first...end {
        if blockFirst != PriceBlock.first(of: slot) {
          blockFirst = PriceBlock.first(of: slot)
          try observeTables(around: slot, &walk)
        }
        try body(&walk)
        while next < changes.endIndex, changes[next].slot == slot {
          walk.walker.apply(changes[next])
          next += 1
        }
        walk.walker.advance()
      }
    }
  }

  /// Has the walker, at a slot, observe the tables of the slot's block.
  private func observeTables(around slot: Slot, _ walk: inout SnapshotWalk) throws {
    let block = try priceBlock(of: slot, where: walk.isTracked)
    walk.observe(block ?? PriceBlock(first: PriceBlock.first(of: slot)))
  }

  /// How many slots' changes are held in memory at once.
  private static var chunkCount: Int64 { 64 }

  /// Calls `body` with each row of the history in a range of slots.
  func scanChanges(
    _ range: KeyRange, _ body: (Slot, AssetKey, AssetSlotState) throws -> Void
  ) throws {
    try base.scan(spaces.history, range) { key, value in
      var keyReader = KeyReader(key)
      let slot = try keyReader.readSlot()
      var reader = RecordReader(value, of: spaces.history.name)
      try body(slot, try keyReader.readAsset(), try AssetSlotState(&reader))
      return .next
    }
  }
}

/// A walker with what connects it to stored price tables.
struct SnapshotWalk {
  var walker: SnapshotWalker
  /// The tracked assets that any table has a price of.
  private(set) var priced: [UInt32: PricedRecord] = [:]
  private var tracked: Set<AssetKey> = []
  /// The walker's number of each asset by the number it has in tables; most are not tracked.
  private var places: [AssetNumber?] = []

  init(_ walker: SnapshotWalker) { self.walker = walker }

  /// Tracks an asset; false where it was tracked before.
  mutating func track(_ asset: AssetKey, _ record: PricedRecord?) throws -> Bool {
    guard tracked.insert(asset).inserted else { return false }
    let place = walker.number(of: asset)
    guard let record else { return true }
    priced[record.number] = record
    let index = Int(record.number)
    while places.count <= index { places.append(nil) }
    places[index] = place
    return true
  }

  /// Whether an asset is tracked, by the number it has in tables.
  func isTracked(_ number: UInt32) -> Bool {
    Int(number) < places.count && places[Int(number)] != nil
  }

  /// Takes note of the tables of a block with the walker's slot, as far as they are of tracked assets.
  mutating func observe(_ block: PriceBlock) {
    var columns: [PriceWindow.Column] = []
    columns.reserveCapacity(block.columns.count)
    for (index, column) in block.columns.enumerated() where isTracked(column.number) {
      guard let place = places[Int(column.number)] else { continue }
      columns.append(
        PriceWindow.Column(
          number: place, slots: column.slots, start: index * PriceBlock.slotCount))
    }
    walker.observe(PriceWindow(first: block.first, columns: columns, prices: block.prices))
  }

  /// Takes note of a price by the number its asset has in tables.
  mutating func observe(_ price: Price, of number: UInt32, in slot: Slot) {
    let index = Int(number)
    guard index < places.count, let place = places[index] else { return }
    walker.observe(price, of: place, in: slot)
  }
}
