internal import FolioDomain
internal import LMDB

extension StoreReadTransaction {
  /// Checks what records mean: everything that is derived is derived anew, indexes, sums and digests.
  ///
  /// A record that cannot be read ends the checks that need it and no others.
  func verify(_ report: inout IntegrityReport) {
    check(.formatMissing, spaces.format, &report) { report in
      if try FormatRecord.read(base, spaces.format) == nil {
        report.add(.formatMissing, spaces.format.name)
      }
    }
    check(.categoriesDiffer, spaces.categories, &report) { try checkCategories(&$0) }
    check(.historyIndexDiffers, spaces.historyByAsset, &report) { try checkHistory(&$0) }
    check(.holdingDiffers, spaces.assets, &report) { try checkHoldings(&$0) }
    check(.stateDigestDiffers, spaces.cursor, &report) { try checkStateDigest(&$0) }
    check(.chainBroken, spaces.log, &report) { try checkLog(&$0) }
    check(.waitingDiffers, spaces.remarks, &report) { try checkWaiting(&$0) }
    check(.outboxDiffers, spaces.outbox, &report) { try checkOutbox(&$0) }
    check(.documentIndexDiffers, spaces.documents, &report) { try checkDocuments(&$0) }
    var latest: [AssetKey: PricedRecord.Latest]?
    check(.priceIndexDiffers, spaces.prices, &report) { latest = try checkPrices(&$0) }
    if let latest {
      check(.holdingDiffers, spaces.assets, &report) { try checkHeldPrices(latest, &$0) }
    }
    check(.successionsDiffer, spaces.marketAssets, &report) { try checkSuccessions(&$0) }
    check(.snapshotDiffers, spaces.snapshots, &report) { try checkSnapshots(&$0) }
  }

  /// Runs a check; what stops it is a problem of its own.
  private func check(
    _ rule: IntegrityProblem.Rule, _ space: Database, _ report: inout IntegrityReport,
    _ body: (inout IntegrityReport) throws -> Void
  ) {
    do {
      try body(&report)
    } catch StorageError.corrupt(let database) {
      report.add(.damagedRecord, database)
    } catch StoreError.unreadableRecord(let name) {
      report.add(.damagedRecord, name)
    } catch {
      report.add(rule, space.name)
    }
  }

  private func checkCategories(_ report: inout IntegrityReport) throws {
    var count = 0
    try base.scan(spaces.categories, .all) { key, value in
      var keyReader = KeyReader(key)
      let category = CategoryKey(unchecked: try keyReader.readText())
      let asset = try keyReader.readAsset()
      var reader = RecordReader(value, of: spaces.categories.name)
      let record = try AssetRecord(&reader)
      count += 1
      let isSame = try assetRecord(asset) == record
      if !isSame || record.holding(of: asset).category.key != category {
        report.add(.categoriesDiffer, spaces.categories.name)
      }
      return .next
    }
    // Each is one that an asset names, so that with as many as assets there is one for each.
    if try base.count(spaces.assets) != count {
      report.add(.categoriesDiffer, spaces.assets.name)
    }
  }

  private func checkHistory(_ report: inout IntegrityReport) throws {
    var count = 0
    try base.scan(spaces.history, .all) { key, value in
      var keyReader = KeyReader(key)
      let slot = try keyReader.readSlot()
      let asset = try keyReader.readAsset()
      var reader = RecordReader(value, of: spaces.history.name)
      _ = try AssetSlotState(&reader)
      count += 1
      if try !base.contains(spaces.historyByAsset, try Keys.history(asset, slot)) {
        report.add(.historyIndexDiffers, spaces.historyByAsset.name, slot.text)
      }
      return .next
    }
    if try base.count(spaces.historyByAsset) != count {
      report.add(.historyIndexDiffers, spaces.history.name)
    }
  }

  private func checkHoldings(_ report: inout IntegrityReport) throws {
    let through = try through()
    var accepted: [AssetKey: AcceptedAsset] = [:]
    try scanChanges(.all) { slot, asset, state in
      accepted[asset, default: AcceptedAsset()].add(state, in: slot, through: through)
    }
    var pending: [AssetKey: PendingAsset] = [:]
    try base.scan(spaces.outboxByAsset, .all) { key, value in
      var keyReader = KeyReader(key)
      let asset = try keyReader.readAsset()
      var reader = RecordReader(value, of: spaces.outboxByAsset.name)
      pending[asset] = (pending[asset] ?? PendingAsset()).merged(
        with: try reader.readPendingAsset())
      return .next
    }
    var listedCount = 0
    for asset in Set(accepted.keys).union(pending.keys) {
      var record = AssetRecord(
        accepted: accepted[asset] ?? AcceptedAsset(), pending: pending[asset] ?? PendingAsset())
      let isListed = record.holding(of: asset).isListed
      if isListed { listedCount += 1 }
      let stored = try assetRecord(asset)
      // Its price is looked at beside the tables.
      record.latest = stored?.latest
      if stored != (isListed ? record : nil) {
        report.add(.holdingDiffers, spaces.assets.name)
      }
    }
    if try base.count(spaces.assets) != listedCount {
      report.add(.holdingDiffers, spaces.assets.name)
    }
  }
}
