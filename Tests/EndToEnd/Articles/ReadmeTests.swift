import Folio
import TestSupport
import Testing

@Suite("The samples of the README and of the first page")
struct ReadmeTests {
  @Test("ten lines that open, observe, write, read and sync")
  func tenLines() async throws {
    let world = try World(clock: nil)
    try world.createAccount()
    let (folder, server) = (world.path("phone"), world.url)
    // sample README, Folio
    let portfolio = try Portfolio.openOrCreate(at: folder)
    let screen = Task {
      for try await held in portfolio.observeHoldings() { print("\(held.count) assets are held") }
    }
    try portfolio.add("0.5", of: "crypto:bitcoin", to: "Savings")
    try portfolio.add("12.25", of: "stock:AAPL")
    for held in try portfolio.holdings() {
      print(held.asset, held.amount.decimalText, held.category)
    }
    try await portfolio.sync(server: server, account: "anna")
    screen.cancel()
    // end of sample
    try await screen.value
    #expect(try portfolio.status().outbox.count == 0)
    portfolio.close()
    let again = try Portfolio.openOrCreate(at: folder)
    #expect(try again.holdings().map(\.amount.decimalText) == ["0.5", "12.25"])
  }
}
