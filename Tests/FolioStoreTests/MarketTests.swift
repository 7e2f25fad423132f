import FolioDomain
import FolioStore
import StoreWorld
import TestSupport
import Testing

@Suite struct MarketTests {
  let bitcoin = TestWorld.assets[0]
  let ether = TestWorld.assets[1]
  let dollar = TestWorld.assets[4]
  let slot = Slot(containing: Timestamp(known: "2026-03-01T06:00:00Z"))

  func page(
    epoch: UInt64 = 1, revision: UInt64, through: Slot? = nil,
    _ tables: [(Int64, [(AssetKey, String)])], isLast: Bool = true
  ) throws -> PriceTablesPage {
    PriceTablesPage(
      position: MarketPosition(epoch: epoch, revision: revision, through: through ?? slot),
      base: "USD",
      tables: try tables.map { offset, prices in
        PriceTable(
          slot: Slot(index: slot.index + offset),
          prices: try prices.map { PricedAsset(asset: $0.0, price: try Price($0.1)) })
      }, isLast: isLast)
  }

  func price(_ fixture: StoreFixture, _ asset: AssetKey) throws -> String? {
    try fixture.store.read { try $0.holding(asset)?.quote?.price.text }
  }

  @Test func tablesAreKeptAndReadBackInOrder() throws {
    let fixture = try StoreFixture()
    let tables = try page(revision: 2, [(-1, [(ether, "2"), (bitcoin, "60000.5")]), (0, [])])
    #expect(try fixture.store.write { try $0.apply(tables) } == 2)
    #expect(try fixture.store.write { try $0.apply(tables) } == 0)
    let (table, empty, none, position) = try fixture.store.read { transaction in
      (
        try transaction.priceTable(slot.advanced(by: -1)), try transaction.priceTable(slot),
        try transaction.priceTable(slot.advanced(by: 1)), try transaction.marketPosition()
      )
    }
    #expect(table?.prices.map(\.asset) == [bitcoin, ether])
    #expect(table?.prices.map(\.price.text) == ["60000.5", "2"])
    #expect(empty?.prices == [])
    #expect(none == nil)
    #expect(position == MarketPosition(epoch: 1, revision: 2, through: slot))
  }

  @Test func throughHoldsOnlyAfterTheLastPage() throws {
    let fixture = try StoreFixture()
    try fixture.store.write { _ = try $0.apply(page(revision: 1, [(0, [])], isLast: false)) }
    #expect(try fixture.store.read { try $0.through() } == nil)
    #expect(try fixture.store.read { try $0.marketPosition()?.revision } == 1)
    try fixture.store.write { _ = try $0.apply(page(revision: 2, [(-1, [])])) }
    #expect(try fixture.store.read { try $0.through() } == slot)
  }

  @Test func latestPriceIsJoinedWithItsSlot() throws {
    let fixture = try StoreFixture()
    try fixture.save(
      .add(bitcoin, try Amount("2"), category: nil), .add(ether, try Amount("1"), category: nil),
      .add(dollar, try Amount("7"), category: nil))
    try fixture.store.write { transaction in
      _ = try transaction.apply(page(revision: 1, [(-16, [(ether, "2")]), (-1, [(bitcoin, "3")])]))
      // A late table is no later price.
      _ = try transaction.apply(page(revision: 2, [(-5, [(bitcoin, "9")]), (-17, [(ether, "8")])]))
    }
    let held = try fixture.store.read { try $0.holdings() }
    #expect(held.map { $0.quote?.price.text } == ["3", "2", "1"])
    #expect(held[0].quote?.pricedAt == slot.advanced(by: -1))
    #expect(held[0].value?.text == "6")
    #expect(held.map(\.isStale) == [false, false, false])
    let later = slot.advanced(by: 1)
    try fixture.store.write { _ = try $0.apply(page(revision: 3, through: later, [])) }
    #expect(try fixture.store.read { try $0.holdings().map(\.isStale) } == [false, true, false])
  }

  @Test func aPriceTakenBackLeavesTheOneBefore() throws {
    let fixture = try StoreFixture()
    try fixture.save(.add(bitcoin, try Amount("2"), category: nil))
    try fixture.store.write { transaction in
      _ = try transaction.apply(page(revision: 1, [(-3, [(bitcoin, "3")]), (0, [(bitcoin, "4")])]))
    }
    #expect(try price(fixture, bitcoin) == "4")
    try fixture.store.write { _ = try $0.apply(page(revision: 2, [(0, [(ether, "1")])])) }
    #expect(try price(fixture, bitcoin) == "3")
    try fixture.store.write { _ = try $0.apply(page(revision: 3, [(-3, [])])) }
    #expect(try price(fixture, bitcoin) == nil)
    #expect(try fixture.store.verify().isSound)
    try fixture.store.write { _ = try $0.apply(page(revision: 4, [(-9, [(bitcoin, "5")])])) }
    #expect(try price(fixture, bitcoin) == "5")
    #expect(try fixture.store.verify().isSound)
  }

