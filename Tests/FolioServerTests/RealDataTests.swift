import FolioDomain
import TestSupport
import Testing

@testable import FolioServer

/// Figures of real markets, with all that is awkward in them.
struct RealDataTests {
  @Test(RealData.isAtHand("prices/forex-ecb-daily.csv"))
  func decadesOfCurrenciesAreImported() throws {
    let bytes = try RealData.read("prices/forex-ecb-daily.csv")
    let folder = try TemporaryFolder("server")
    let server = try ServerFixture(
      LMDBServerStorage(at: folder.path), at: "2026-11-01T00:00:00Z")
    let clock = ContinuousClock()
    let start = clock.now
    let file = try bytes.withUnsafeBytes { try PriceFile($0, base: "USD") }
    let parsed = clock.now
    let answer = try server.storage.write(ImportPrices(file.observations, now: server.now))
    print("read in \(parsed - start), stored in \(clock.now - parsed)")
    #expect(file.problems.isEmpty)
    #expect(file.observations.count == 221_702)
    #expect(answer.heldBack == 0)
    #expect(answer.slots?.lowerBound.text == "1999-01-04T18Z")
    #expect(answer.slots?.upperBound.text == "2026-10-30T18Z")
    #expect(answer.market.revision == UInt64(answer.added))
    let again = try server.storage.write(ImportPrices(file.observations, now: server.now))
    #expect(again.unchanged == answer.added && again.market == answer.market)
  }

  @Test(RealData.isAtHand("prices/crypto-btc-5min.csv"))
  func exponentsAreReadByTheirDigits() throws {
    let bytes = try RealData.read("prices/crypto-btc-5min.csv")
    let file = try bytes.withUnsafeBytes { try PriceFile($0, base: "BTC") }
    #expect(file.problems.isEmpty && file.observations.count == 17_240)
    let server = try ServerFixture()
    _ = try server.storage.write(ImportPrices(file.observations, now: server.now))
    let tables = try server.tables(byteLimit: 1000)
    #expect(tables.first?.table.slot.text == "2018-01-10T06Z")
    #expect(tables.count == Int(try server.storage.read(MarketFacts()).market.revision))
  }

  @Test(RealData.isAtHand("assets/crypto.ndjson"))
  func repeatedCoinsAreNamed() throws {
    let bytes = try RealData.read("assets/crypto.ndjson")
    let file = bytes.withUnsafeBytes { AssetFile($0) }
    #expect(file.problems.isEmpty)
    #expect(file.repeated.count == 33)
    #expect(file.assets.count == 5_666 - 33)
    #expect(file.assets.count { $0.symbol == "BTC" } > 1)
    let server = try ServerFixture()
    let answer = try server.storage.write(ImportAssets(file.assets))
    #expect(answer.added == file.assets.count)
    var count = 0
    var after: AssetKey?
    while true {
      let page = try server.storage.read(
        AssetPageQuery(tag: nil, after: after, byteLimit: 500_000))
      count += page.assets.count
      after = page.assets.last?.asset
      if !page.more { break }
    }
    #expect(count == file.assets.count)
  }
}
