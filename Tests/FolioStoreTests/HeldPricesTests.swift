import FolioDomain
import LMDB
import StoreWorld
import TestSupport
import Testing

@testable import FolioStore

/// What is held is stored with its latest price, by itself and in its category: it is what the tables,
/// the log and the outbox say, whatever came last.
@Suite("Prices of what is held")
struct HeldPricesTests {
  let assets = TestWorld.assets
  let first = Slot(containing: Timestamp(known: "2026-02-01T06:00:00Z"))
  let last = Slot(containing: Timestamp(known: "2026-03-01T06:00:00Z"))

  /// Tables and successions as plain values.
  private struct Model {
    var tables: [Slot: PriceTable] = [:]
    // The base currency is known with the first page.
    var rules = PricingRules(base: "")
    var revision: UInt64 = 0
    var epoch: UInt64 = 1

    func latest(_ asset: AssetKey) -> Quote? {
      for (slot, table) in tables.sorted(by: { $0.key > $1.key }) {
        if let row = table.prices.first(where: { $0.asset == asset }) {
          return Quote(price: row.price, pricedAt: slot)
        }
      }
      return nil
    }

    func quote(_ asset: AssetKey, at slot: Slot) -> Quote? {
      guard let end = rules.successions.end(of: asset, at: slot, base: rules.base) else {
        return nil
      }
      if end.asset == rules.base {
        return Quote(price: .one, pricedAt: slot, factors: end.factors)
      }
      return latest(end.asset).map {
        Quote(price: $0.price, pricedAt: $0.pricedAt, factors: end.factors)
      }
    }
  }

  /// What a list should have, of the history, the outbox and the model's tables.
  private func plain(_ state: borrowing StoreReadTransaction, _ model: Model) throws
    -> [PricedHolding]
  {
    let through = try state.through()
    let slot = try state.presentSlot()
    var rows: [PricedHolding] = []
    for asset in assets.sorted() {
      let pending = try state.pendingAsset(asset)
      let holding = Holding(
        asset, accepted: try state.acceptedAsset(asset, through: through), pending: pending)
      guard holding.isListed else { continue }
      let quote = model.quote(asset, at: slot)
      rows.append(
        PricedHolding(
          holding: holding,
          isPending: !pending.adjustment.isZero || pending.category != nil, quote: quote,
          isStale: quote?.isStale(at: slot) ?? false))
    }
    return rows
  }

