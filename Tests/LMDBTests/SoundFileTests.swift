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
            }
          }
          if random.one(in: 8) { tx.cancel() }
        }
      }
      count += try environment.read { tx in try tx.count(tables[0]) }
      environment.close()
    }
    #expect(count > 0)
  }
}
