import LMDB
import Testing

@Suite struct MapFullTests {
  static let map = 1 << 20

  static func fixture() throws -> Fixture {
    try Fixture {
      $0.mapByteCount = map
      $0.quotaByteCount = map
    }
  }

  /// A reader keeps the pages of its state, so overwriting needs new ones however little is in use.
  @Test func whatAReaderKeepsCanFillTheMap() throws {
    let fixture = try Self.fixture()
    let value = [UInt8](repeating: 1, count: 100_000)
    try fixture.environment.write { try $0.put(fixture.table, [1], value) }
    try fixture.environment.read { (tx) throws in
      #expect(throws: StorageError.mapFull(limit: Self.map)) {
        for _ in 0..<100 {
          try fixture.environment.write { try $0.put(fixture.table, [1], value) }
        }
      }
      #expect(try tx.bytes(fixture.table, [1]) == value)
    }
    for _ in 0..<100 {
      try fixture.environment.write { try $0.put(fixture.table, [1], value) }
    }
  }

  @Test func everythingAfterTheFailureFailsTheSameWay() throws {
    let fixture = try Self.fixture()
    let full = StorageError.mapFull(limit: Self.map)
    let value = [UInt8](repeating: 1, count: 100_000)
    try fixture.environment.write { try $0.put(fixture.table, [1], value) }
    try fixture.environment.read { (_) throws in
      for _ in 0..<100 {
        do {
          try fixture.environment.write { tx in
            do {
              try tx.put(fixture.table, [1], value)
              return
            } catch StorageError.mapFull {}
            #expect(throws: full) { try tx.put(fixture.table, [2], [2]) }
            #expect(throws: full) { try tx.delete(fixture.table, [1]) }
            #expect(throws: full) { try tx.deleteAll(fixture.table) }
            #expect(throws: StorageError.transactionFailed) {
              try tx.contains(fixture.table, [1])
            }
          }
        } catch StorageError.mapFull {
          return
        }
      }
      Issue.record("the map never filled")
    }
    #expect(try fixture.records() == [Entry(key: [1], value: value)])
  }
}
