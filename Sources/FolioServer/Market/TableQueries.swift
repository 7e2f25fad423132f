import Synchronization
package import FolioDomain

/// Price tables in the order of their revisions.
package struct TablePageQuery: ServerQuery {
  private let after: UInt64
  private let types: Set<AssetType>?
  private let limits: (tables: Int, prices: Int)
  private let names: AssetNumberCache

  /// The tables with revisions after `after`, narrowed to `types` where they are given: at most so
  /// many tables, and about so many prices, but at least one table where there is one.
  package init(
    after: UInt64, types: Set<AssetType>?, limits: (tables: Int, prices: Int),
    names: AssetNumberCache
  ) {
    self.after = after
    self.types = types
    self.limits = limits
    self.names = names
  }

  /// A table with its revision.
  package struct Table: Hashable, Sendable {
    /// The revision.
    package var revision: UInt64
    /// The table.
    package var table: PriceTable
  }

  /// The tables.
  package struct Answer: Hashable, Sendable {
    /// The market.
    package var market: MarketRow
    /// The tables by revision.
    package var tables: [Table]
    /// Whether there are later revisions.
    package var more: Bool
  }

  package func answer<T: ServerReading & ~Copyable & ~Escapable>(_ transaction: borrowing T) throws
    -> Answer
  {
    let market = try transaction.market()
    let names = try names.names(transaction, last: market.lastAssetNumber)
    var answer = Answer(market: market, tables: [], more: false)
    var prices = 0
    let range = RowRange(from: TableKey.revision(after == .max ? after : after + 1))
    try transaction.scan(.revisions, range, .ascending) { key, slotKey in
      let slot = try TableKey.slot(ofKey: slotKey, in: .revisions)
      guard let table = try transaction.table(slot) else {
        throw ServerStorageError.damaged(space: .revisions, what: "table is missing")
      }
      prices += table.prices.count
      if !answer.tables.isEmpty, answer.tables.count >= limits.tables || prices > limits.prices {
        answer.more = true
        return .stop
      }
      answer.tables.append(
        Table(revision: table.revision, table: try priceTable(slot, table, names)))
      return .next
    }
    return answer
  }

  private func priceTable(_ slot: Slot, _ table: TableRow, _ names: AssetNumbers) throws
    -> PriceTable
  {
    var rows: [PricedAsset] = []
    rows.reserveCapacity(table.prices.count)
    for price in table.prices {
      let asset = try names.key(price.asset)
      if let types, !types.contains(asset.type) { continue }
      rows.append(PricedAsset(asset: asset, price: price.price))
    }
    return PriceTable(slot: slot, prices: rows)
  }
}

/// The assets behind the numbers in tables, read anew only when numbers were given since.
package final class AssetNumberCache: Sendable {
  private let names = Mutex(AssetNumbers())

  /// Nothing read yet.
  package init() {}

  func names<T: ServerReading & ~Copyable & ~Escapable>(
    _ transaction: borrowing T, last: UInt32
  ) throws -> AssetNumbers {
    let cached = names.withLock { $0 }
    if cached.keys.count >= Int(last) { return cached }
    let read = try AssetNumbers(transaction, last: last)
    names.withLock { $0 = read }
    return read
  }
}

/// What there is in the market, in numbers.
package struct MarketFacts: ServerQuery {
  /// The facts.
  package init() {}

  /// The facts.
  package struct Answer: Hashable, Sendable {
    /// The market.
    package var market: MarketRow
    /// The asset table.
    package var assets: AssetTableRow
  }

  package func answer<T: ServerReading & ~Copyable & ~Escapable>(_ transaction: borrowing T) throws
    -> Answer
  {
    Answer(market: try transaction.market(), assets: try transaction.assetTable())
  }
}
