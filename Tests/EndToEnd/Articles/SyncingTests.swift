import Folio
import TestSupport
import Testing

// sample Syncing
func sync(_ portfolio: Portfolio) async -> String {
  do {
    let summary = try await portfolio.sync { progress in
      if case .pulled(let count, let total) = progress { print("\(count) of \(total)") }
    }
    return "sent \(summary.pushed), received \(summary.pulled)"
  } catch SyncError.decisionNeeded(let question) {
    return question.message
  } catch let error as SyncError where error.kind == .unreachable {
    return "not reached; what is pending stays pending"
  } catch {
    return "\(error)"
  }
}
// end of sample

// sample Syncing
func keepSynced(_ portfolio: Portfolio) async throws {
  for try await outbox in portfolio.observeOutbox() where outbox.count > 0 {
    print(await sync(portfolio))
  }
}
// end of sample

@Suite("The samples of Syncing")
struct SyncingTests {
  @Test("a sync that ends well, and one whose server is not there")
  func ends() async throws {
    let world = try World(clock: nil)
    try world.createAccount()
    let server = world.url
    let portfolio = try Portfolio.create(at: world.path("phone"))
    #expect(await sync(portfolio).contains("notJoined"))
    try portfolio.add("1", of: "crypto:bitcoin")
    // sample Syncing
    try await portfolio.sync(server: server, account: "anna")
    // end of sample
    try portfolio.add("1", of: "crypto:bitcoin")
    #expect(await sync(portfolio) == "sent 1, received 0")
    var options = AppOptions()
    options.attemptsMax = 1
    let lonely = try Portfolio.create(at: world.path("lonely"), options: options)
    await #expect(throws: SyncError.self) {
      try await lonely.sync(server: "stdio:exit 1", account: "anna")
    }
  }

  @Test("what is saved is sent soon after")
  func follows() async throws {
    let world = try World(clock: nil)
    try world.createAccount()
    let portfolio = try Portfolio.create(at: world.path("phone"))
    try await portfolio.sync(server: world.url, account: "anna")
    let task = Task { try await keepSynced(portfolio) }
    try portfolio.add("1", of: "crypto:bitcoin")
    while try portfolio.status().outbox.count > 0 { try await Task.sleep(for: .milliseconds(5)) }
    task.cancel()
    try await task.value
  }
}
