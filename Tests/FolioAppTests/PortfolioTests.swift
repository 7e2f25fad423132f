import FolioApp
import FolioDomain
import FolioGateway
import FolioStore
import FolioTransport
import Synchronization
import TestSupport
import Testing

/// A portfolio as an app uses it, from tasks.
@Suite("A portfolio in an app")
struct PortfolioTests {
  @Test("Edited, synced, restored from tasks")
  func whole() async throws {
    let world = try World()
    try world.importPrices(0)
    let portfolio = try Portfolio.create(at: world.path("phone"), options: world.options())
    try portfolio.add("0.5", of: "crypto:bitcoin", to: "Savings")
    try portfolio.add("3", of: "stock:ABC")
    try portfolio.set("stock:ABC", to: "2.5")
    try portfolio.move("stock:ABC", to: "Shares")
    try portfolio.renameCategory("Savings", to: "Coins")
    let summary = try await portfolio.sync(server: "stdio:here", account: "me")
    #expect(summary.pushed == 5)
    world.advance(hours: 12)
    try await portfolio.sync()
    let held = try portfolio.holdings()
    #expect(held.map(\.holding.amount.decimalText) == ["0.5", "2.5"])
    #expect(held.map(\.value?.text) == ["30000", "251.25"])
    #expect(try portfolio.categories().map(\.category.spelling.text) == ["Coins", "Shares"])
    let report = try portfolio.report()
    #expect(report.whole.end.text == "30251.25")
    #expect(report.whole.start == report.whole.end, "the first snapshot is start, not deposit")
    let restored = try await Portfolio.restore(
      at: world.path("new"), server: "stdio:here", account: "me", options: world.options())
    #expect(restored.summary.transactions == 5)
    #expect(
      try restored.portfolio.read { try $0.digestBasis() }
        == portfolio.read { try $0.digestBasis() })
    try portfolio.delete("stock:ABC")
    #expect(try portfolio.holdings().count == 1)
    #expect(try portfolio.verify().isSound)
  }

  @Test("A cancelled task ends its sync, and the next one does everything")
  func cancelled() async throws {
    let world = try World()
    var options = world.options()
    let server = world.server
    let isSilent = Mutex(true)
    // The other end stays open and says nothing.
    let ends = Ends()
    options.connect = { _ in
      guard isSilent.withLock({ $0 }) else { return server.connect() }
      let (mine, theirs) = try DescriptorConnection.pair()
      ends.add(theirs)
      return mine
    }
    let portfolio = try Portfolio.create(at: world.path("phone"), options: options)
    try portfolio.add("1", of: "crypto:bitcoin")
    let task = Task { try await portfolio.sync(server: "stdio:here", account: "me") }
    while ends.all.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
    task.cancel()
    await #expect(throws: SyncError.cancelled) { try await task.value }
    isSilent.withLock { $0 = false }
    #expect(try await portfolio.sync(server: "stdio:here", account: "me").pushed == 1)
  }

  @Test("Many syncs at once block no thread of tasks")
  func many() async throws {
    let world = try World()
    let ends = Ends()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<16 {
        var options = world.options()
        options.attemptsMax = 1
        options.connect = { _ in
          let (mine, theirs) = try DescriptorConnection.pair()
          ends.add(theirs)
          return mine
        }
        let portfolio = try Portfolio.create(at: world.path("phone \(index)"), options: options)
        group.addTask {
          await #expect(throws: SyncError.self) {
            try await portfolio.sync(server: "stdio:here", account: "me")
          }
        }
      }
      // While all of them wait for a server that says nothing, tasks go on; this one ends them.
      group.addTask {
        while ends.all.count < 16 { try await Task.sleep(for: .milliseconds(5)) }
        for end in ends.all { end.close() }
      }
      try await group.waitForAll()
    }
  }

  /// The servers' ends of connections.
  final class Ends: Sendable {
    private let ends = Mutex<[DescriptorConnection]>([])
    var all: [DescriptorConnection] { ends.withLock { $0 } }
    func add(_ end: DescriptorConnection) { ends.withLock { $0.append(end) } }
  }
}
