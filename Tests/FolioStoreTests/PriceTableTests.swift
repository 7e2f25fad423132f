import FolioDomain
import LMDB
import StoreWorld
import TestSupport
import Testing

@testable import FolioStore

/// How price tables stand in a store, and how those of the format before come into it.
@Suite("Price tables in a store")
struct PriceTableTests {
  let assets = TestWorld.assets
  let first = Slot(containing: Timestamp(known: "2026-02-01T06:00:00Z"))

  private func page(
    _ tables: [PriceTable], revision: UInt64 = 1, through: Slot? = nil
  ) -> PriceTablesPage {
    PriceTablesPage(
      position: MarketPosition(
        epoch: 1, revision: revision, through: through ?? first.advanced(by: 100)),
      base: "USD", tables: tables, isLast: true)
  }

  private func randomTable(_ slot: Slot, _ random: inout SeededRandom) throws -> PriceTable {
    var prices: [PricedAsset] = []
    for asset in assets.sorted() where !random.one(in: 4) {
      let price = Price(mantissa: Int64(random.int(0...999_999)), scale: random.int(0...8))
      prices.append(PricedAsset(asset: asset, price: try #require(price)))
    }
    return PriceTable(slot: slot, prices: prices)
  }

  /// Tables of a hundred slots with some missing, and something held from the first on.
  private func world(_ random: inout SeededRandom) throws -> (StoreFixture, [Slot: PriceTable]) {
    let (fixture, start) = try StoreFixture.joined()
    var log = start
    for (number, asset) in assets.prefix(3).enumerated() {
      let time = first.start.adding(milliseconds: Int64(number) * 400_000_000)
      try log.append(
        device: DeviceID(9), id: UInt64(number + 1), recordedAt: time, acceptedAt: time,
        [.adjust(asset, try Amount("2"))])
    }
    try fixture.pull(log)
    var tables: [Slot: PriceTable] = [:]
    for place in 0..<100 where !random.one(in: 7) {
      let slot = first.advanced(by: place)
      tables[slot] = try randomTable(slot, &random)
    }
    let all = tables.values.sorted { $0.slot < $1.slot }
    try fixture.store.write { _ = try $0.apply(page(all)) }
    _ = try fixture.store.makeDueSnapshots()
    return (fixture, tables)
  }

  private func expect(_ tables: [Slot: PriceTable], in fixture: StoreFixture) throws {
    for place in -20..<120 {
      let slot = first.advanced(by: place)
      #expect(try fixture.store.read { try $0.priceTable(slot) } == tables[slot])
    }
    #expect(try fixture.store.read { try $0.priceTableCount() } == tables.count)
    #expect(try fixture.store.read { try $0.lastTableSlot() } == tables.keys.max())
    #expect(try fixture.store.verify().problems.isEmpty)
  }

  @Test("Tables that come in any order, and again with other prices, are those that came last")
  func anyOrder() throws {
    var random = SeededRandom()
    for _ in 0..<5 {
      let (fixture, before) = try world(&random)
      var tables = before
      for revision in 2..<UInt64(8) {
        var changed: [Slot: PriceTable] = [:]
        for _ in 0..<random.int(1...12) {
          let slot = first.advanced(by: random.int(-15...115))
          changed[slot] = try randomTable(slot, &random)
        }
        let all = changed.values.shuffled(using: &random)
        try fixture.store.write { _ = try $0.apply(page(all, revision: revision)) }
        tables.merge(changed) { $1 }
        _ = try fixture.store.makeDueSnapshots()
      }
      try expect(tables, in: fixture)
    }
  }

  /// Puts the tables into records of their own, as format 3 had them.
  private func closeAsFormat3(
    _ fixture: StoreFixture, _ tables: [Slot: PriceTable], damaged: Slot? = nil
  ) throws {
    try fixture.store.write { transaction in
      try transaction.base.deleteAll(transaction.spaces.prices)
      for (slot, table) in tables {
        let numbers = try table.prices.map { row in
          (try transaction.reading.pricedRecord(row.asset)?.number ?? .max, row.price)
        }
        var writer = RecordWriter()
        writer.append(varint: UInt64(numbers.count))
        var last: UInt32 = 0
        for (number, price) in numbers.sorted(by: { $0.0 < $1.0 }) {
          writer.append(varint: UInt64(number - last))
          writer.append(price)
          last = number
        }
        let record = slot == damaged ? [0xff] : writer.bytes
        try transaction.base.put(transaction.spaces.prices, Keys.slot(slot), record)
      }
      _ = try transaction.base.delete(
        transaction.spaces.marketCursor, Array(TableCountRecord.name.utf8))
    }
    try fixture.closeAsFormat(3, without: [])
  }

  private func digests(_ fixture: StoreFixture) throws -> [Hash256?] {
    var digests: [Hash256?] = []
    try fixture.store.read { state in try state.snapshots { digests.append($0.digest) } }
    return digests
  }

  @Test("F64 a store of format 3 has the same tables and snapshots after it is opened")
  func upgrade() throws {
    var random = SeededRandom()
    let (fixture, tables) = try world(&random)
    let before = try digests(fixture)
    #expect(before.count > 90 && !before.contains(nil))
    try closeAsFormat3(fixture, tables)
    try fixture.reopen()
    try expect(tables, in: fixture)
    #expect(try digests(fixture) == before)
    try fixture.reopen()
    try expect(tables, in: fixture)
  }

  @Test("F64 where a table of format 3 cannot be read, market data is forgotten and read again")
  func upgradeOfDamaged() throws {
    var random = SeededRandom()
    let (fixture, tables) = try world(&random)
    let before = try digests(fixture)
    let damaged = try #require(tables.keys.sorted().dropFirst(40).first)
    try closeAsFormat3(fixture, tables, damaged: damaged)
    try fixture.reopen()
    try #expect(fixture.store.read { try $0.marketPosition() } == nil)
    try expect([:], in: fixture)
    let all = tables.values.sorted { $0.slot < $1.slot }
    try fixture.store.write { _ = try $0.apply(page(all)) }
    _ = try fixture.store.makeDueSnapshots()
    try expect(tables, in: fixture)
    #expect(try digests(fixture) == before)
  }

  @Test("A table with an asset twice is refused, and nothing of its page is kept")
  func assetTwice() throws {
    var random = SeededRandom()
    let (fixture, tables) = try world(&random)
    var table = try randomTable(first.advanced(by: 3), &random)
    while table.prices.isEmpty { table = try randomTable(first.advanced(by: 3), &random) }
    let price = try #require(table.prices.first)
    for again in [price, PricedAsset(asset: price.asset, price: try Price("17"))] {
      for place in [0, 1, table.prices.count] {
        var wrong = table
        wrong.prices.insert(again, at: place)
        #expect(throws: StoreError.assetTwiceInTable(table.slot)) {
          try fixture.store.write {
            _ = try $0.apply(page([PriceTable(slot: first, prices: []), wrong]))
          }
        }
      }
    }
    try expect(tables, in: fixture)
    #expect(try fixture.store.verify().problems == [])
  }

  @Test("A slot without transactions costs at most 64 bytes beside its price table")
  func slotWithoutTransactions() throws {
    var random = SeededRandom()
    let (fixture, _) = try world(&random)
    let before = try fixture.store.size().usedByteCount
    let count = 4_000
    let end = first.advanced(by: 100 + count)
    try fixture.store.write { _ = try $0.apply(page([], revision: 2, through: end)) }
    #expect(try fixture.store.makeDueSnapshots().made == count)
    let after = try fixture.store.size().usedByteCount
    #expect(after - before <= 64 * count)
  }
}
