public import FolioDomain
internal import LMDB

extension StoreWriteTransaction {
  /// Stores a page of price tables and moves the market's position to its end.
  ///
  /// Snapshots that a table concerns are marked out of date in the same transaction. Tables of
  /// another market than the one known take the place of all that is known of it.
  /// - Returns: How many tables were new or changed.
  /// - Throws: ``StoreError/otherMarket`` where the page goes on in another market than it began in,
  ///   ``StoreError/assetTwiceInTable(_:)`` where a table has two prices of one asset.
  /// - Complexity: O(prices); for a table that snapshots rest on, also the histories of the assets
  ///   whose price changed.
  @discardableResult
  public mutating func apply(_ page: PriceTablesPage) throws -> Int {
    var market: MarketRecord = try reading.single()
    if market.cursor?.epoch != page.position.epoch || page.beginsAnew {
      try beginMarket(page, &market)
    }
    var work = TablesWork(
      nextNumber: market.nextNumber, tableCount: try reading.priceTableCount())
    let lastSnapshot = try reading.lastSnapshotSlot()
    for table in page.tables { try put(table, lastSnapshot, &work) }
    try writeBlock(&work)
    try put(TableCountRecord(count: work.tableCount))
    market.nextNumber = work.nextNumber
    market.cursor = (page.position.epoch, page.position.revision)
    market.base = page.base
    try put(market)
    try writePriced(&work)
    try markStale(byTables: work.corrected)
    if page.isLast { try close(through: page.position.through) }
    return work.changedCount
  }

  /// Forgets the market known so far.
  ///
  /// Slots stay closed until the new market has been read whole.
  private mutating func beginMarket(_ page: PriceTablesPage, _ market: inout MarketRecord) throws {
    if market.cursor != nil { try markAllStale() }
    try base.deleteAll(spaces.prices)
    try base.deleteAll(spaces.pricedAssets)
    try base.deleteAll(spaces.pricedNumbers)
    try dropLatestPrices()
    try put(TableCountRecord())
    market.nextNumber = 0
    market.isReplacing = market.through != nil
  }

  private mutating func put(
    _ table: PriceTable, _ lastSnapshot: Slot?, _ work: inout TablesWork
  ) throws {
    var rows = try rows(of: table, &work)
    rows.sort { $0.number < $1.number }
    for index in rows.indices.dropFirst() where rows[index].number == rows[index - 1].number {
      throw StoreError.assetTwiceInTable(table.slot)
    }
    try readBlock(of: table.slot, &work)
    let before = work.block?.rows(of: table.slot)
    if before == rows { return }
    work.set(rows, of: table.slot)
    if let before { work.retract(before, now: rows, in: table.slot) }
    if let lastSnapshot, table.slot <= lastSnapshot {
      let changed = Set(rows).symmetricDifference(before ?? []).map(\.number)
      work.corrected[table.slot, default: []].formUnion(try changed.map { try asset($0, work) })
    }
  }

  /// A table's rows in its own order.
  ///
  /// Most tables name the assets of the one before, which are not looked up again.
  private mutating func rows(of table: PriceTable, _ work: inout TablesWork) throws -> [TableRow] {
    let before = work.named
    work.named = table.prices
    var rows: [TableRow] = []
    rows.reserveCapacity(table.prices.count)
    for (index, row) in table.prices.enumerated() {
      let isSame = index < before.count && before[index].asset == row.asset
      let number =
        isSame ? work.namedNumbers[index] : try number(of: row.asset, in: table.slot, &work)
      rows.append(TableRow(number: number, price: row.price))
    }
    work.namedNumbers = rows.map(\.number)
    return rows
  }

  /// Makes the block of a slot the one that is worked on.
  ///
  /// Tables come in the order of their changes, and so nearly always in that of their slots: one block
  /// is held at a time, and written once.
  private mutating func readBlock(of slot: Slot, _ work: inout TablesWork) throws {
    let first = PriceBlock.first(of: slot)
    if work.block?.first == first { return }
    try writeBlock(&work)
    work.block = try reading.priceBlock(of: slot) ?? PriceBlock(first: first)
  }

  private mutating func writeBlock(_ work: inout TablesWork) throws {
    guard work.isBlockChanged, let block = work.block else { return }
    try base.append(spaces.prices, Keys.slot(block.first), block.record)
    work.isBlockChanged = false
    work.observeBlock()
  }

