import Folio
import TestSupport
import Testing

// sample WritingAFlow
func transfer(
  in portfolio: Portfolio, answering ask: (TransferScreen) throws -> TransferAnswer
) throws -> Int {
  var screen = try portfolio.beginTransfer()
  while screen.step != .confirm {
    screen = try portfolio.answer(try ask(screen))
  }
  return try portfolio.confirmTransfer().operationCount
}
// end of sample

// sample WritingAFlow
func rebalance(_ portfolio: Portfolio) throws -> [String] {
  try portfolio.beginEdit()
  try portfolio.make(.set(try AssetKey("stock:AAPL"), try Amount("10")))
  try portfolio.make(.move(try AssetKey("crypto:bitcoin"), to: try Category(named: "Risky")))
  let review = try portfolio.reviewEdit()
  let lines = review.changes.map { change in
    "\(change.asset): \(change.before.amount.decimalText) to \(change.amount.decimalText)"
      + (change.isMoved ? ", to \(change.category.spelling.text)" : "")
  }
  try portfolio.saveEdit()
  return lines
}
// end of sample

@Suite("The samples of Writing a flow")
struct WritingAFlowTests {
  @Test("a flow that is driven by its screens, and one of staged edits")
  func flows() throws {
    let folder = try TemporaryFolder()
    let portfolio = try Portfolio.small(in: folder)
    #expect(
      try rebalance(portfolio) == ["crypto:bitcoin: 0.5 to 0.5, to Risky", "stock:AAPL: 4 to 10"])
    let count = try transfer(in: portfolio) { screen in
      switch screen {
      case .from(let categories): .from(try #require(categories.first).category.key)
      case .asset(let held, _): .asset(try #require(held.first).holding.asset)
      case .amount(let held): .amount(try #require(held.holding.amount.amount))
      case .to, .confirm: .to(try Category(named: "Vault"))
      }
    }
    #expect(count == 1)
    #expect(try portfolio.categories().map(\.category.spelling.text) == ["Shares", "Vault"])
  }
}
