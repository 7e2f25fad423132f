import FolioDomain
import FolioWire

/// Makes whole price tables of a page in which a table may say only what differs from the one before.
enum TableUnfolding {
  /// The page's tables, each whole; nil where the first is said to differ from one before it.
  ///
  /// - Complexity: O(n) in the prices of the tables made.
  static func tables(of page: TablesPage) -> [PriceTable]? {
    var result: [PriceTable] = []
    result.reserveCapacity(page.tables.count)
    for table in page.tables {
      let changes = rows(of: table)
      guard table.isDelta else {
        result.append(PriceTable(slot: table.slot, prices: changes.compactMap(priced)))
        continue
      }
      guard let previous = result.last else { return nil }
      result.append(PriceTable(slot: table.slot, prices: merge(previous.prices, changes)))
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
