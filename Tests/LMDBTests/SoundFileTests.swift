import LMDB
import TestSupport
import Testing

/// The checks at open refuse nothing that the engine itself leaves behind.
@Suite struct SoundFileTests {
  @Test func everyStateOfARandomHistoryOpens() throws {
    var random = SeededRandom()
    let folder = try TemporaryFolder("lmdb")
    var count = 0
    for _ in 0..<120 {
      let environment = try Environment.open(at: folder.path, Fixture.options)
      let tables = Fixture.names.map { environment.database($0) }
      for _ in 0..<random.int(0...3) {
        try environment.write { tx in
          for _ in 0..<random.int(1...60) {
            let table = random.pick(tables)
            switch random.int(0...20) {
            case 0: try tx.deleteAll(table)
            case 1: try tx.deleteAll(table, in: .prefix([UInt8(random.int(0...9))]))
            case 2...8:
              let key = try tx.first(table, in: .from([UInt8(random.int(0...9))]))?.key
              if let key { try tx.delete(table, key) }
            default:
              let key = [UInt8(random.int(0...9)), UInt8(random.int(0...255))]
              let size = random.one(in: 8) ? random.int(0...40_000) : random.int(0...900)
              try tx.put(table, key, [UInt8](repeating: 5, count: size))
              // Large values that are put anew at once keep pages they no longer need.
              if random.one(in: 4) {
                try tx.put(table, key, [UInt8](repeating: 6, count: random.int(0...40_000)))
              }
            }
          }
          if random.one(in: 8) { tx.cancel() }
        }
      }
      count += try environment.read { tx in try tx.count(tables[0]) }
      let found = try environment.verify()
      #expect(found.damages == [])
      #expect(found.lostPageCount == 0)
      environment.close()
    }
    #expect(count > 0)
  }

  @Test func aLargeValueThatShrankInItsTransactionIsSound() throws {
    let fixture = try Fixture()
    try fixture.environment.write { tx in
      try tx.put(fixture.table, [1], [UInt8](repeating: 1, count: 100_000))
      try tx.put(fixture.table, [1], [UInt8](repeating: 2, count: 5000))
    }
    #expect(try fixture.environment.verify().damages == [])
    #expect(try fixture.records().first?.value.count == 5000)
  }

  /// The list of free pages has large values of its own.
  @Test func manyFreePagesAreSound() throws {
    let fixture = try Fixture()
    var random = SeededRandom()
    for round in UInt8(0)..<30 {
      try fixture.environment.write { tx in
        for number in UInt16(0)..<2000 where random.one(in: 3) {
          var key = KeyBuilder()
          key.append(number)
          try tx.put(fixture.table, key, [UInt8](repeating: round, count: 700))
        }
        if random.one(in: 6) { try tx.deleteAll(fixture.table) }
      }
      #expect(try fixture.environment.verify().damages == [])
    }
  }
}
