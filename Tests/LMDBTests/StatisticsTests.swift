import LMDB
import Testing

@Suite struct StatisticsTests {
  @Test func sizesFollowWhatIsPut() throws {
    let fixture = try Fixture()
    let before = try fixture.environment.statistics()
    #expect(before.mapByteCount == 64 << 20)
    #expect(before.quotaByteCount == 56 << 20)
    #expect(!before.isNearQuota)
    try fixture.environment.write {
      try $0.put(fixture.table, [1], [UInt8](repeating: 1, count: 1_000_000))
    }
    let after = try fixture.environment.statistics()
    #expect(after.usedByteCount - before.usedByteCount >= 1_000_000)
    #expect(after.fileByteCount >= after.usedByteCount)
    #expect(after.transaction == before.transaction + 1)
    try fixture.environment.write { _ = try $0.deleteAll(fixture.table) }
    let emptied = try fixture.environment.statistics()
    #expect(emptied.usedByteCount < 100_000)
    #expect(emptied.fileByteCount >= 1_000_000)
  }

  @Test func theEngineIsNamed() {
    #expect(Environment.engineVersion.hasPrefix("0.9."))
  }
}
