public import FolioDomain
internal import LMDB

extension StoreReadTransaction {
  /// How far price tables have been read; nil before the first page.
  ///
  /// `through` of a market that has not been read whole for the first time is that of the market
  /// before, or the slot of the beginning of time.
  public func marketPosition() throws -> MarketPosition? {
    let market = try single(MarketRecord.self)
    guard let cursor = market.cursor else { return nil }
    return MarketPosition(
      epoch: cursor.epoch, revision: cursor.revision,
      through: market.through ?? Slot(containing: EffectiveTime.earliest).previous)
  }

  /// The last closed slot: the one the server's clock was in when it last told; nil before.
  public func through() throws -> Slot? {
    try single(MarketRecord.self).through
  }

  /// The price table of a slot, in byte order of type and id; nil where there is none.
  public func priceTable(_ slot: Slot) throws -> PriceTable? {
    guard let rows = try priceBlock(of: slot)?.rows(of: slot) else { return nil }
    let prices = try rows.map { PricedAsset(asset: try pricedAsset($0.number), price: $0.price) }
    return PriceTable(slot: slot, prices: prices.sorted { $0.asset < $1.asset })
  }

  /// How many price tables are held.
  ///
  /// - Complexity: O(1).
  public func priceTableCount() throws -> Int {
    try single(TableCountRecord.self).count
  }

  /// The block of a slot, with the columns that are wanted; nil where none of its slots has a table.
  func priceBlock(
    of slot: Slot, where isWanted: (UInt32) -> Bool = { _ in true }
  ) throws -> PriceBlock? {
    let first = PriceBlock.first(of: slot)
    guard let span = try base.get(spaces.prices, Keys.slot(first)) else { return nil }
    var reader = RecordReader(span, of: spaces.prices.name)
    return try PriceBlock(&reader, first: first, where: isWanted)
  }

  /// Calls `body` with each block that has a slot of a range, with the columns that are wanted.
  func scanPriceBlocks(
    from slot: Slot? = nil, upTo last: Slot? = nil, _ order: ScanOrder = .ascending,
    where isWanted: (UInt32) -> Bool = { _ in true }, _ body: (PriceBlock) throws -> ScanStep
  ) throws {
    let lower = slot.map { Keys.slot(PriceBlock.first(of: $0)).bytes } ?? []
    let range: KeyRange = last.map { .from(lower, upTo: Keys.slot($0.next).bytes) } ?? .from(lower)
    try base.scan(spaces.prices, range, order) { key, value in
      var keyReader = KeyReader(key)
      let first = try keyReader.readSlot()
      var reader = RecordReader(value, of: spaces.prices.name)
      return try body(try PriceBlock(&reader, first: first, where: isWanted))
    }
  }

  /// The last slot that there is a price table of; nil where there is none.
  func lastTableSlot() throws -> Slot? {
    var slot: Slot?
    try base.scan(spaces.prices, .all, .descending, limit: 1) { key, value in
      var keyReader = KeyReader(key)
      var reader = RecordReader(value, of: spaces.prices.name)
      slot = PriceBlock.last(
        of: try PriceBlock.readTables(&reader), first: try keyReader.readSlot())
      return .stop
    }
    return slot
  }

  func pricedRecord(_ asset: AssetKey) throws -> PricedRecord? {
    guard let span = try base.get(spaces.pricedAssets, try Keys.asset(asset)) else { return nil }
    var reader = RecordReader(span, of: spaces.pricedAssets.name)
    return try PricedRecord(&reader)
  }

  func pricedAsset(_ number: UInt32) throws -> AssetKey {
    guard let span = try base.get(spaces.pricedNumbers, Keys.number(number)) else {
      throw StoreError.missingRecord(space: spaces.pricedNumbers.name)
    }
    var reader = RecordReader(span, of: spaces.pricedNumbers.name)
    return try reader.readAssetKey()
  }

  /// The latest price of a numbered asset in tables up to a slot, found by going back.
  func observation(of number: UInt32, upTo slot: Slot) throws -> PricedRecord.Latest? {
    var found: PricedRecord.Latest?
    try scanPriceBlocks(upTo: slot, .descending, where: { $0 == number }) { block in
      found = block.lastPrice(of: number, in: block.bits(upTo: slot))
      return found == nil ? .next : .stop
    }
    return found
  }

  /// The slot of the first table after a slot that has a price of an asset.
  func nextObservation(of asset: AssetKey, after slot: Slot) throws -> Slot? {
    guard let priced = try pricedRecord(asset), let latest = priced.latest, latest.slot > slot
    else { return nil }
    var found: Slot?
    try scanPriceBlocks(from: slot.next, where: { $0 == priced.number }) { block in
      found = block.firstSlot(of: priced.number, in: ~block.bits(upTo: slot))
      return found == nil ? .next : .stop
    }
    return found
  }

  /// The base currency and the successions by which assets are priced.
  public func pricingRules() throws -> PricingRules {
    if cache == nil { return try readPricingRules() }
    return try presentMarket().rules
  }

  func readPricingRules() throws -> PricingRules {
    PricingRules(
      base: try single(MarketRecord.self).base,
      successions: try single(SuccessionsRecord.self).successions)
  }

  /// The latest price that counts for an asset, by those rules, at a slot that no table is later
  /// than; nil where there is none.
  ///
  /// - Complexity: O(log n).
  func latestQuote(of asset: AssetKey, at slot: Slot, _ rules: PricingRules) throws -> Quote? {
    if rules.successions.isEmpty, asset != rules.base {
      return try pricedRecord(asset)?.latest.map { Quote(price: $0.price, pricedAt: $0.slot) }
    }
    guard let end = rules.successions.end(of: asset, at: slot, base: rules.base) else {
      return nil
    }
    if end.asset == rules.base {
      return Quote(price: .one, pricedAt: slot, factors: end.factors)
    }
    guard let latest = try pricedRecord(end.asset)?.latest else { return nil }
    return Quote(price: latest.price, pricedAt: latest.slot, factors: end.factors)
  }

  /// The assets in which something happened from a slot on, or ever.
  func assetsChanged(from slot: Slot?) throws -> Set<AssetKey> {
    var assets: Set<AssetKey> = []
    try base.scan(spaces.history, slot.map { KeyRange.slots(from: $0) } ?? .all) { key, _ in
      var reader = KeyReader(key)
      _ = try reader.readSlot()
      assets.insert(try reader.readAsset())
      return .next
    }
    return assets
  }
}
