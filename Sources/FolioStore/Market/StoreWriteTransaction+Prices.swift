public import FolioDomain
internal import LMDB

extension StoreWriteTransaction {
  /// Stores a page of price tables and moves the market's position to its end.
  ///
  /// Snapshots that a table concerns are marked out of date in the same transaction. Tables of
  /// another market than the one known take the place of all that is known of it.
  /// - Returns: How many tables were new or changed.
  /// - Throws: ``StoreError/otherMarket`` where the page goes on in another market than it began in.
  /// - Complexity: O(prices); for a table that snapshots rest on, also the histories of the assets
  ///   whose price changed.
  @discardableResult
  public mutating func apply(_ page: PriceTablesPage) throws -> Int {
    var market: MarketRecord = try reading.single()
    if market.cursor?.epoch != page.position.epoch || page.beginsAnew {
      try beginMarket(page, &market)
    }
    var work = TablesWork(nextNumber: market.nextNumber)
    let lastSnapshot = try reading.lastSnapshotSlot()
    for table in page.tables { try put(table, lastSnapshot, &work) }
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
    market.nextNumber = 0
    market.isReplacing = market.through != nil
  }

  private mutating func put(
    _ table: PriceTable, _ lastSnapshot: Slot?, _ work: inout TablesWork
  ) throws {
    var rows: [TableRecord.Row] = []
    rows.reserveCapacity(table.prices.count)
    for row in table.prices {
      let number = try number(of: row.asset, in: table.slot, &work)
      rows.append(TableRecord.Row(number: number, price: row.price))
    }
    rows.sort { $0.number < $1.number }
    let before = try reading.tableRows(table.slot)
    if before == rows { return }
    try base.append(spaces.prices, Keys.slot(table.slot), TableRecord.record(rows))
    work.changedCount += 1
    for row in rows { work.observe(row, in: table.slot) }
    if let before { work.retract(before, now: rows, in: table.slot) }
    if let lastSnapshot, table.slot <= lastSnapshot {
      let changed = Set(rows).symmetricDifference(before ?? []).map(\.number)
      work.corrected[table.slot, default: []].formUnion(try changed.map { try asset($0, work) })
    }
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

/// What a page of price tables changes, beside the tables.
struct TablesWork {
  var nextNumber: UInt32
  var changedCount = 0
  /// What changed in tables that snapshots rest on.
  var corrected: [Slot: Set<AssetKey>] = [:]
  private(set) var numbers: [AssetKey: UInt32] = [:]
  private(set) var assets: [UInt32: AssetKey] = [:]
  var priced: [UInt32: PricedRecord] = [:]
  /// Assets of which a table no longer has a price, with the latest such table.
  private(set) var retractedIn: [UInt32: Slot] = [:]

  var retracted: [UInt32] { Array(retractedIn.keys) }

  init(nextNumber: UInt32) { self.nextNumber = nextNumber }

  mutating func add(_ asset: AssetKey, _ record: PricedRecord) {
    numbers[asset] = record.number
    assets[record.number] = asset
    priced[record.number] = record
  }

  mutating func observe(_ row: TableRecord.Row, in slot: Slot) {
    guard var record = priced[row.number] else { return }
    record.first = min(record.first, slot)
    if record.latest.map({ $0.slot <= slot }) ?? true {
      record.latest = PricedRecord.Latest(slot: slot, price: row.price)
    }
    priced[row.number] = record
  }

  mutating func retract(
    _ before: [TableRecord.Row], now rows: [TableRecord.Row], in slot: Slot
  ) {
    let left = Set(rows.map(\.number))
    for row in before where !left.contains(row.number) {
      retractedIn[row.number] = max(retractedIn[row.number] ?? slot, slot)
    }
  }
}