  @Test func anotherMarketTakesThePlaceOfAllThatWasKnown() throws {
    let fixture = try StoreFixture()
    try fixture.save(.add(bitcoin, try Amount("2"), category: nil))
    try fixture.store.write { _ = try $0.apply(page(revision: 9, [(0, [(bitcoin, "4")])])) }
    let earlier = slot.advanced(by: -4)
    try fixture.store.write { transaction in
      _ = try transaction.apply(
        page(epoch: 2, revision: 1, through: earlier, [(-6, [(ether, "1")])], isLast: false))
    }
    #expect(try price(fixture, bitcoin) == nil)
    #expect(try fixture.store.read { try $0.through() } == slot)
    try fixture.store.write { transaction in
      _ = try transaction.apply(page(epoch: 2, revision: 2, through: earlier, []))
    }
    #expect(
      try fixture.store.read { try $0.marketPosition() }
        == MarketPosition(epoch: 2, revision: 2, through: earlier))
    #expect(try fixture.store.read { try $0.priceTableCount() } == 1)
    #expect(try fixture.store.verify().isSound)
  }

  // MARK: The asset table

  func info(_ asset: AssetKey, _ symbol: String, _ name: String, rank: Int? = nil) -> AssetInfo {
    AssetInfo(asset: asset, symbol: symbol, name: name, rank: rank)
  }

  func coin(_ id: String) -> AssetKey {
    AssetKey(type: .crypto, id: AssetID(unchecked: id))
  }

  @Test("F50 all that share a symbol are candidates, by rank")
  func searchGivesAllCandidates() throws {
    let fixture = try StoreFixture()
    let rows = [
      info(coin("batcat"), "BTC", "batcat", rank: 4_000), info(bitcoin, "BTC", "Bitcoin", rank: 1),
      info(coin("bitcoin-cash"), "BCH", "Bitcoin Cash", rank: 20),
      info(coin("wrapped"), "WBTC", "Wrapped", rank: 15), info(ether, "ETH", "Ether", rank: 2),
      info(TestWorld.assets[2], "ACME", "Acme btc holdings"),
      info(coin("no-rank"), "BTC", "Nobody"),
    ]
    let page = AssetsPage(
      tag: Hash256(words: (1, 1, 1, 1)), assets: rows, isFirst: true, isLast: true)
    try fixture.store.write { try $0.apply(page) }
    func search(_ text: String, _ type: AssetType? = nil) throws -> [String] {
      try fixture.store.read {
        try $0.searchAssets(text, type: type).map(\.asset.id.text)
      }
    }
    #expect(try search("btc") == ["bitcoin", "batcat", "no-rank", "wrapped", "ACME"])
    #expect(try search("BTC", .crypto) == ["bitcoin", "batcat", "no-rank", "wrapped"])
    #expect(try search("bitcoin") == ["bitcoin", "bitcoin-cash"])
    #expect(try search("nothing at all") == [])
    #expect(try fixture.store.read { try $0.info(of: ether)?.name } == "Ether")
  }

  @Test func assetTableCountsWhenItsLastPageIsThere() throws {
    let fixture = try StoreFixture()
    let (first, second) = (Hash256(words: (1, 1, 1, 1)), Hash256(words: (2, 2, 2, 2)))
    func apply(_ tag: Hash256, _ assets: [AssetInfo], isFirst: Bool, isLast: Bool) throws {
      let page = AssetsPage(tag: tag, assets: assets, isFirst: isFirst, isLast: isLast)
      try fixture.store.write { try $0.apply(page) }
    }
    try apply(first, [info(bitcoin, "BTC", "Old")], isFirst: true, isLast: true)
    try apply(second, [info(bitcoin, "BTC", "New")], isFirst: true, isLast: false)
    try fixture.reopen()
    #expect(try fixture.store.read { try $0.info(of: bitcoin)?.name } == "Old")
    #expect(try fixture.store.read { try $0.assetsTag() } == first)
    #expect(throws: StoreError.assetPageOutOfOrder) {
      try apply(first, [], isFirst: false, isLast: true)
    }
    // Of an asset that comes twice, the first row counts.
    try apply(
      second, [info(bitcoin, "BTC", "Newer"), info(ether, "ETH", "Ether")], isFirst: false,
      isLast: true)
    let (name, count, tag) = try fixture.store.read {
      (try $0.info(of: bitcoin)?.name, try $0.assetTableCount(), try $0.assetsTag())
    }
    #expect(name == "New")
    #expect(count == 2)
    #expect(tag == second)
    // The table that drops an asset leaves what is held of it alone.
    try fixture.save(.add(bitcoin, try Amount("1"), category: nil))
    try apply(first, [info(ether, "ETH", "Ether")], isFirst: true, isLast: true)
    #expect(try fixture.store.read { try $0.info(of: bitcoin) } == nil)
    #expect(try fixture.amount(bitcoin) == "1")
  }
}
