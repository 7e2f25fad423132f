import FolioCrypto
import FolioDomain
import LMDB
import StoreWorld
import TestSupport
import Testing

@testable import FolioStore

/// What is read is kept while the store is in that state, and never longer.
@Suite struct KeptHoldingsTests {
  private let assets = TestWorld.assets
  private let filters: [HoldingFilter] = [
    .all, .type(.crypto), .category(CategoryKey(unchecked: "fun")),
    .category(CategoryKey(unchecked: "ersparnis für später")),
  ]

  private func answers(
    _ state: borrowing StoreReadTransaction
  ) throws -> (lists: [[PricedHolding]], single: [PricedHolding?]) {
    var lists: [[PricedHolding]] = []
    for filter in filters {
      for all in [false, true] { lists.append(try state.holdings(filter, includesHidden: all)) }
    }
    var single: [PricedHolding?] = []
    for asset in assets { single.append(try state.holding(asset)) }
    return (lists, single)
  }

  /// The same answers, from a state that nothing is kept of.
  private func expectSame(_ store: Store) throws {
    let kept = try [store.read { try answers($0) }, store.read { try answers($0) }]
    let fresh = try store.write { transaction in
      defer { transaction.cancel() }
      return try answers(transaction.reading)
    }
    for answer in kept {
      #expect(answer.lists == fresh.lists)
      #expect(answer.single == fresh.single)
    }
  }

  @Test func everyStateGivesItsOwn() throws {
    let fixture = try StoreFixture()
    var random = SeededRandom(seed: 5)
    let categories = try ["Fun", "Ersparnis f\u{fc}r sp\u{e4}ter"].map { try Category(named: $0) }
    for number in 0..<60 {
      let asset = assets[Int(random.next() % UInt64(assets.count))]
      switch random.next() % 4 {
      case 0:
        try fixture.save(.add(asset, try Amount("1.5"), category: categories[number % 2]))
      case 1: try fixture.save(.set(asset, try Amount("\(random.next() % 3)")))
      case 2:
        let category = categories[number % 2]
        _ = try? fixture.save(.move(asset, to: category))
      default:
        let through = Slot(containing: fixture.clock.now())
        let table = PriceTable(
          slot: through,
          prices: [
            PricedAsset(asset: asset, price: try Price(String(random.next() % 1_000_000) + ".25"))
          ])
        try fixture.store.write { transaction in
          _ = try transaction.apply(
            PriceTablesPage(
              position: MarketPosition(epoch: 1, revision: UInt64(number + 1), through: through),
              base: "USD", tables: [table], isLast: true))
        }
      }
      try expectSame(fixture.store)
    }
  }

  /// A state that was begun before a commit goes on giving what it had.
  @Test func anOlderStateIsNotGivenWhatALaterOneHas() throws {
    let fixture = try StoreFixture()
    try fixture.save(.add(assets[0], try Amount("1"), category: nil))
    let store = fixture.store
    try store.read { older in
      try fixture.save(.add(assets[0], try Amount("1"), category: nil))
      #expect(try store.read { try $0.holding(assets[0])?.amount.amount } == (try Amount("2")))
      #expect(try older.holding(assets[0])?.amount.amount == (try Amount("1")))
      #expect(try older.holdings().map(\.amount.amount) == [try Amount("1")])
    }
    #expect(try store.read { try $0.holdings().map(\.amount.amount) } == [try Amount("2")])
  }

  /// Amounts are stored in as many bytes as they need.
  @Test func amountsOfEveryLengthAreReadBack() throws {
    let fixture = try StoreFixture()
    var digits = ""
    for number in 0..<19 {
      digits += "\(number % 9 + 1)"
      for text in [digits, "0." + digits.prefix(18)] {
        let amount = try Amount(text)
        try fixture.save(.set(assets[1], amount))
        #expect(try fixture.store.read { try $0.holding(assets[1])?.amount.amount } == amount)
      }
    }
  }
}

extension KeptAssets {
  fileprivate func find(_ asset: AssetKey, _ hash: UInt64) -> PricedHolding? {
    var found: PricedHolding?
    find(asset, hash, &found)
    return found
  }
}

/// The tables that find again what was read.
@Suite struct KeptTablesTests {
  private func holding(_ number: Int) throws -> (row: PricedHolding, hash: UInt64) {
    let asset = try AssetKey("crypto:coin-\(number)")
    let row = PricedHolding(
      holding: Holding(asset, accepted: AcceptedAsset(amount: Int256(Int128(number)))),
      isPending: false, quote: nil, isStale: false)
    return (row, try Keys.withAsset(asset) { $0.quickHash() })
  }

  @Test func eachAssetIsFoundByItsKeyOrNotAtAll() throws {
    var kept = KeptAssets()
    for round in 0..<3 {
      let count = [1_000, 3, 9][round]
      for number in 0..<count {
        let (row, hash) = try holding(number)
        #expect(kept.find(row.asset, hash) == nil)
        kept.keep(row, hash)
        let found = kept.find(row.asset, hash)
        #expect(found == nil || found == row)
      }
      var found = 0
      for number in 0..<1_100 {
        let (row, hash) = try holding(number)
        guard let one = kept.find(row.asset, hash) else { continue }
        #expect(one == row && number < count)
        found += 1
      }
      // One without a place near its own is read again.
      #expect(found > count * 9 / 10)
      kept.removeAll()
      let (row, hash) = try holding(1)
      #expect(kept.find(row.asset, hash) == nil)
    }
  }

  @Test func anAssetOfTheSameHashIsNotTakenForAnother() throws {
    var kept = KeptAssets()
    let (row, hash) = try holding(1)
    let (other, _) = try holding(2)
    kept.keep(row, hash)
    #expect(kept.find(other.asset, hash) == nil)
    kept.keep(other, hash)
    #expect(kept.find(other.asset, hash) == other)
    #expect(kept.find(row.asset, hash) == row)
    for number in 3..<40 {
      let (row, _) = try holding(number)
      if kept.find(row.asset, hash) == nil { kept.keep(row, hash) }
      let found = kept.find(row.asset, hash)
      #expect(found == nil || found == row)
    }
  }

  /// Names that differ in their last byte alone must not all come to one place.
  @Test func categoriesThatBeginAlikeAreFoundAgain() throws {
    var known = KnownCategories()
    for isAgain in [false, true] {
      for number in 1...100 {
        let category = try Category(named: "Long-term \(number)")
        var writer = RecordWriter()
        writer.append(category)
        let span = writer.bytes.span
        let found = unsafe known.find(span.bytes)
        #expect(found == (isAgain ? category : nil))
        if found == nil { unsafe known.keep(category, span.bytes) }
      }
    }
  }

  @Test func categoriesAreFoundByTheirBytes() throws {
    var known = KnownCategories()
    var random = SeededRandom(seed: 3)
    var written: [(bytes: [UInt8], category: FolioDomain.Category)] = []
    for number in 0..<700 {
      // Short ones too, and many that begin and end alike.
      let name = number < 20 ? "\(number)" : "category \(number) of them all"
      let category = try Category(named: name)
      var writer = RecordWriter()
      writer.append(category)
      written.append((writer.bytes, category))
    }
    for _ in 0..<4_000 {
      let (bytes, category) = written[random.int(0...written.count - 1)]
      let span = bytes.span
      if let found = unsafe known.find(span.bytes) {
        #expect(found == category)
      } else {
        unsafe known.keep(category, span.bytes)
        #expect(unsafe known.find(span.bytes) == category)
      }
    }
  }
}
