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
    } else {
      after.accepted = try reading.acceptedAsset(asset, through: rules.through)
    }
    if let before, let newest {
      after.pending = before.pending.merged(with: newest)
    } else if rules.hasOutbox {
      after.pending = try reading.pendingAsset(asset)
    }
    try replace(asset, before, with: after)
  }

  /// Writes an asset's record and its place among the categories, or takes both away where it is not
  /// listed.
  private mutating func replace(
    _ asset: AssetKey, _ before: AssetRecord?, with record: AssetRecord
  ) throws {
    let holding = record.holding(of: asset)
    let after = holding.isListed ? record : nil
    if before == after { return }
    let key = try Keys.asset(asset)
    if after == nil {
      try base.delete(spaces.assets, key)
    } else {
      try base.put(spaces.assets, key, record.record)
    }
    let old = before?.holding(of: asset).category.key
    let new = after == nil ? nil : holding.category.key
    if old == new { return }
    if let old { try base.delete(spaces.categories, try Keys.member(asset, of: old)) }
    if let new { try base.put(spaces.categories, try Keys.member(asset, of: new), []) }
  }
}
