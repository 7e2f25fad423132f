import FolioDomain
import TestSupport
import Testing

@testable import FolioServer

/// How prices come into tables, and tables to those who ask.
struct PriceTableTests {
  private func observations(_ rows: [(String, String, String)]) throws -> PriceObservations {
    var observations = PriceObservations()
    for (time, asset, price) in rows {
      let parts = asset.split(separator: ":", maxSplits: 1).map(String.init)
      observations.add(
        AssetKey(type: AssetType(unchecked: parts[0]), id: AssetID(unchecked: parts[1])),
        try Price(price), at: try Timestamp(time))
    }
    return observations
  }

  private func imported(
    _ server: ServerFixture<MemoryServerStorage>, _ rows: [(String, String, String)]
  ) throws -> ImportPrices.Answer {
    try server.storage.write(ImportPrices(observations(rows), now: server.now))
  }

  /// Tables as `slot#revision asset=price ...`.
  private func tables(
    _ server: ServerFixture<MemoryServerStorage>, after: UInt64 = 0, types: Set<String>? = nil
  ) throws -> [String] {
    let types = types.map { Set($0.map { AssetType(unchecked: $0) }) }
    return try server.tables(after: after, types: types).map(\.text)
  }

  /// A table is labelled by its boundary, however late in the window its prices were seen.
  @Test func F54_aPriceGoesToTheFirstBoundaryAtOrAfterIt() throws {
    let server = try ServerFixture()
    _ = try imported(
      server,
      [
        ("2026-01-01T05:59:59.999Z", "crypto:a", "1"), ("2026-01-01T06:00:00Z", "crypto:b", "2"),
        ("2026-01-01T06:00:00.001Z", "crypto:a", "3"), ("2026-01-01T12:00:00Z", "crypto:b", "4"),
      ])
    #expect(
      try tables(server) == [
        "2026-01-01T06Z#1 crypto:a=1 crypto:b=2", "2026-01-01T12Z#2 crypto:a=3 crypto:b=4",
      ])
  }

  @Test func theLastInTimeCounts() throws {
    let server = try ServerFixture()
    _ = try imported(
      server,
      [
        ("2026-01-01T03:00:00Z", "crypto:a", "3"), ("2026-01-01T05:00:00Z", "crypto:a", "5"),
        ("2026-01-01T04:00:00Z", "crypto:a", "4"),
      ])
    #expect(try tables(server) == ["2026-01-01T06Z#1 crypto:a=5"])
    // Also across imports: what was seen earlier does not replace what was seen later.
    let earlier = try imported(server, [("2026-01-01T04:30:00Z", "crypto:a", "4.5")])
    #expect(earlier.unchanged == 1 && earlier.market.revision == 1)
    // The later of two at the same moment counts.
    _ = try imported(
      server,
      [("2026-01-01T05:00:00Z", "crypto:a", "6"), ("2026-01-01T05:00:00Z", "crypto:a", "7")])
    #expect(try tables(server) == ["2026-01-01T06Z#2 crypto:a=7"])
  }

  @Test func importingTwiceChangesNothing() throws {
    let server = try ServerFixture()
    let rows = [
      ("2026-01-01T03:00:00Z", "crypto:a", "3"), ("2026-01-02T03:00:00Z", "crypto:a", "4"),
    ]
    #expect(try imported(server, rows).added == 2)
    let before = try server.storage.read(AllRows())
    let second = try imported(server, rows)
    #expect(second.unchanged == 2 && second.added == 0 && second.corrected == 0)
    #expect(try server.storage.read(AllRows()) == before)
  }

  @Test func aCorrectionGivesANewRevisionToThatTableOnly() throws {
    let server = try ServerFixture()
    _ = try imported(
      server,
      [
        ("2026-01-01T03:00:00Z", "crypto:a", "3"), ("2026-01-02T03:00:00Z", "crypto:a", "4"),
        ("2026-01-03T03:00:00Z", "crypto:a", "5"),
      ])
    let answer = try imported(
      server,
      [("2026-01-02T03:00:00Z", "crypto:a", "4.5"), ("2026-01-03T03:00:00Z", "crypto:a", "5.0")])
    #expect(answer.corrected == 1 && answer.unchanged == 1)
    #expect(
      try tables(server) == [
        "2026-01-01T06Z#1 crypto:a=3", "2026-01-03T06Z#3 crypto:a=5",
        "2026-01-02T06Z#4 crypto:a=4.5",
      ])
    #expect(try tables(server, after: 3) == ["2026-01-02T06Z#4 crypto:a=4.5"])
  }

  @Test func aTableWhoseSlotHasNotBegunIsHeldBack() throws {
    let server = try ServerFixture(at: "2026-03-01T07:00:00Z")
    let answer = try imported(
      server,
      [
        ("2026-03-01T05:00:00Z", "crypto:a", "1"), ("2026-03-01T06:30:00Z", "crypto:a", "2"),
        ("2026-03-01T17:00:00Z", "crypto:a", "3"),
      ])
    #expect(answer.added == 3 && answer.heldBack == 2)
    #expect(try tables(server) == ["2026-03-01T06Z#1 crypto:a=1"])
    // It may be added to meanwhile.
    #expect(try imported(server, [("2026-03-01T06:40:00Z", "crypto:a", "2.5")]).heldBack == 1)
    #expect(try !server.storage.read(AreTablesDue(now: server.now)))
    server.clock.set(try Timestamp("2026-03-01T11:59:59.999Z"))
    #expect(try server.storage.write(PublishDueTables(now: server.now)) == 0)
    server.clock.set(try Timestamp("2026-03-01T12:00:00Z"))
    #expect(try server.storage.read(AreTablesDue(now: server.now)))
    #expect(try server.storage.write(PublishDueTables(now: server.now)) == 1)
    #expect(
      try tables(server) == [
        "2026-03-01T06Z#1 crypto:a=1", "2026-03-01T12Z#2 crypto:a=2.5",
      ])
    #expect(try !server.storage.read(AreTablesDue(now: server.now)))
    // A table that was told stays told when the clock goes back, and takes corrections.
    server.clock.set(try Timestamp("2026-03-01T08:00:00Z"))
    let back = try imported(server, [("2026-03-01T11:00:00Z", "crypto:a", "2.75")])
    #expect(back.corrected == 1 && back.heldBack == 0)
    #expect(try tables(server, after: 2) == ["2026-03-01T12Z#3 crypto:a=2.75"])
  }

  @Test func anImportPublishesWhatIsDueFirst() throws {
    let server = try ServerFixture(at: "2026-03-01T07:00:00Z")
    _ = try imported(server, [("2026-03-01T11:00:00Z", "crypto:a", "1")])
    server.clock.set(try Timestamp("2026-03-01T12:00:00Z"))
    _ = try imported(server, [("2026-03-01T05:00:00Z", "crypto:a", "2")])
    #expect(
      try tables(server) == ["2026-03-01T12Z#1 crypto:a=1", "2026-03-01T06Z#2 crypto:a=2"])
  }

  @Test func tablesAreInByteOrderAndNarrowedToTypes() throws {
    let server = try ServerFixture()
    _ = try imported(
      server,
      [("2026-01-01T03:00:00Z", "stock:Z", "1"), ("2026-01-01T03:00:00Z", "crypto:é", "2")])
    _ = try imported(
      server,
      [("2026-01-01T03:00:00Z", "crypto:b", "3"), ("2026-01-01T03:00:00Z", "stock:A", "4")])
    #expect(
      try tables(server) == ["2026-01-01T06Z#2 crypto:b=3 crypto:é=2 stock:A=4 stock:Z=1"])
    #expect(try tables(server, types: ["stock"]) == ["2026-01-01T06Z#2 stock:A=4 stock:Z=1"])
    #expect(try tables(server, types: ["forex"]) == ["2026-01-01T06Z#2"])
  }

  /// Each asset's price in each slot is the one with the latest time, whatever the files' order.
  @Test func orderOfImportsDoesNotMatter() throws {
    var random = SeededRandom()
    let start = try Timestamp("2026-01-01T00:00:00Z")
    for _ in 0..<30 {
      var rows: [(AssetKey, Price, Timestamp)] = []
      for moment in Set((0..<60).map { _ in random.int(1...200) }) {
        let asset = AssetKey(
          type: AssetType(unchecked: "crypto"),
          id: AssetID(unchecked: "id\(random.int(0...4))"))
        let price = try #require(Price(mantissa: Int64(random.int(1...9)), scale: 1))
        rows.append((asset, price, start.adding(milliseconds: Int64(moment) * 900_000)))
      }
      func result(_ parts: [[(AssetKey, Price, Timestamp)]]) throws -> [PriceTable] {
        let server = try ServerFixture()
        for part in parts {
          var observations = PriceObservations()
          for (asset, price, time) in part { observations.add(asset, price, at: time) }
          _ = try server.storage.write(ImportPrices(observations, now: server.now))
        }
        return try server.tables().map(\.table).sorted { $0.slot < $1.slot }
      }
      let shuffled = rows.shuffled(using: &random)
      let cut = random.int(0...rows.count)
      #expect(
        try result([rows]) == result([Array(shuffled[..<cut]), Array(shuffled[cut...])]))
    }
  }
}
