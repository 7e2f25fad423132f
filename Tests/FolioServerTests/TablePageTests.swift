import FolioDomain
import FolioWire
import TestSupport
import Testing

@testable import FolioServer

/// Pages of price tables: cut anywhere, with differences or without, a client has the same tables.
struct TablePageTests {
  /// A market of many tables, of which the prices of some assets change and others come and go.
  private func market(_ random: inout SeededRandom) throws -> ServerFixture<MemoryServerStorage> {
    let server = try ServerFixture(at: "2026-03-01T00:00:00Z")
    var observations = PriceObservations()
    let start = try Timestamp("2026-01-01T00:00:00Z")
    var mantissas = [Int](repeating: 1, count: 12)
    for slot in 0..<60 {
      // Few change at once, so that most tables are shorter as differences.
      for asset in 0..<12 where random.one(in: 4) { mantissas[asset] = random.int(1...3) }
      for asset in 0..<12 where !random.one(in: 6) {
        let key = AssetKey(
          type: AssetType(unchecked: ["crypto", "forex", "stock"][asset % 3]),
          id: AssetID(unchecked: asset == 5 ? #"a"\"# : "id\(asset)"))
        let price = try #require(Price(mantissa: Int64(mantissas[asset]), scale: 2))
        observations.add(
          key, price, at: start.adding(milliseconds: Int64(slot) * Slot.milliseconds + 1))
      }
    }
    _ = try server.storage.write(ImportPrices(observations, now: server.now))
    return server
  }

  @Test func pagesOfAnySizeGiveTheSameTables() throws {
    var random = SeededRandom()
    let server = try market(&random)
    let all = try server.tables(byteLimit: 1 << 30)
    #expect(all.count == 60)
    #expect(all.map(\.revision) == Array(1...60))
    for byteLimit in [1, 500, 1000, 5000, 20_000] {
      #expect(try server.tables(byteLimit: byteLimit) == all, "\(byteLimit) bytes")
    }
  }

  @Test func aPageIsNoLongerThanAskedFor() throws {
    var random = SeededRandom()
    let server = try market(&random)
    let page = try server.storage.read(
      TablePageQuery(after: nil, byteLimit: 4000, names: AssetNumberCache()))
    #expect(page.more && page.tables.count > 1)
    #expect(page.tables.reduce(0) { $0 + TablePacker.byteCount(of: $1) } <= 4000)
    #expect(page.tables.first?.isDelta == false)
    #expect(page.tables.contains { $0.isDelta })
    #expect(page.last == page.tables.last?.revision)
  }

  @Test func whatDisappearsIsSaid() throws {
    var random = SeededRandom()
    let server = try market(&random)
    let page = try server.storage.read(
      TablePageQuery(after: nil, byteLimit: 1 << 20, names: AssetNumberCache()))
    let absences = page.tables.flatMap(\.groups).flatMap(\.rows).count { $0.price == nil }
    #expect(absences > 0)
    #expect(
      page.tables.filter { !$0.isDelta }.allSatisfy { table in
        table.groups.allSatisfy { $0.rows.allSatisfy { $0.price != nil } }
      })
  }

  @Test func anotherEpochOrALaterRevisionBeginsAnew() throws {
    var random = SeededRandom()
    let server = try market(&random)
    let market = try server.storage.read(MarketFacts()).market
    let names = AssetNumberCache()
    for cursor in [
      TableCursor(epoch: market.epoch &+ 1, revision: 30),
      TableCursor(epoch: market.epoch, revision: 61),
    ] {
      let page = try server.storage.read(
        TablePageQuery(after: cursor, byteLimit: 1 << 20, names: names))
      #expect(page.tables.count == 60)
    }
    let end = try server.storage.read(
      TablePageQuery(
        after: TableCursor(epoch: market.epoch, revision: 60), byteLimit: 1 << 20, names: names))
    #expect(end.tables.isEmpty && !end.more && end.last == 60)
  }

  @Test func aTableThatNoLineCouldHoldIsRefused() throws {
    let server = try ServerFixture()
    var observations = PriceObservations()
    let padding = String(repeating: "x", count: 190)
    for number in 0..<5_000 {
      observations.add(
        AssetKey(
          type: AssetType(unchecked: "crypto"), id: AssetID(unchecked: "\(number)\(padding)")),
        .one, at: try Timestamp("2026-01-01T00:00:01Z"))
    }
    let slot = try Slot("2026-01-01T06Z")
    #expect(throws: PriceImportError.tableTooLarge(slot: slot, prices: 5_000)) {
      try server.storage.write(ImportPrices(observations, now: server.now))
    }
    #expect(try server.storage.read(MarketFacts()).market.revision == 0)
  }

