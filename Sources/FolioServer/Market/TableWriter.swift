package import FolioDomain

/// The market while one transaction changes tables.
struct TableWriter {
  private(set) var market: MarketRow
  private let stored: MarketRow
  private let now: Timestamp

  init(market: MarketRow, now: Timestamp) {
    self.market = market
    stored = market
    self.now = now
  }

  /// The number of `asset`, given now where it has none.
  mutating func number<T: ServerWriting & ~Copyable & ~Escapable>(
    _ asset: AssetKey, _ transaction: inout T
  ) throws -> UInt32 {
    let key = TableKey.asset(asset)
    if let row = try transaction.row(.assetNumbers, key) {
      var reader = RowReader(row.span.bytes, of: .assetNumbers)
      return try reader.integer()
    }
    market.lastAssetNumber += 1
    var writer = RowWriter(capacity: 4)
    writer.integer(market.lastAssetNumber)
    try transaction.put(.assetNumbers, key, writer.bytes)
    return market.lastAssetNumber
  }

  func put<T: ServerWriting & ~Copyable & ~Escapable>(
    _ slot: Slot, _ table: TableRow, _ transaction: inout T
  ) throws {
    try transaction.put(.tables, TableKey.slot(slot), table.row)
  }

  /// Stores the prices of a slot under a new revision, or held back where the slot has not begun.
  ///
  /// Says whether the table has a revision.
  mutating func publish<T: ServerWriting & ~Copyable & ~Escapable>(
    _ slot: Slot, _ prices: [TableRow.StoredPrice], replacing old: TableRow?,
    _ transaction: inout T
  ) throws -> Bool {
    let oldRevision = old?.revision ?? 0
    // A table that was told stays told, whatever the clock says now.
    guard slot.start <= now || oldRevision > 0 else {
      try put(slot, TableRow(prices: prices), &transaction)
      try transaction.put(.heldBack, TableKey.slot(slot), [1])
      return false
    }
    if oldRevision > 0 {
      try transaction.delete(.revisions, TableKey.revision(oldRevision))
    }
    market.revision += 1
    try put(slot, TableRow(revision: market.revision, prices: prices), &transaction)
    try transaction.put(
      .revisions, TableKey.revision(market.revision), TableKey.slot(slot))
    return true
  }

  /// Gives a revision to each table that was held back and whose slot has begun.
  mutating func publishDue<T: ServerWriting & ~Copyable & ~Escapable>(_ transaction: inout T)
    throws -> Int
  {
    let due = try transaction.dueSlots(now)
    for slot in due {
      guard let table = try transaction.table(slot) else {
        throw ServerStorageError.damaged(space: .heldBack, what: "table is missing")
      }
      _ = try publish(slot, table.prices, replacing: table, &transaction)
      try transaction.delete(.heldBack, TableKey.slot(slot))
    }
    return due.count
  }

  func save<T: ServerWriting & ~Copyable & ~Escapable>(_ transaction: inout T) throws {
    if market != stored { try transaction.put(.meta, MarketRow.key, market.row) }
  }
}

extension ServerReading where Self: ~Copyable & ~Escapable {
  /// The slots of tables that are held back though their slots have begun, in order.
  func dueSlots(_ now: Timestamp, limit: Int = .max) throws -> [Slot] {
    var due: [Slot] = []
    let range = RowRange(upTo: TableKey.slot(Slot(index: Slot(containing: now).index + 1)))
    try scan(.heldBack, range, .ascending) { key, _ in
      due.append(try TableKey.slot(ofKey: key, in: .heldBack))
      return due.count < limit ? .next : .stop
    }
    return due
  }
}

/// Gives a revision to the tables that were held back and whose slots have begun.
package struct PublishDueTables: ServerChange {
  private let now: Timestamp

  /// Publishes what is due at the server's time `now`.
  package init(now: Timestamp) { self.now = now }

  package func apply<T: ServerWriting & ~Copyable & ~Escapable>(_ transaction: inout T) throws
    -> Int
  {
    var tables = TableWriter(market: try transaction.market(), now: now)
    let count = try tables.publishDue(&transaction)
    try tables.save(&transaction)
    return count
  }
}

/// Whether a table is held back though its slot has begun.
package struct AreTablesDue: ServerQuery {
  private let now: Timestamp

  /// Asks at the server's time `now`.
  package init(now: Timestamp) { self.now = now }

  package func answer<T: ServerReading & ~Copyable & ~Escapable>(_ transaction: borrowing T) throws
    -> Bool
  {
    try !transaction.dueSlots(now, limit: 1).isEmpty
  }
}
