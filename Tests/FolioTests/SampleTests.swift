import Folio
import TestSupport
import Testing

/// What an app needs comes with one import.
@Suite("The umbrella")
struct SampleTests {
  @Test("The sample of the documentation, but for its server")
  func sample() async throws {
    let temporary = try TemporaryFolder()
    let folder = temporary.path + "/portfolio"
    let portfolio = try Portfolio.create(at: folder)
    try portfolio.add("0.5", of: "crypto:bitcoin", to: "Savings")
    for asset in try portfolio.holdings() {
      #expect(asset.holding.asset.text == "crypto:bitcoin")
      #expect(asset.holding.amount.decimalText == "0.5")
      #expect((asset.value?.text ?? "unpriced") == "unpriced")
    }
    #expect(throws: ReportError.noSnapshots) { try portfolio.report() }
    await #expect(throws: AppError.notJoined) { try await portfolio.sync() }
  }
}
