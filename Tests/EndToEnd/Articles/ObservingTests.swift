import Folio
import TestSupport
import Testing

// sample Observing
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
// end of sample

@Suite("The samples of Observing a store")
struct ObservingTests {
  @Test("a window that follows a portfolio and its flows")
  @MainActor
  func window() async throws {
    let folder = try TemporaryFolder()
    let portfolio = try Portfolio.small(in: folder)
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
}
