import LMDB
import Testing

@Suite struct QuotaTests {
  static let quota = 2 << 20

  static func key(_ number: Int) -> KeyBuilder {
    var key = KeyBuilder()
    key.append(UInt32(number))
    return key
  }

  /// Puts records of a kilobyte until one is refused, and says how many there are.
  static func fill(_ fixture: Fixture, from first: Int = 0) throws -> Int {
    let value = [UInt8](repeating: 1, count: 1000)
    var number = first
    while number < first + 100_000 {
      do {
        try fixture.environment.write { try $0.put(fixture.table, key(number), value) }
        number += 1
      } catch StorageError.quotaExceeded(let limit) {
        #expect(limit == quota)
        break
      }
    }
    return number
  }

  @Test func aPutAboveTheQuotaIsRefusedAndDeletingMakesRoom() throws {
    let fixture = try Fixture { $0.quotaByteCount = Self.quota }
    let count = try Self.fill(fixture)
    #expect((1200...2100).contains(count))
    let full = try fixture.environment.statistics()
    #expect(full.isNearQuota)
    #expect(full.usedByteCount <= Self.quota)
    #expect(full.quotaByteCount == Self.quota)
    // Full, it still lets go of what it has, and takes as much again afterwards.
    try fixture.environment.write { tx in
      _ = try tx.deleteAll(fixture.table, in: .upTo(Self.key(count / 2).bytes))
    }
    #expect(try fixture.environment.statistics().isNearQuota == false)
    let again = try Self.fill(fixture, from: count)
    #expect(again - count > count / 3)
    #expect(try fixture.environment.statistics().usedByteCount <= Self.quota)
  }

  @Test func aRefusedPutEndsItsTransactionEvenWhereItsErrorIsCaught() throws {
    let fixture = try Fixture { $0.quotaByteCount = Self.quota }
    let large = [UInt8](repeating: 1, count: Self.quota)
    let full = StorageError.quotaExceeded(limit: Self.quota)
    let outcome = Result {
      try fixture.environment.write { tx in
        try tx.put(fixture.table, [1], [1])
        #expect(throws: full) { try tx.put(fixture.table, [2], large) }
        #expect(throws: full) { try tx.put(fixture.table, [3], [3]) }
      }
    }
    #expect(throws: full) { try outcome.get() }
    #expect(try fixture.records().isEmpty)
  }

  @Test func manyPutsOfOneTransactionAreCountedTogether() throws {
    let fixture = try Fixture { $0.quotaByteCount = Self.quota }
    let value = [UInt8](repeating: 1, count: 1000)
    #expect(throws: StorageError.quotaExceeded(limit: Self.quota)) {
      try fixture.environment.write { tx in
        for number in 0..<10_000 { try tx.put(fixture.table, Self.key(number), value) }
      }
    }
    #expect(try fixture.records().isEmpty)
  }
}
