import FolioDomain
import FolioWire

@testable import FolioServer

/// A table with its revision, as a client has it after reading a page.
struct ReadTable: Hashable {
  var revision: UInt64
  var table: PriceTable

  /// As `slot#revision type:id=price ...`.
  var text: String {
    (["\(table.slot)#\(revision)"] + table.prices.map { "\($0.asset.text)=\($0.price)" })
      .joined(separator: " ")
  }
}

/// The tables of a page, each whole.
func readTables(_ tables: [WireTable]) -> [ReadTable] {
  var prices: [AssetKey: Price] = [:]
  return tables.map { wire in
    if !wire.isDelta { prices = [:] }
    for group in wire.groups {
      for row in group.rows { prices[AssetKey(type: group.type, id: row.id)] = row.price }
    }
    let rows = prices.sorted { $0.key < $1.key }.map { PricedAsset(asset: $0.key, price: $0.value) }
    return ReadTable(revision: wire.revision, table: PriceTable(slot: wire.slot, prices: rows))
  }
}

extension ServerFixture {
  /// All tables after a revision, page by page.
  func tables(after revision: UInt64 = 0, types: Set<AssetType>? = nil, byteLimit: Int = 1 << 19)
    throws -> [ReadTable]
  {
    var tables: [ReadTable] = []
    let epoch = try storage.read(MarketFacts()).market.epoch
    var cursor = TableCursor(epoch: epoch, revision: revision)
    let names = AssetNumberCache()
    while true {
      let page = try storage.read(
        TablePageQuery(after: cursor, types: types, byteLimit: byteLimit, names: names))
      tables += readTables(page.tables)
      if !page.more { return tables }
      precondition(page.last > cursor.revision, "a page that has more moves the cursor")
      cursor.revision = page.last
    }
  }
}
