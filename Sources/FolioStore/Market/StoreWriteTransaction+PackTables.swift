internal import FolioDomain
internal import LMDB

extension StoreWriteTransaction {
  /// Puts the price tables of a store of format 3, a record each, into blocks.
  ///
  /// Where one of them cannot be read all market data is forgotten, as a repair does; the next sync reads
  /// it again.
  /// - Complexity: O(prices), in memory of one block.
  mutating func packTables() throws {
    do {
      try packReadableTables()
    } catch StorageError.corrupt, StoreError.unreadableRecord {
      try forgetMarket()
      // What is listed rests on the slots that have closed.
      try remakeHoldings()
    }
  }

  private mutating func packReadableTables() throws {
    var count = 0
    var next = try reading.firstTable(from: nil)
    while let slot = next {
      let block = try reading.tablesOfFormat3(around: slot)
      let last = block.first.advanced(by: PriceBlock.slotCount - 1)
      try base.deleteAll(spaces.prices, in: .slots(block.first...last))
      try base.put(spaces.prices, Keys.slot(block.first), block.record)
      count += block.tables.nonzeroBitCount
      next = try reading.firstTable(from: last.next)
    }
    try put(TableCountRecord(count: count))
  }
}

extension StoreReadTransaction {
  /// The slot of the first record from a slot on.
  fileprivate func firstTable(from slot: Slot?) throws -> Slot? {
    let range = slot.map { KeyRange.slots(from: $0) } ?? .all
    guard let first = try base.first(spaces.prices, in: range) else { return nil }
    let key = first.key.span
    var reader = unsafe KeyReader(key.bytes)
    return try reader.readSlot()
  }

  /// The block of the tables that stand by themselves in the slots of one.
  fileprivate func tablesOfFormat3(around slot: Slot) throws -> PriceBlock {
    var block = PriceBlock(first: PriceBlock.first(of: slot))
    let last = block.first.advanced(by: PriceBlock.slotCount - 1)
    try base.scan(spaces.prices, .slots(block.first...last)) { key, value in
      var keyReader = KeyReader(key)
      var reader = RecordReader(value, of: spaces.prices.name)
      let slot = try keyReader.readSlot()
      block.set(try reader.readTableOfFormat3(), of: slot)
      return .next
    }
    return block
  }
}

extension RecordReader {
  /// The rows of a table: their count, then each number as its distance from the one before, and its
  /// price.
  fileprivate mutating func readTableOfFormat3() throws(StoreError) -> [TableRow] {
    var rows: [TableRow] = []
    var number: UInt64 = 0
    for index in 0..<(try readCount()) {
      let (next, isTooGreat) = number.addingReportingOverflow(try readVarint())
      let isAscending = index == 0 || next > number
      guard !isTooGreat, isAscending, let checked = UInt32(exactly: next) else { throw unreadable }
      number = next
      rows.append(TableRow(number: checked, price: try readPrice()))
    }
    try finish()
    return rows
  }
}
