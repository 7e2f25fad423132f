import Folio
import TestSupport
import Testing

@Suite("The samples of Getting started")
struct GettingStartedTests {
  @Test("open, write, read, observe, sync, and what an error says")
  func steps() async throws {
    let world = try World(clock: nil)
    try world.createAccount()
    let (folder, server) = (world.path("phone"), world.url)
    // sample GettingStarted
    let portfolio = try Portfolio.openOrCreate(at: folder)
    try portfolio.add("0.5", of: "crypto:bitcoin", to: "Savings")
    try portfolio.add("12.25", of: "stock:AAPL")
    try portfolio.add("-0.1", of: "crypto:bitcoin")
    // end of sample
    // sample GettingStarted
    for held in try portfolio.holdings() {
      print(held.asset, held.amount.decimalText, held.category, held.value?.text ?? "unpriced")
    }
    // end of sample
    #expect(try portfolio.holdings().map(\.amount.decimalText) == ["0.4", "12.25"])
    // sample GettingStarted
    let screen = Task {
      for try await categories in portfolio.observeCategories() {
        print(categories.map { "\($0.category): \($0.assetCount)" })
      }
    }
    // end of sample
    // sample GettingStarted
    let summary = try await portfolio.sync(server: server, account: "anna")
    print("sent \(summary.pushed), received \(summary.pulled)")
    // end of sample
    #expect(summary.pushed == 3)
    // sample GettingStarted
    do {
      try portfolio.add("-100", of: "stock:AAPL")
    } catch let error as any DomainError {
      print(error.code, error.message, error.hint, separator: "\n")
    }
    // end of sample
    #expect(throws: EditError.self) { try portfolio.add("-100", of: "stock:AAPL") }
    screen.cancel()
    try await screen.value
  }
}