  @Test("No page comes to more prices than it may, however little its tables differ [price-7]")
  func aPageHasNoMorePricesThanItMay() throws {
    let server = try ServerFixture()
    var observations = PriceObservations()
    for number in 0..<2_000 {
      observations.add(
        AssetKey(type: AssetType(unchecked: "stock"), id: AssetID(unchecked: "\(number)")), .one,
        at: try Timestamp("2026-01-01T00:00:01Z"))
    }
    _ = try server.storage.write(ImportPrices(observations, now: server.now))
    let table = try Slot("2026-01-01T06Z")
    let packed = try server.storage.read(PackedAgain(slot: table, times: 200))
    #expect(packed.map(\.isDelta) == [false] + [Bool](repeating: true, count: 124))
    #expect(packed.dropFirst().allSatisfy { $0.groups.isEmpty })
  }

  @Test("Prices of more types than a table has groups are refused by name [market-1]")
  func tooManyTypes() throws {
    let server = try ServerFixture()
    func add(_ numbers: ClosedRange<Int>) throws -> ImportPrices.Answer {
      var observations = PriceObservations()
      for number in numbers {
        observations.add(
          AssetKey(type: AssetType(unchecked: "t\(number)"), id: AssetID(unchecked: "a")), .one,
          at: try Timestamp("2026-01-0\(number % 2 + 1)T00:00:01Z"))
      }
      return try server.storage.write(ImportPrices(observations, now: server.now))
    }
    #expect(try add(10...72).added == 2)
    #expect(try add(40...73).corrected == 1)
    let error = MarketError.tooManyTypes(AssetType(unchecked: "t99"))
    #expect(throws: error) { try add(99...99) }
    #expect(error.code == "tooManyAssetTypes" && error.message.contains("'t99'"))
    #expect(try server.storage.read(MarketFacts()).market.lastAssetNumber == 64)
  }

  @Test func theEstimateOfATablesSizeIsNotTooSmall() throws {
    let longest = try #require(Price(mantissa: 999_999_999_999_999_999, scale: 36))
    for price in [longest, .one, try Price("999999999999999999")] {
      for id in ["a", #"\""\"#, String(repeating: "é", count: 100)] {
        let wire = WireTable(
          slot: Slot.range.lowerBound, revision: Wire.integerLimit,
          groups: [
            PriceGroup(
              type: AssetType(unchecked: String(repeating: "t", count: 64)),
              rows: [PriceRow(id: AssetID(unchecked: id), price: price)])
          ])
        let page = TablesPage(
          market: MarketState(
            position: MarketPosition(epoch: 1, revision: 1, through: Slot(index: 0)),
            base: AssetID(unchecked: "USD")), last: 1, tables: [wire, wire], more: false)
        let shorter = TablesPage(
          market: page.market, last: 1, tables: [wire], more: false)
        let size =
          Message.reply(RequestID(1), .tables(page)).line.count
          - Message.reply(RequestID(1), .tables(shorter)).line.count
        #expect(size <= TablePacker.byteCount(of: wire))
      }
    }
  }
}

/// A page of one table again and again, as if it had been published so often.
private struct PackedAgain: ServerQuery {
  var slot: Slot
  var times: Int

  func answer<T: ServerReading & ~Copyable & ~Escapable>(_ transaction: borrowing T) throws
    -> [WireTable]
  {
    let names = try AssetNumbers(transaction, last: try transaction.market().lastAssetNumber)
    var packer = TablePacker(names: names, types: nil, byteLimit: 1 << 20)
    guard let table = try transaction.table(slot) else { return [] }
    for _ in 0..<times {
      guard try packer.add(slot, table) else { break }
    }
    return packer.tables
  }
}
