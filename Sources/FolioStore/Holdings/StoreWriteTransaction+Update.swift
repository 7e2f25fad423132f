internal import FolioDomain
internal import LMDB

/// What decides, beside an asset's own rows, what its record is.
struct ListingRules {
  /// The last closed slot; nil where none is.
  var through: Slot?
  /// Whether anything may be pending.
  var hasOutbox = true
}

extension StoreWriteTransaction {
  /// Brings an asset's record, and its place in the map of categories, up to date.
  ///
  /// - Parameters:
  ///   - change: What was added to its history since the record was written. History has it already.
  ///   - newest: What was laid over it since, where that is all that has changed of the outbox.
  /// - Complexity: O(log n), and what finding out takes whether it was in a snapshot, which is mostly
  ///   in its first rows; O(rows of its history) where it was not listed.
  mutating func update(
    _ asset: AssetKey, _ rules: ListingRules, adding change: AssetSlotState = AssetSlotState(),
    laying newest: PendingAsset? = nil
  ) throws {
    let before = try reading.assetRecord(asset)
    var after = AssetRecord()
    if let before {
      let sum = AssetSlotState(
        adjustment: before.accepted.amount, category: before.accepted.category
      ).merged(with: change)
      after.accepted = AcceptedAsset(
        amount: sum.adjustment, category: sum.category,
        wasInSnapshot: try reading.wasInSnapshot(asset, through: rules.through))
      after.latest = before.latest
    } else {
      after.accepted = try reading.acceptedAsset(asset, through: rules.through)
      after.latest = try reading.pricedRecord(asset)?.latest
    }
    if let before, let newest {
      after.pending = before.pending.merged(with: newest)
    } else if rules.hasOutbox {
      after.pending = try reading.pendingAsset(asset)
    }
    try replace(asset, before, with: after)
  }

  /// Writes an asset's record, by itself and in its category, or takes both away where it is not listed.
  mutating func replace(
    _ asset: AssetKey, _ before: AssetRecord?, with record: AssetRecord
  ) throws {
    let holding = record.holding(of: asset)
    let after = holding.isListed ? record : nil
    if before == after { return }
    let old = before?.holding(of: asset).category.key
    let new = after == nil ? nil : holding.category.key
    if let new {
      let bytes = record.record
      try base.put(spaces.assets, try Keys.asset(asset), bytes)
      // What is told of categories is which assets are in them.
      try base.put(
        spaces.categories, try Keys.member(asset, of: new), bytes, marking: old != new)
    } else {
      try base.delete(spaces.assets, try Keys.asset(asset))
    }
    if let old, old != new { try base.delete(spaces.categories, try Keys.member(asset, of: old)) }
  }

  /// Has the records of an asset, where it is listed, say what its latest price is.
  ///
  /// Nothing is told of that here: prices are told of where their tables are.
  mutating func setLatestPrice(of asset: AssetKey, _ latest: PricedRecord.Latest?) throws {
    guard var record = try reading.assetRecord(asset), record.latest != latest else { return }
    record.latest = latest
    let bytes = record.record
    let category = record.holding(of: asset).category.key
    try base.put(spaces.assets, try Keys.asset(asset), bytes, marking: false)
    try base.put(spaces.categories, try Keys.member(asset, of: category), bytes, marking: false)
  }

  /// Takes the latest prices out of what is held, for tables that are gone.
  mutating func dropLatestPrices() throws {
    for asset in try reading.pricedHoldings() { try setLatestPrice(of: asset, nil) }
  }
}

extension StoreReadTransaction {
  /// The listed assets whose records have a price.
  fileprivate func pricedHoldings() throws -> [AssetKey] {
    var assets: [AssetKey] = []
    try scanRecords(.all) { asset, record in
      if record.latest != nil { assets.append(asset) }
    }
    return assets
  }
}
