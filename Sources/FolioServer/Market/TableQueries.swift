import Synchronization
package import FolioDomain
package import FolioWire

/// A page of price tables, in the order of their revisions.
package struct TablePageQuery: ServerQuery {
  private let after: TableCursor?
  private let types: Set<AssetType>?
  private let byteLimit: Int
  private let names: AssetNumberCache

  /// The tables after a cursor, narrowed to `types` where they are given: about `byteLimit` bytes
  /// of them as they are sent, but at least one where there is one.
  ///
  /// A cursor of another epoch, or of a revision that there has not been, begins anew.
  package init(
    after: TableCursor?, types: Set<AssetType>? = nil, byteLimit: Int, names: AssetNumberCache
  ) {
    self.after = after
    self.types = types
    self.byteLimit = byteLimit
    self.names = names
  }

  /// The page.
  package struct Answer: Hashable, Sendable {
    /// The market.
    package var market: MarketRow
    /// The tables.
    package var tables: [WireTable]
    /// The revision to go on from.
    package var last: UInt64
    /// Whether there are later revisions.
    package var more: Bool
  }

  package func answer<T: ServerReading & ~Copyable & ~Escapable>(_ transaction: borrowing T) throws
    -> Answer
  {
    let market = try transaction.market()
    let names = try names.names(transaction, last: market.lastAssetNumber)
    var packer = TablePacker(names: names, types: types, byteLimit: byteLimit)
    var more = false
    try transaction.scan(.revisions, range(market), .ascending) { _, slotKey in
      let slot = try TableKey.slot(ofKey: slotKey, in: .revisions)
      guard let table = try transaction.table(slot) else {
        throw ServerStorageError.damaged(space: .revisions, what: "table is missing")
      }
      more = try !packer.add(slot, table)
      return more ? .stop : .next
    }
    let last = more ? packer.tables.last?.revision : nil
    return Answer(
      market: market, tables: packer.tables, last: last ?? market.revision, more: more)
  }

  private func range(_ market: MarketRow) -> RowRange {
    guard let after, after.epoch == market.epoch, after.revision <= market.revision else {
      return .all
    }
    return RowRange(from: TableKey.revision(after.revision + 1))
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
