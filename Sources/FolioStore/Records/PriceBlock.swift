internal import FolioDomain

/// A row of a price table as it is stored: its asset stands by number.
struct TableRow: Hashable {
  var number: UInt32
  var price: Price
}

/// The price tables of consecutive slots, which stand in one record.
///
/// From one slot to the next most prices move a little: side by side, by asset, they take a few bits
/// each. Where a block begins follows from a slot alone, so that its table is found by one search.
struct PriceBlock: Hashable {
  /// How many slots a block is for.
  ///
  /// With more of them a price would take hardly less room, and whatever reads or writes one table
  /// works on a whole block.
  static let slotCount = PriceWindow.slotCount

  /// An asset of which some table of the block has a price.
  struct Column: Hashable {
    let number: UInt32
    /// Whose tables have one: a bit for each slot, the lowest for the first.
    var slots: UInt16
  }

  /// The first slot of the block, whether it has a table or not.
  let first: Slot
  /// Which slots have a table, as in a column.
  private(set) var tables: UInt16
  /// In ascending order of their numbers.
  private(set) var columns: [Column]
  /// As many as the block has slots for each column; 0 where there is none.
  private(set) var prices: [Price]

  /// A block without tables.
  init(first: Slot) {
    self.init(first: first, tables: 0, columns: [], prices: [])
  }

  init(first: Slot, tables: UInt16, columns: [Column], prices: [Price]) {
    precondition(first == Self.first(of: first))
    self.first = first
    self.tables = tables
    self.columns = columns
    self.prices = prices
  }

  /// The first slot of the block that a slot is in.
  static func first(of slot: Slot) -> Slot {
    Slot(index: slot.index & ~Int64(slotCount - 1))
  }

  /// The last slot of a block that has a table, by the bits of those that have.
  static func last(of tables: UInt16, first: Slot) -> Slot? {
    tables == 0 ? nil : first.advanced(by: UInt16.bitWidth - 1 - tables.leadingZeroBitCount)
  }

  /// Which slots of the block are not after one, as bits.
  func bits(upTo slot: Slot) -> UInt16 {
    let count = slot.index - first.index + 1
    if count <= 0 { return 0 }
    return count >= Self.slotCount ? .max : 1 << UInt16(count) - 1
  }

  /// Whether there is a table of a slot of the block.
  func hasTable(_ slot: Slot) -> Bool { tables & bit(slot) != 0 }

  /// The table of a slot of the block, in ascending order of the numbers; nil where there is none.
  func rows(of slot: Slot) -> [TableRow]? {
    guard hasTable(slot) else { return nil }
    var rows: [TableRow] = []
    rows.reserveCapacity(columns.count)
    readPrices(of: slot) { rows.append(TableRow(number: $0, price: $1)) }
    return rows
  }

  /// Calls `body` with each number and price of a slot's table, in the order of the numbers.
  @inline(__always)
  func readPrices(of slot: Slot, _ body: (UInt32, Price) -> Void) {
    let bit = bit(slot)
    var place = place(of: slot)
    for column in columns {
      if column.slots & bit != 0 { body(column.number, prices[place]) }
      place += Self.slotCount
    }
  }

  /// The last price of an asset in some of the slots, given as bits; nil where none has one.
  func lastPrice(of number: UInt32, in slots: UInt16 = .max) -> PricedRecord.Latest? {
    index(of: number).flatMap { lastPrice(ofColumn: $0, in: slots) }
  }

  /// The same by an asset's place among the columns.
  func lastPrice(ofColumn index: Int, in slots: UInt16 = .max) -> PricedRecord.Latest? {
    guard let slot = Self.last(of: columns[index].slots & slots, first: first) else { return nil }
    return PricedRecord.Latest(slot: slot, price: prices[index * Self.slotCount + place(of: slot)])
  }

  /// The first slot whose table has a price of an asset, of those given as bits.
  func firstSlot(of number: UInt32, in slots: UInt16 = .max) -> Slot? {
    index(of: number).flatMap { firstSlot(ofColumn: $0, in: slots) }
  }

  /// The same by an asset's place among the columns.
  func firstSlot(ofColumn index: Int, in slots: UInt16 = .max) -> Slot? {
    let found = columns[index].slots & slots
    return found == 0 ? nil : first.advanced(by: found.trailingZeroBitCount)
  }

  private func index(of number: UInt32) -> Int? {
    columns.firstIndex { $0.number == number }
  }

  /// Puts a slot's table, given in ascending order of the numbers, in the place of the one before.
  ///
  /// - Complexity: O(rows and columns).
  mutating func set(_ rows: [TableRow], of slot: Slot) {
    let bit = bit(slot)
    tables |= bit
    addColumns(of: rows)
    var next = rows.startIndex
    var place = place(of: slot)
    var hasEmpty = false
    for index in columns.indices {
      if next < rows.endIndex, rows[next].number == columns[index].number {
        columns[index].slots |= bit
        prices[place] = rows[next].price
        next += 1
      } else if columns[index].slots & bit != 0 {
        columns[index].slots &= ~bit
        prices[place] = .zero
        hasEmpty = hasEmpty || columns[index].slots == 0
      }
      place += Self.slotCount
    }
    if hasEmpty { dropEmptyColumns() }
  }

  private func place(of slot: Slot) -> Int { Int(slot.index - first.index) }

  private func bit(_ slot: Slot) -> UInt16 {
    precondition(Self.first(of: slot) == first, "the slot is in another block")
    return 1 << UInt16(slot.index - first.index)
  }

  /// Makes room for the assets of a table that no table had before.
  private mutating func addColumns(of rows: [TableRow]) {
    var missing: [UInt32] = []
    var next = columns.startIndex
    for row in rows {
      while next < columns.endIndex, columns[next].number < row.number { next += 1 }
      if next == columns.endIndex || columns[next].number != row.number {
        missing.append(row.number)
      }
    }
    if missing.isEmpty { return }
    let before = self
    columns.removeAll()
    prices.removeAll()
    prices.reserveCapacity((before.columns.count + missing.count) * Self.slotCount)
    var added = missing[...]
    for (index, column) in before.columns.enumerated() {
      while let number = added.first, number < column.number { addColumn(number, &added) }
      copy(index, of: before)
    }
    while let number = added.first { addColumn(number, &added) }
  }

  private mutating func addColumn(_ number: UInt32, _ left: inout ArraySlice<UInt32>) {
    columns.append(Column(number: number, slots: 0))
    prices.append(contentsOf: repeatElement(.zero, count: Self.slotCount))
    left.removeFirst()
  }

  private mutating func dropEmptyColumns() {
    let before = self
    columns.removeAll()
    prices.removeAll()
    for (index, column) in before.columns.enumerated() where column.slots != 0 {
      copy(index, of: before)
    }
  }

  private mutating func copy(_ index: Int, of block: PriceBlock) {
    columns.append(block.columns[index])
    let start = index * Self.slotCount
    prices.append(contentsOf: block.prices[start..<start + Self.slotCount])
  }
}
