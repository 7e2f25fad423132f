import FolioDomain
import FolioWire

/// Makes whole price tables of a page in which a table may say only what differs from the one before.
enum TableUnfolding {
  /// The page's tables, each whole.
  ///
  /// - Throws: `wrongTables` where the first is said to differ from one before it, `tooManyPrices`
  ///   where they come to more prices than a page may have; what was made till then is dropped.
  /// - Complexity: O(n) in the prices of the tables made, which are as many as a page may have and
  ///   those of one line at most.
  static func tables(of page: TablesPage) throws(ProtocolViolation) -> [PriceTable] {
    var result: [PriceTable] = []
    var count = 0
    for table in page.tables {
      let changes = rows(of: table)
      var prices = changes.compactMap(priced)
      if table.isDelta {
        guard let previous = result.last else { throw .wrongTables }
        prices = merge(previous.prices, changes)
      }
      count += prices.count
      guard count <= Wire.pagePriceLimit else { throw .tooManyPrices(limit: Wire.pagePriceLimit) }
      result.append(PriceTable(slot: table.slot, prices: prices))
    }
    return result
  }

  private typealias Row = (asset: AssetKey, price: Price?)

  /// A table's rows in byte order of type and id.
  private static func rows(of table: WireTable) -> [Row] {
    table.groups.flatMap { group in
      group.rows.map { (AssetKey(type: group.type, id: $0.id), $0.price) }
    }
  }

  private static func priced(_ row: Row) -> PricedAsset? {
    row.price.map { PricedAsset(asset: row.asset, price: $0) }
  }

  /// `prices` with `changes` over them; both in order.
  private static func merge(_ prices: [PricedAsset], _ changes: [Row]) -> [PricedAsset] {
    var result: [PricedAsset] = []
    result.reserveCapacity(prices.count + changes.count)
    var index = 0
    for change in changes {
      while index < prices.count, prices[index].asset < change.asset {
        result.append(prices[index])
        index += 1
      }
      if index < prices.count, prices[index].asset == change.asset { index += 1 }
      if let row = priced(change) { result.append(row) }
    }
    result.append(contentsOf: prices[index...])
    return result
  }
}