  /// The number of a priced asset, given to it at the first meeting.
  private mutating func number(
    of asset: AssetKey, in slot: Slot, _ work: inout TablesWork
  ) throws -> UInt32 {
    if let number = work.numbers[asset] { return number }
    let known = try reading.pricedRecord(asset)
    let record =
      known ?? PricedRecord(number: work.nextNumber, first: slot, latest: nil)
    if known == nil {
      work.nextNumber += 1
      var writer = RecordWriter()
      writer.append(asset)
      try base.append(spaces.pricedNumbers, Keys.number(record.number), writer.bytes)
    }
    work.add(asset, record)
    return record.number
  }

  private func asset(_ number: UInt32, _ work: TablesWork) throws -> AssetKey {
    if let asset = work.assets[number] { return asset }
    return try reading.pricedAsset(number)
  }

  private mutating func writePriced(_ work: inout TablesWork) throws {
    for number in work.retracted where work.priced[number] == nil {
      let asset = try reading.pricedAsset(number)
      guard let record = try reading.pricedRecord(asset) else {
        throw StoreError.missingRecord(space: spaces.pricedAssets.name)
      }
      work.add(asset, record)
    }
    for number in work.retracted {
      guard let latest = work.priced[number]?.latest?.slot, let before = work.retractedIn[number],
        latest <= before
      else { continue }
      work.priced[number]?.latest = try reading.observation(of: number, upTo: before)
    }
    for (number, record) in work.priced {
      guard let asset = work.assets[number] else { continue }
      try base.put(spaces.pricedAssets, try Keys.asset(asset), record.record)
      try setLatestPrice(of: asset, record.latest)
    }
  }

  /// Takes note of the slot that the server's clock was in when it last told.
  ///
  /// Slots that close, or are open again in a new market, decide anew which assets are listed.
  private mutating func close(through slot: Slot) throws {
    var market: MarketRecord = try reading.single()
    let before = market.through
    // A server's time does not go back within a market.
    let after = market.isReplacing ? slot : max(before ?? slot, slot)
    market.isReplacing = false
    market.through = after
    try put(market)
    if before == after { return }
    if let before, after < before {
      try base.deleteAll(spaces.snapshots, in: .slots(from: after.next))
    }
    let first = before.map { min($0, after) }
    let assets = try reading.assetsChanged(from: first)
    let rules = ListingRules(through: after)
    for asset in assets.sorted() { try update(asset, rules) }
  }
}

/// What a page of price tables changes.
struct TablesWork {
  var nextNumber: UInt32
  var tableCount: Int
  private(set) var changedCount = 0
  /// What changed in tables that snapshots rest on.
  var corrected: [Slot: Set<AssetKey>] = [:]
  private(set) var numbers: [AssetKey: UInt32] = [:]
  private(set) var assets: [UInt32: AssetKey] = [:]
  var priced: [UInt32: PricedRecord] = [:]
  /// Assets of which a table no longer has a price, with the latest such table.
  private(set) var retractedIn: [UInt32: Slot] = [:]
  /// The rows of the table before, and the numbers of their assets.
  var named: [PricedAsset] = []
  var namedNumbers: [UInt32] = []
  /// The tables that are worked on.
  var block: PriceBlock?
  /// Whether they are others than those that are stored.
  var isBlockChanged = false

  var retracted: [UInt32] { Array(retractedIn.keys) }

  init(nextNumber: UInt32, tableCount: Int) {
    self.nextNumber = nextNumber
    self.tableCount = tableCount
  }

  mutating func add(_ asset: AssetKey, _ record: PricedRecord) {
    numbers[asset] = record.number
    assets[record.number] = asset
    priced[record.number] = record
  }

  /// Puts a table into the block.
  mutating func set(_ rows: [TableRow], of slot: Slot) {
    if block?.hasTable(slot) == false { tableCount += 1 }
    block?.set(rows, of: slot)
    isBlockChanged = true
    changedCount += 1
  }

  /// Takes note of the first and the last price of each asset that the page names.
  mutating func observeBlock() {
    guard let block else { return }
    for (index, column) in block.columns.enumerated() {
      guard var record = priced[column.number], let first = block.firstSlot(ofColumn: index),
        let last = block.lastPrice(ofColumn: index)
      else { continue }
      record.first = min(record.first, first)
      if record.latest.map({ $0.slot <= last.slot }) ?? true { record.latest = last }
      priced[column.number] = record
    }
  }

  mutating func retract(_ before: [TableRow], now rows: [TableRow], in slot: Slot) {
    let left = Set(rows.map(\.number))
    for row in before where !left.contains(row.number) {
      retractedIn[row.number] = max(retractedIn[row.number] ?? slot, slot)
    }
  }
}
