internal import FolioDomain
internal import LMDB

extension StoreReadTransaction {
  func assetRecord(_ asset: AssetKey) throws -> AssetRecord? {
    guard let span = try base.get(spaces.assets, try Keys.asset(asset)) else { return nil }
    var reader = RecordReader(span, of: spaces.assets.name)
    return try AssetRecord(&reader)
  }

  func historyState(_ key: AssetSlot) throws -> AssetSlotState? {
    guard let span = try base.get(spaces.history, try Keys.history(key.slot, key.asset)) else {
      return nil
    }
    var reader = RecordReader(span, of: spaces.history.name)
    return try AssetSlotState(&reader)
  }

  /// Calls `body` with what happened to an asset, slot by slot.
  ///
  /// - Complexity: O(rows of the asset, each by the logarithm of the history).
  func scanHistory(
    of asset: AssetKey, _ body: (Slot, AssetSlotState) throws -> ScanStep
  ) throws {
    let prefix = try Keys.asset(asset)
    try base.scan(spaces.historyByAsset, prefix.prefix) { key, _ in
      var reader = KeyReader(key)
      _ = try reader.readFixed(prefix.byteCount)
      let slot = try reader.readSlot()
      guard let state = try historyState(AssetSlot(asset: asset, slot: slot)) else {
        throw StoreError.missingRecord(space: spaces.history.name)
      }
      return try body(slot, state)
    }
  }

  /// All that the log did to an asset.
  func acceptedAsset(_ asset: AssetKey, through: Slot?) throws -> AcceptedAsset {
    var accepted = AcceptedAsset()
    try scanHistory(of: asset) { slot, state in
      accepted.add(state, in: slot, through: through)
      return .next
    }
    return accepted
  }

  /// Whether an asset's amount was other than 0 at the start of some closed slot, in accepted state.
  func wasInSnapshot(_ asset: AssetKey, through: Slot?) throws -> Bool {
    guard let through else { return false }
    var accepted = AcceptedAsset()
    try scanHistory(of: asset) { slot, state in
      accepted.add(state, in: slot, through: through)
      return accepted.wasInSnapshot || slot.firstSnapshot > through ? .stop : .next
    }
    return accepted.wasInSnapshot
  }

  /// What the outbox does to an asset.
  func pendingAsset(_ asset: AssetKey) throws -> PendingAsset {
    var sum = PendingAsset()
    try base.scan(spaces.outboxByAsset, try Keys.asset(asset).prefix) { _, value in
      var reader = RecordReader(value, of: spaces.outboxByAsset.name)
      sum = sum.merged(with: try reader.readPendingAsset())
      return .next
    }
    return sum
  }

  func hasPending(_ asset: AssetKey) throws -> Bool {
    try base.first(spaces.outboxByAsset, in: try Keys.asset(asset).prefix) != nil
  }
}
