public import FolioDomain
internal import LMDB

extension StoreWriteTransaction {
  /// Stores a page of the asset table; the table and its tag count once its last page is there.
  ///
  /// Until then the table before counts. Snapshots that a changed succession concerns are marked out
  /// of date.
  /// - Throws: ``StoreError/assetPageOutOfOrder`` where the pages before it are not there.
  /// - Complexity: O(rows), for the last page of the whole table.
  public mutating func apply(_ page: AssetsPage) throws {
    var market: MarketRecord = try reading.single()
    if page.isFirst {
      try base.deleteAll(spaces.stagedAssets)
      market.stagedTag = page.tag
    }
    guard market.stagedTag == page.tag else { throw StoreError.assetPageOutOfOrder }
    for info in page.assets {
      let key = try Keys.asset(info.asset)
      if try base.contains(spaces.stagedAssets, key) { continue }
      try base.append(spaces.stagedAssets, key, info.record)
    }
    if page.isLast {
      try swapAssetTable()
      market.assetsTag = page.tag
      market.stagedTag = nil
    }
    try put(market)
  }

  /// Puts the staged table in the place of the one held.
  private mutating func swapAssetTable() throws {
    let before = try reading.single(SuccessionsRecord.self).successions
    var after = Successions()
    try base.deleteAll(spaces.marketAssets)
    var range = KeyRange.all
    while true {
      let rows = try reading.rows(of: spaces.stagedAssets, in: range, limit: Self.chunkCount)
      for (key, value) in rows {
        try base.put(spaces.marketAssets, key, value)
        let info = try AssetInfo(key: key, value: value, of: spaces.stagedAssets.name)
        if let successor = info.successor { after[info.asset] = successor }
      }
      guard rows.count == Self.chunkCount, let last = rows.last else { break }
      range = .from(last.key).resuming(after: last.key)
    }
    try base.deleteAll(spaces.stagedAssets)
    try put(SuccessionsRecord(after))
    if before != after { try markStale(bySuccessionsFrom: before) }
  }

  /// How many rows are held in memory while a table is copied.
  private static var chunkCount: Int { 1_024 }
}

extension AssetInfo {
  init(key: [UInt8], value: [UInt8], of space: String) throws {
    let keyBytes = key.span
    let valueBytes = value.span
    var keyReader = unsafe KeyReader(keyBytes.bytes)
    var reader = unsafe RecordReader(valueBytes.bytes, of: space)
    try self.init(try keyReader.readAsset(), &reader)
  }
}

extension StoreReadTransaction {
  /// Copies of the records of a range, as many as `limit`.
  func rows(of database: Database, in range: KeyRange, limit: Int) throws -> [(
    key: [UInt8], value: [UInt8]
  )] {
    var rows: [(key: [UInt8], value: [UInt8])] = []
    try base.scan(database, range, limit: limit) { key, value in
      rows.append((key.copied, value.copied))
      return .next
    }
    return rows
  }
}
