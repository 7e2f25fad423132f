package import FolioDomain

/// A page of the asset table, in byte order of type and id.
package struct AssetPageQuery: ServerQuery {
  private let tag: Hash256?
  private let after: AssetKey?
  private let byteLimit: Int

  /// The assets after `after`: about `byteLimit` bytes of them as they are sent, but at least one;
  /// none where `tag` is that of the table and the page is the first.
  package init(tag: Hash256?, after: AssetKey?, byteLimit: Int) {
    self.tag = tag
    self.after = after
    self.byteLimit = byteLimit
  }

  /// The page.
  package struct Answer: Hashable, Sendable {
    /// The table's tag.
    package var tag: Hash256
    /// Whether that is the tag asked about.
    package var same: Bool
    /// The assets.
    package var assets: [AssetInfo]
    /// Whether the table goes on.
    package var more: Bool
  }

  package func answer<T: ServerReading & ~Copyable & ~Escapable>(_ transaction: borrowing T) throws
    -> Answer
  {
    let table = try transaction.assetTable()
    if after == nil, tag == table.tag {
      return Answer(tag: table.tag, same: true, assets: [], more: false)
    }
    var page = Answer(tag: table.tag, same: false, assets: [], more: false)
    // The key after one is that key with a byte behind it.
    let range = RowRange(from: after.map { TableKey.asset($0) + [0] } ?? [])
    var bytes = 0
    try transaction.scan(.assets, range, .ascending) { key, row in
      // Escapes may make a text up to six times as long on the line.
      bytes += 200 + 6 * (key.byteCount + row.byteCount)
      if !page.assets.isEmpty, bytes > byteLimit {
        page.more = true
        return .stop
      }
      page.assets.append(try AssetRow.info(key: key, row: row))
      return .next
    }
    return page
  }
}

/// A page of the ranking.
package struct LeaderboardQuery: ServerQuery {
  private let offset: Int
  private let limit: Int
  private let byteLimit: Int

  /// At most `limit` ranked assets after the first `offset` of them, and about `byteLimit` bytes as
  /// they are sent, but at least one where there is one.
  package init(offset: Int, limit: Int, byteLimit: Int = .max) {
    self.offset = max(0, offset)
    self.limit = max(1, limit)
    self.byteLimit = byteLimit
  }

  /// The page.
  package struct Answer: Hashable, Sendable {
    /// The assets by rank, then by type and id.
    package var assets: [AssetInfo]
    /// For each, its latest price of the last four days; nil where there is none.
    package var prices: [Price?]
    /// Whether the ranking goes on.
    package var more: Bool
  }

  package func answer<T: ServerReading & ~Copyable & ~Escapable>(_ transaction: borrowing T) throws
    -> Answer
  {
    var page = Answer(assets: [], prices: [], more: false)
    var seen = 0
    var bytes = 0
    try transaction.scan(.leaderboard, .all, .ascending) { key, _ in
      seen += 1
      if seen <= offset { return .next }
      if page.assets.count == limit {
        page.more = true
        return .stop
      }
      let asset = try AssetRow.asset(ofRankKey: key)
      guard let row = try transaction.row(.assets, TableKey.asset(asset)) else {
        throw ServerStorageError.damaged(space: .leaderboard, what: "ranked asset is missing")
      }
      bytes += 200 + 6 * (key.byteCount + row.count)
      if !page.assets.isEmpty, bytes > byteLimit {
        page.more = true
        return .stop
      }
      page.assets.append(try AssetRow.info(asset, row: row.span.bytes))
      return .next
    }
    let latest = try transaction.latestPrices(of: Set(page.assets.map(\.asset)))
    page.prices = page.assets.map { latest[$0.asset] }
    return page
  }
}

extension ServerReading where Self: ~Copyable & ~Escapable {
  /// The last price of each of `assets` in the tables of the last four days that have begun.
  func latestPrices(of assets: Set<AssetKey>) throws -> [AssetKey: Price] {
    var latest: [AssetKey: Price] = [:]
    guard !assets.isEmpty else { return latest }
    let names = try AssetNumbers(self, last: try market().lastAssetNumber)
    var newest: Slot?
    try scan(.tables, .all, .descending) { key, row in
      guard try TableRow.revision(row) > 0 else { return .next }
      let slot = try TableKey.slot(ofKey: key, in: .tables)
      let top = newest ?? slot
      newest = top
      guard top.index - slot.index <= 16 else { return .stop }
      for price in try TableRow(row).prices {
        let asset = try names.key(price.asset)
        if assets.contains(asset), latest[asset] == nil { latest[asset] = price.price }
      }
      return latest.count < assets.count ? .next : .stop
    }
    return latest
  }
}
