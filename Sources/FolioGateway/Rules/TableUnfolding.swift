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
      let prices: [PricedAsset]
      if table.isDelta {
        guard let previous = result.last else { throw .wrongTables }
        prices = merge(previous.prices, table.groups)
      } else {
        prices = whole(table.groups)
      }
      count += prices.count
      guard count <= Wire.pagePriceLimit else { throw .tooManyPrices(limit: Wire.pagePriceLimit) }
      result.append(PriceTable(slot: table.slot, prices: prices))
    }
    return result
  }

  /// The prices of a table that is sent whole, in byte order of type and id.
  private static func whole(_ groups: [PriceGroup]) -> [PricedAsset] {
    var result: [PricedAsset] = []
    result.reserveCapacity(rowCount(groups))
    for group in groups {
      for row in group.rows {
        guard let price = row.price else { continue }
        result.append(PricedAsset(asset: AssetKey(type: group.type, id: row.id), price: price))
      }
    }
    return result
  }

  /// `prices` with changes over them; both in order.
  private static func merge(_ prices: [PricedAsset], _ changes: [PriceGroup]) -> [PricedAsset] {
    var result: [PricedAsset] = []
    result.reserveCapacity(prices.count + rowCount(changes))
    var index = 0
    for group in changes {
      for row in group.rows {
        let asset = AssetKey(type: group.type, id: row.id)
        while index < prices.count, prices[index].asset < asset {
          result.append(prices[index])
          index += 1
        }
        if index < prices.count, prices[index].asset == asset { index += 1 }
        if let price = row.price { result.append(PricedAsset(asset: asset, price: price)) }
      }
    }
    result.append(contentsOf: prices[index...])
    return result
  }

  private static func rowCount(_ groups: [PriceGroup]) -> Int {
    groups.reduce(0) { $0 + $1.rows.count }
  }
}
