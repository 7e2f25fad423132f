import Folio
import FolioSystem
import TestSupport
import Testing

// What stands between two marks stands in an article of the documentation too, word for word.
// article WritingAFlow
func transfer(
  in portfolio: Portfolio, answering ask: (TransferScreen) throws -> TransferAnswer
) throws -> Int {
  var screen = try portfolio.beginTransfer()
  while screen.step != .confirm {
    screen = try portfolio.answer(try ask(screen))
  }
  return try portfolio.confirmTransfer().operationCount
}
// article WritingAFlow
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
// article Observing
@MainActor
final class Window {
  private(set) var held: [PricedHolding] = []
  private(set) var flow: Flow?

  /// Shows domain data and the state of flows until its task is cancelled.
  func follow(_ portfolio: Portfolio) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for try await held in portfolio.observeHoldings() { await self.show(held) }
      }
      group.addTask {
        for try await flow in portfolio.observeFlow() { await self.show(flow) }
      }
      try await group.waitForAll()
    }
  }

  private func show(_ held: [PricedHolding]) { self.held = held }
  private func show(_ flow: Flow?) { self.flow = flow }
}
// article Collections
struct Chore: Codable, Hashable, Sendable {
  var title: String
  var rank: Int
  var isDone = false
}

func mostUrgent(in store: Store) throws -> [Chore] {
  let chores = try TypedCollection<Chore>(
    "chore", indexes: [TypedIndex("open-by-rank", .field("isDone"), .field("rank"))])
  try store.prepare(chores)
  try store.write { transaction in
    try transaction.insert(Chore(title: "Pay the rent", rank: 1), in: chores)
    let id = try transaction.insert(Chore(title: "Water the plants", rank: 2), in: chores)
    try transaction.update(id, in: chores) { $0.rank = 0 }
  }
  var query = try chores.query("open-by-rank")
  query.equal = [.bool(false)]
  let firstPage = query
  return try store.read { try $0.list(firstPage, in: chores).map(\.value) }
}
// article Collections
struct Task2: Codable, Hashable, Sendable {
  var title: String
  var priority: Int
  var state: String
}

func newShape() throws -> TypedCollection<Task2> {
  try TypedCollection(
    "chore", indexes: [TypedIndex("by-state", .field("state"), .field("priority"))],
    migrations: [
      ShapeMigration { fields in
        fields["priority"] = fields.removeValue(forKey: "rank")
        let wasDone = fields.removeValue(forKey: "isDone") == .bool(true)
        fields["state"] = .string(wasDone ? "done" : "open")
      }
    ])
}
// article end

@Suite("The articles are true")
struct ArticleTests {
  private static let package =
    "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

  private func text(_ path: String) throws -> String {
    String(
      decoding: try Files.read(Self.package + "/" + path, byteCountMax: 1 << 20), as: UTF8.self)
  }

  @Test("the samples are what stands there")
  func samples() throws {
    let own = try text("Tests/EndToEnd/ArticleTests.swift")
    let parts = own.split(separator: "\n// article ").dropFirst().dropLast()
    #expect(parts.count == 5)
    for part in parts {
      let name = part.prefix { $0 != "\n" }
      let sample = part.dropFirst(name.count + 1)
      let article = try text("Sources/Folio/Folio.docc/\(name).md")
      #expect(article.contains("```swift\n\(sample)\n```"), "\(name)")
    }
  }

  private func portfolio(_ folder: TemporaryFolder) throws -> Portfolio {
    let portfolio = try Portfolio.create(at: folder.path + "/portfolio")
    try portfolio.add("0.5", of: "crypto:bitcoin", to: "Savings")
    try portfolio.add("4", of: "stock:AAPL", to: "Shares")
    return portfolio
  }

  @Test("a flow that is driven by its screens, and one of staged edits")
  func flows() throws {
    let folder = try TemporaryFolder()
    let portfolio = try portfolio(folder)
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

  @Test("a window that follows a portfolio and its flows")
  @MainActor
  func window() async throws {
    let folder = try TemporaryFolder()
    let portfolio = try portfolio(folder)
    let window = Window()
    let task = Task { try await window.follow(portfolio) }
    try portfolio.beginEdit()
    try portfolio.add("1", of: "metal:XAU")
    while window.held.count < 3 || window.flow == nil {
      try await Task.sleep(for: .milliseconds(2))
    }
    try portfolio.discardFlow()
    while window.flow != nil { try await Task.sleep(for: .milliseconds(2)) }
    task.cancel()
    try await task.value
  }

  @Test("a collection of values, and its next shape")
  func collections() throws {
    let folder = try TemporaryFolder()
    let portfolio = try Portfolio.create(at: folder.path + "/portfolio")
    #expect(
      try mostUrgent(in: portfolio.store).map(\.title) == ["Water the plants", "Pay the rent"])
    let next = try newShape()
    #expect(try portfolio.store.prepare(next) == 2)
    let query = try next.query("by-state")
    let values = try portfolio.read { try $0.list(query, in: next).map(\.value) }
    #expect(values.first == Task2(title: "Water the plants", priority: 0, state: "open"))
  }
}
