import FolioApp
import FolioDomain
import FolioStore
import TestSupport
import Testing

@Suite("A transfer, step by step")
struct TransferFlowTests {
  private let bitcoin = AssetKey(
    type: AssetType(unchecked: "crypto"), id: AssetID(unchecked: "bitcoin"))

  private func filled(_ world: World) throws -> Portfolio {
    let portfolio = try Portfolio.create(at: world.path("phone"), options: world.options())
    try portfolio.add("0.5", of: "crypto:bitcoin", to: "Exchange")
    try portfolio.add("4", of: "crypto:ether", to: "Exchange")
    try portfolio.add("3", of: "stock:ABC", to: "Shares")
    return portfolio
  }

  @Test("Each answer is checked, and decides what is asked next")
  func whole() throws {
    let portfolio = try filled(try World())
    let shares = try Category(named: "Shares")
    let exchange = try Category(named: "Exchange")
    var screen = try portfolio.beginTransfer()
    guard case .from(let categories) = screen else {
      Issue.record("\(screen)")
      return
    }
    #expect(categories.map(\.category) == [exchange, shares])
    #expect(throws: EditError.categoryNotFound) {
      try portfolio.answer(.from(try Category(named: "None").key))
    }
    #expect(throws: AppError.stepOutOfOrder(asked: .from, answered: .to)) {
      try portfolio.answer(.to(shares))
    }
    screen = try portfolio.answer(.from(exchange.key))
    guard case .asset(let held, exchange) = screen else {
      Issue.record("\(screen)")
      return
    }
    #expect(held.map(\.holding.asset.id.text) == ["bitcoin", "ether"])
    #expect(throws: TransferError.notInCategory) {
      try portfolio.answer(.asset(try AssetKey("stock:ABC")))
    }
    screen = try portfolio.answer(.asset(bitcoin))
    #expect(screen.step == .amount)
    let half = try Amount("0.25")
    #expect(throws: TransferError.notWhole(held: Int256(try Amount("0.5")), asked: half)) {
      try portfolio.answer(.amount(half))
    }
    #expect(throws: EditError.self) { try portfolio.answer(.amount(try Amount("1"))) }
    screen = try portfolio.answer(.amount(try Amount("0.5")))
    guard case .to(let others, let holding) = screen else {
      Issue.record("\(screen)")
      return
    }
    #expect(others.map(\.category) == [shares])
    #expect(holding.holding.asset == bitcoin)
    #expect(throws: TransferError.sameCategory) {
      try portfolio.answer(.to(try Category(named: "EXCHANGE")))
    }
    #expect(throws: AppError.stepOutOfOrder(asked: .to, answered: .confirm)) {
      try portfolio.confirmTransfer()
    }
    screen = try portfolio.answer(.to(try Category(named: "Wallet")))
    #expect(
      screen
        == .confirm(
          Transfer(
            bitcoin, try Amount("0.5"), from: exchange.key, to: try Category(named: "Wallet"))))
    #expect(try portfolio.status().outbox.count == 3)
    #expect(try portfolio.confirmTransfer().operationCount == 1)
    #expect(
      try portfolio.categories().map(\.category.spelling.text) == ["Exchange", "Shares", "Wallet"])
    #expect(throws: AppError.noFlow(.transfer)) { try portfolio.transferScreen() }
  }

  @Test("What has one answer only is not asked")
  func single() throws {
    let world = try World()
    let portfolio = try Portfolio.create(at: world.path("phone"), options: world.options())
    #expect(try portfolio.beginTransfer() == .from([]))
    try portfolio.discardFlow()
    try portfolio.add("0.5", of: "crypto:bitcoin", to: "Exchange")
    #expect(try portfolio.beginTransfer().step == .amount)
    let screen = try portfolio.answer(.amount(try Amount("0.5")))
    guard case .to([], _) = screen else {
      Issue.record("\(screen)")
      return
    }
  }

  @Test("Answers survive that the store is closed, and are taken back one by one")
  func resumed() throws {
    let world = try World()
    let portfolio = try filled(world)
    _ = try portfolio.beginTransfer()
    _ = try portfolio.answer(.from(try Category(named: "Exchange").key))
    _ = try portfolio.answer(.asset(bitcoin))
    _ = try portfolio.answer(.amount(try Amount("0.5")))
    let screen = try portfolio.answer(.to(try Category(named: "Wallet")))
    portfolio.close()
    let again = try Portfolio.open(at: world.path("phone"), options: world.options())
    #expect(try again.transferScreen() == screen)
    #expect(throws: AppError.self) { try again.beginEdit() }
    let steps = try (0..<5).map { _ in try again.goBackInTransfer().step }
    #expect(steps == [.to, .amount, .asset, .from, .from])
  }

  @Test("What does not hold any more is asked again, and is never saved")
  func changedMeanwhile() throws {
    let portfolio = try filled(try World())
    _ = try portfolio.beginTransfer()
    _ = try portfolio.answer(.from(try Category(named: "Exchange").key))
    _ = try portfolio.answer(.asset(bitcoin))
    _ = try portfolio.answer(.amount(try Amount("0.5")))
    _ = try portfolio.answer(.to(try Category(named: "Wallet")))
    try portfolio.add("0.5", of: "crypto:bitcoin")
    #expect(try portfolio.transferScreen().step == .amount)
    #expect(throws: AppError.stepOutOfOrder(asked: .amount, answered: .confirm)) {
      try portfolio.confirmTransfer()
    }
    try portfolio.move("crypto:bitcoin", to: "Shares")
    #expect(try portfolio.transferScreen().step == .asset)
    try portfolio.renameCategory("Exchange", to: "Else")
    #expect(try portfolio.transferScreen().step == .from)
    #expect(try portfolio.discardFlow() == 0)
  }
}
