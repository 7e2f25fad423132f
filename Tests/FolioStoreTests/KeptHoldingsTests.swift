import FolioCrypto
import FolioDomain
import FolioStore
import StoreWorld
import TestSupport
import Testing

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
