import FolioDomain
import FolioWire

/// Packs price tables into a page: the first whole, the others as what differs from the one before,
/// where that is less.
struct TablePacker {
  private(set) var tables: [WireTable] = []
  private var byteCount = 0
  /// The prices of the tables, each counted whole.
  private var priceCount = 0
  private var previous: [TableRow.StoredPrice] = []
  private let names: AssetNumbers
  private let types: Set<AssetType>?
  private let byteLimit: Int

  init(names: AssetNumbers, types: Set<AssetType>?, byteLimit: Int) {
    self.names = names
    self.types = types
    self.byteLimit = byteLimit
  }

  /// Adds a table, or says that the page is full; the first always fits.
  mutating func add(_ slot: Slot, _ table: TableRow) throws -> Bool {
    let prices = try narrowed(table.prices)
    var rows = try whole(prices)
    var isDelta = false
    if !tables.isEmpty, let difference = try difference(prices, lessThan: rows.count) {
      rows = difference
      isDelta = true
    }
    let wire = WireTable(
      slot: slot, revision: table.revision, isDelta: isDelta, groups: Self.groups(rows))
    let size = Self.byteCount(of: wire)
    guard tables.isEmpty || hasRoom(size, prices.count) else { return false }
    tables.append(wire)
    byteCount += size
    priceCount += prices.count
    previous = prices
    return true
  }

  private func hasRoom(_ bytes: Int, _ prices: Int) -> Bool {
    byteCount + bytes <= byteLimit && tables.count < Wire.entryLimit
      && priceCount + prices <= Wire.pagePriceLimit
  }

  private typealias Row = (type: AssetType, row: PriceRow)

  private func narrowed(_ prices: [TableRow.StoredPrice]) throws -> [TableRow.StoredPrice] {
    guard let types else { return prices }
    return try prices.filter { types.contains(try names.key($0.asset).type) }
  }

  private func row(_ asset: UInt32, _ price: Price?) throws -> Row {
    let key = try names.key(asset)
    return (key.type, PriceRow(id: key.id, price: price))
  }

  private func whole(_ prices: [TableRow.StoredPrice]) throws -> [Row] {
    try prices.map { try row($0.asset, $0.price) }
  }

  /// What differs from the table before; nil where that is `limit` rows or more.
  private func difference(_ prices: [TableRow.StoredPrice], lessThan limit: Int) throws -> [Row]? {
    var rows: [Row] = []
    var old = 0
    var new = 0
    while old < previous.count || new < prices.count {
      if rows.count >= limit { return nil }
      if new == prices.count {
        rows.append(try row(previous[old].asset, nil))
        old += 1
      } else if old == previous.count {
        rows.append(try row(prices[new].asset, prices[new].price))
        new += 1
      } else if previous[old].asset == prices[new].asset {
        if previous[old].price != prices[new].price {
          rows.append(try row(prices[new].asset, prices[new].price))
        }
        old += 1
        new += 1
      } else if try names.key(previous[old].asset) < names.key(prices[new].asset) {
        rows.append(try row(previous[old].asset, nil))
        old += 1
      } else {
        rows.append(try row(prices[new].asset, prices[new].price))
        new += 1
      }
    }
    return rows.count < limit ? rows : nil
  }

  private static func groups(_ rows: [Row]) -> [PriceGroup] {
    var groups: [PriceGroup] = []
    var start = 0
    while start < rows.count {
      let type = rows[start].type
      var end = start + 1
      while end < rows.count, rows[end].type == type { end += 1 }
      groups.append(PriceGroup(type: type, rows: rows[start..<end].map(\.row)))
      start = end
    }
    return groups
  }

  /// The most bytes of one table as it is sent: it has to fit into a line with what is around it.
  static let tableByteLimit = Wire.lineByteLimit / 10 * 9

  /// Whether a table of those prices fits into a line.
  static func fitsLine(_ prices: [TableRow.StoredPrice], _ names: AssetNumbers) throws -> Bool {
    // Most tables fit however long their ids are.
    let longest = 46 + 2 * AssetID.byteLimit
    if prices.count * longest <= tableByteLimit / 2 { return true }
    var size = 0
    for price in prices { size += byteCount(ofPriceOf: try names.key(price.asset).id) }
    return size <= tableByteLimit
  }

  /// No less than the bytes a table takes on the line.
  static func byteCount(of table: WireTable) -> Int {
    table.groups.reduce(96) { sum, group in
      group.rows.reduce(sum + 96) { $0 + byteCount(ofPriceOf: $1.id) }
    }
  }

  /// No less than the bytes the price of an asset takes on the line: a price has at most 18 digits
  /// and 36 decimal places.
  static func byteCount(ofPriceOf id: AssetID) -> Int {
    46
      + id.text.utf8.reduce(0) {
        $0 + ($1 == UInt8(ascii: "\"") || $1 == UInt8(ascii: "\\") ? 2 : 1)
      }
  }
}