  private func expectSame(_ fixture: StoreFixture, _ model: Model) throws {
    try fixture.store.read { state in
      let rows = try plain(state, model)
      for isWhole in [false, true] {
        let shown = rows.filter { isWhole || !$0.holding.isHidden }
        #expect(try state.holdings(.all, includesHidden: isWhole) == shown)
        for type in Set(assets.map(\.type)) {
          #expect(
            try state.holdings(.type(type), includesHidden: isWhole)
              == shown.filter { $0.asset.type == type })
        }
        for category in Set(rows.map(\.category.key)).union(TestWorld.categories.map(\.key)) {
          #expect(
            try state.holdings(.category(category), includesHidden: isWhole)
              == shown.filter { $0.category.key == category })
        }
      }
      for asset in assets {
        let found = try state.holding(asset)
        let row = rows.first { $0.asset == asset }
        #expect(found == row)
      }
    }
  }

  private func randomTable(_ slot: Slot, _ random: inout SeededRandom) throws -> PriceTable {
    var prices: [PricedAsset] = []
    for asset in assets.sorted() where !random.one(in: 3) {
      let price = Price(mantissa: Int64(random.int(0...999_999)), scale: random.int(0...8))
      prices.append(PricedAsset(asset: asset, price: try #require(price)))
    }
    return PriceTable(slot: slot, prices: prices)
  }

  /// A page that adds tables, corrects them, takes prices back or begins another market.
  private func applyPage(
    _ fixture: StoreFixture, _ model: inout Model, _ random: inout SeededRandom
  ) throws {
    if random.one(in: 8) {
      model.epoch += 1
      model.revision = 0
      model.tables = [:]
    }
    model.revision += 1
    var tables: [PriceTable] = []
    for _ in 0..<random.int(0...5) {
      let slot = random.one(in: 3) ? last : first.advanced(by: random.int(0...111))
      if tables.contains(where: { $0.slot == slot }) { continue }
      tables.append(try randomTable(slot, &random))
    }
    for table in tables { model.tables[table.slot] = table }
    let page = PriceTablesPage(
      position: MarketPosition(epoch: model.epoch, revision: model.revision, through: last),
      base: "USD", tables: tables, isLast: !random.one(in: 4))
    model.rules.base = PricingRules(base: page.base).base
    try fixture.store.write { _ = try $0.apply(page) }
  }

  private func setSuccessions(
    _ fixture: StoreFixture, _ model: inout Model, _ random: inout SeededRandom
  ) throws {
    var successions = Successions()
    if !random.one(in: 2) {
      let factor = try Price("\(random.int(1...9))")
      // Only what has the type may follow.
      let (old, new) = (assets[0], assets[1])
      successions[old] = Successor(id: new.id, factor: factor, fromSlot: first)
    }
    model.rules.successions = successions
    try fixture.store.write { try $0.put(SuccessionsRecord(successions)) }
  }

  @Test("Lists and single assets are as a plain model has them, after each step of a random course")
  func randomCourse() throws {
    for seed in 0..<6 {
      var random = SeededRandom(seed: UInt64(seed))
      let (fixture, start) = try StoreFixture.joined()
      var log = start
      var model = Model()
      for number in 0..<60 {
        let asset = assets[random.int(0...assets.count - 1)]
        let category = TestWorld.categories[random.int(0...TestWorld.categories.count - 1)]
        switch random.int(0...7) {
        case 0: try fixture.save(.add(asset, try Amount("1.5"), category: category))
        case 1: try fixture.save(.set(asset, try Amount("\(random.int(0...2))")))
        case 2: _ = try? fixture.save(.move(asset, to: category))
        case 3, 4:
          let time = first.start.adding(milliseconds: Int64(number) * 30_000_000)
          try log.append(
            device: DeviceID(9), id: UInt64(1_000 + number), recordedAt: time, acceptedAt: time,
            [
              .adjust(asset, try Amount(random.one(in: 2) ? "2" : "-2")),
              .categorize(asset, category),
            ])
          try fixture.pull(log)
        case 5: try setSuccessions(fixture, &model, &random)
        default: try applyPage(fixture, &model, &random)
        }
        try expectSame(fixture, model)
      }
      // Successors are put by hand here, without a table of assets.
      let problems = try fixture.store.verify().problems.filter { $0.rule != .successionsDiffer }
      #expect(problems == [])
    }
  }

  // MARK: The format before

  private func world() throws -> (StoreFixture, Model) {
    var random = SeededRandom()
    let (fixture, start) = try StoreFixture.joined()
    var log = start
    var model = Model()
    for (number, asset) in assets.prefix(4).enumerated() {
      let time = first.start.adding(milliseconds: Int64(number) * 400_000_000)
      try log.append(
        device: DeviceID(9), id: UInt64(number + 1), recordedAt: time, acceptedAt: time,
        [.adjust(asset, try Amount("2")), .categorize(asset, TestWorld.categories[number % 3])])
    }
    try fixture.pull(log)
    for _ in 0..<4 { try applyPage(fixture, &model, &random) }
    // The last of them may have begun a market without prices.
    while try fixture.store.read({ try $0.holdings(.all).allSatisfy { $0.quote == nil } }) {
      try applyPage(fixture, &model, &random)
    }
    try fixture.save(.add(assets[0], try Amount("1"), category: TestWorld.categories[2]))
    return (fixture, model)
  }

  /// Leaves what is held as format 4 had it: without prices, and nothing but keys in categories.
  private func closeAsFormat4(
    _ fixture: StoreFixture, damaged: (Spaces) -> [Database] = { _ in [] }
  ) throws {
    try fixture.store.write { transaction in
      let (assets, categories) = (transaction.spaces.assets, transaction.spaces.categories)
      for asset in self.assets {
        guard let record = try transaction.reading.assetRecord(asset) else { continue }
        var writer = RecordWriter()
        writer.append(record.accepted.amount)
        writer.append(record.accepted.category) { $0.append($1) }
        writer.append(record.accepted.wasInSnapshot)
        writer.append(record.pending)
        let key = try Keys.asset(asset)
        try transaction.base.put(assets, key, writer.bytes)
        let category = record.holding(of: asset).category.key
        try transaction.base.put(categories, try Keys.member(asset, of: category), [])
      }
      for space in damaged(transaction.spaces) {
        let row = try #require(try transaction.base.first(space))
        try transaction.base.put(space, row.key, [0xff])
      }
    }
    try fixture.closeAsFormat(4, without: [])
  }

  @Test("F64 a store of format 4 shows the same after it is opened")
  func upgrade() throws {
    let (fixture, model) = try world()
    let before = try fixture.store.read { try $0.holdings(includesHidden: true) }
    #expect(before.count == 4 && before.contains { $0.quote != nil })
    #expect(before.contains { $0.isPending })
    try closeAsFormat4(fixture)
    try fixture.reopen()
    #expect(try fixture.store.read { try $0.holdings(includesHidden: true) } == before)
    try expectSame(fixture, model)
    #expect(try fixture.store.verify().problems == [])
    try fixture.reopen()
    try expectSame(fixture, model)
  }

  @Test("F64 a store of format 4 whose history cannot be read shows what it did, and is mended")
  func upgradeOfDamagedHistory() throws {
    let (fixture, model) = try world()
    func shown() throws -> [Holding] {
      try fixture.store.read { try $0.holdings(includesHidden: true).map(\.holding) }
    }
    let before = try shown()
    #expect(!before.isEmpty)
    try closeAsFormat4(fixture) { [$0.history] }
    try fixture.reopen()
    #expect(try shown() == before)
    #expect(try !fixture.store.verify().problems.isEmpty)
    #expect(try fixture.store.repair().problems == [])
    #expect(try shown() == before)
    try expectSame(fixture, model)
  }

  @Test("F64 a store of format 4 of which nothing can be read that is held opens, and is mended")
  func upgradeOfDamaged() throws {
    let (fixture, model) = try world()
    let before = try fixture.store.read { try $0.holdings(includesHidden: true) }
    try closeAsFormat4(fixture) { [$0.history, $0.assets] }
    try fixture.reopen()
    #expect(try fixture.store.read { try $0.holdings(includesHidden: true) } == [])
    #expect(try !fixture.store.verify().problems.isEmpty)
    #expect(try fixture.store.repair().problems == [])
    #expect(try fixture.store.read { try $0.holdings(includesHidden: true) } == before)
    try expectSame(fixture, model)
  }

  // MARK: What is told of it

  @Test("Prices do not change what is told of assets, nor amounts what is told of categories")
  func marks() throws {
    var random = SeededRandom()
    let (fixture, _) = try world()
    func versions() throws -> [UInt64] {
      try fixture.store.read { try $0.versions(of: [.assets, .categories, .prices]) }
    }
    let before = try versions()
    let table = try randomTable(last.advanced(by: 1), &random)
    let page = PriceTablesPage(
      position: MarketPosition(epoch: 50, revision: 1, through: last), base: "USD",
      tables: [table], isLast: false)
    try fixture.store.write { _ = try $0.apply(page) }
    let priced = try versions()
    #expect(priced[0] == before[0] && priced[1] == before[1] && priced[2] > before[2])
    try fixture.save(.add(assets[0], try Amount("1"), category: TestWorld.categories[2]))
    let added = try versions()
    #expect(added[0] > priced[0] && added[1] == priced[1] && added[2] == priced[2])
    try fixture.save(.move(assets[0], to: TestWorld.categories[1]))
    let moved = try versions()
    #expect(moved[0] > added[0] && moved[1] > added[1])
  }
}
