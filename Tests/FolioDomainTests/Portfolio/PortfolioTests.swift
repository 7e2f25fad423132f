import FolioDomain
import TestSupport
import Testing

@Suite("The maps of types and of categories")
struct PortfolioTests {
  private let through = Slot(index: 82_100)

  private func add(_ asset: String, _ amount: String, in name: String?) throws -> Edit {
    .add(
      try AssetKey(asset), try Amount(amount), category: try name.map { try Category(named: $0) })
  }

  private func portfolio(after edits: [Edit]) throws -> PortfolioMaps {
    let empty = Overlay(AcceptedState(), through: nil)
    var outbox = Outbox()
    try outbox.save(try StagedEdits.operations(for: edits, on: empty))
    return Overlay(AcceptedState(), through: nil, pending: outbox.pending).portfolio
  }

  @Test("F56: both maps are in bijection after every change")
  func bijection() throws {
    var random = SeededRandom()
    for _ in 0..<40 {
      var log = LogBuilder()
      var incremental = PortfolioMaps()
      for _ in 0..<random.int(1...25) {
        let operation = random.operation()
        try log.append([operation], by: UInt128(random.int(1...3)))
        let overlay = Overlay(log.state, through: random.one(in: 2) ? through : nil)
        let whole = overlay.portfolio
        #expect(whole.isBijective)
        // Changing both maps asset by asset comes to the same as making them anew.
        let here = Overlay(log.state, through: through)
        if let asset = operation.asset { incremental.update(here.holding(of: asset)) }
        #expect(incremental.isBijective)
        #expect(incremental == here.portfolio)
      }
    }
  }

  /// Holds [list-2].
  @Test("Each listed asset is in exactly one category, the one its data names")
  func oneCategory() throws {
    let portfolio = try portfolio(after: [
      add("crypto:bitcoin", "1", in: "Coins"), add("stock:A", "2", in: "Coins"),
      add("stock:B", "3", in: nil),
    ])
    let coins = try Category(named: "Coins").key
    #expect(portfolio.categories[coins]?.count == 2)
    #expect(portfolio.categories.values.reduce(0) { $0 + $1.count } == 3)
    #expect(portfolio.types[.stock]?.count == 2)
  }

  @Test("An asset that nobody put into a category is in one named after its type, on reading")
  func defaultCategory() throws {
    let empty = Overlay(AcceptedState(), through: nil)
    let operations = try StagedEdits.operations(
      for: [add("real-estate:flat", "1", in: nil)], on: empty)
    #expect(operations.count == 1, "it is not recorded")
    let portfolio = try portfolio(after: [add("real-estate:flat", "1", in: nil)])
    let key = CategoryKey(unchecked: "real-estate")
    #expect(portfolio.categories[key] == [try AssetKey("real-estate:flat")])
    #expect(portfolio.spelling(of: key)?.text == "real-estate")
  }

  @Test("A category is spelled as the asset in it that was named last")
  func spelling() throws {
    let assets = try ["stock:A", "stock:B", "stock:C"].map { try AssetKey($0) }
    var log = LogBuilder()
    for (asset, name) in zip(assets, ["COINS", "Coins", "coins"]) {
      try log.append([
        .adjust(asset, try Amount("1")), .categorize(asset, try Category(named: name)),
      ])
    }
    let key = try Category(named: "coins").key
    #expect(Overlay(log.state, through: nil).portfolio.spelling(of: key)?.text == "coins")
    // The last one leaves; the next spelling is that of the one named before.
    try log.append([.categorize(assets[2], try Category(named: "Other"))])
    #expect(Overlay(log.state, through: nil).portfolio.spelling(of: key)?.text == "Coins")
    // What is pending counts as later than everything accepted.
    var outbox = Outbox()
    try outbox.save([.categorize(assets[0], try Category(named: "CoinS"))])
    let overlay = Overlay(log.state, through: nil, pending: outbox.pending)
    #expect(overlay.portfolio.spelling(of: key)?.text == "CoinS")
  }

  @Test("A category exists while an asset is in it")
  func categoryEnds() throws {
    let asset = try AssetKey("stock:A")
    var log = LogBuilder()
    try log.append([
      .adjust(asset, try Amount("1")), .categorize(asset, try Category(named: "Old")),
    ])
    try log.append([.categorize(asset, try Category(named: "New"))])
    let portfolio = Overlay(log.state, through: nil).portfolio
    #expect(portfolio.categories[try Category(named: "Old").key] == nil)
    #expect(portfolio.spelling(of: try Category(named: "Old").key) == nil)
    #expect(portfolio.categories.count == 1)
  }

  @Test("F38: assets whose ids differ in normal form are two, and so are categories by key bytes")
  func normalForms() throws {
    let portfolio = try portfolio(after: [
      add("stock:\u{E9}", "1", in: nil), add("stock:e\u{301}", "2", in: nil),
    ])
    #expect(portfolio.types[.stock]?.count == 2)
    #expect(portfolio[try AssetKey("stock:\u{E9}")]?.amount.decimalText == "1")
    #expect(portfolio[try AssetKey("stock:e\u{301}")]?.amount.decimalText == "2")
  }
}
