import LMDB
import TestSupport
import Testing

/// Batches against the same puts one by one, and against a plain dictionary.
@Suite struct RecordBatchTests {
  /// A table in a folder and one in memory.
  private struct Pair {
    let fixture: Fixture
    let memory: Environment
    let faults = Faults()

    init(quotaByteCount: Int? = nil) throws {
      let faults = faults
      fixture = try Fixture {
        $0.faults = faults
        $0.quotaByteCount = quotaByteCount
      }
      var options = Fixture.options
      options.faults = faults
      options.quotaByteCount = quotaByteCount
      memory = try Environment.inMemory(on: MemoryDisk(), options)
    }

    var environments: [Environment] { [fixture.environment, memory] }
  }

  private static func batch(_ records: [(key: [UInt8], value: [UInt8])]) -> RecordBatch {
    var batch = RecordBatch()
    for record in records { batch.add(record.key, record.value) }
    return batch
  }

  /// Keys that are alike at their beginning, one that is the head of another among them, and values
  /// from none to more than a page.
  private static func records(_ random: inout SeededRandom) -> [(key: [UInt8], value: [UInt8])] {
    (0..<random.int(0...400)).map { _ in
      let head = [UInt8](repeating: 7, count: random.int(1...20))
      let key = head + (0..<random.int(0...3)).map { _ in UInt8(random.int(0...255)) }
      let count = random.one(in: 40) ? random.int(4_000...9_000) : random.int(0...60)
      return (key, (0..<count).map { _ in UInt8(random.int(0...255)) })
    }
  }

  @Test(arguments: 0..<8)
  func aBatchIsItsPutsOneAfterTheOther(run: Int) throws {
    var random = SeededRandom("aBatchIsItsPutsOneAfterTheOther(\(run))")
    let pair = try Pair()
    var model: [[UInt8]: [UInt8]] = [:]
    var batch = RecordBatch()
    for step in 0..<12 {
      let records = Self.records(&random)
      // In order where it is not, and not: both ways of a batch.
      let added =
        random.one(in: 3) ? records.sorted { $0.key.lexicographicallyPrecedes($1.key) } : records
      let deleted = model.keys.filter { _ in random.one(in: 3) }
      for environment in pair.environments {
        let (table, other) = (environment.database("table"), environment.database("other"))
        try environment.write { tx in
          for key in deleted {
            try tx.delete(table, key)
            try tx.delete(other, key)
          }
          for record in added { batch.add(record.key, record.value) }
          #expect(batch.count == added.count)
          try tx.put(table, &batch)
          #expect(batch.isEmpty && batch.byteCount == 0)
          for record in added { try tx.put(other, record.key, record.value) }
        }
      }
      for key in deleted { model[key] = nil }
      for record in added { model[record.key] = record.value }
      let expected = model.sorted { $0.key.lexicographicallyPrecedes($1.key) }
        .map { Entry(key: $0.key, value: $0.value) }
      for environment in pair.environments {
        try environment.read { state in
          for name in Fixture.names {
            let found = try state.entries(environment.database(name), .all)
            try #require(found == expected, "seed \(random.seed), step \(step), \(name)")
          }
        }
        #expect(try environment.verify().isSound, "seed \(random.seed), step \(step)")
      }
    }
  }

  @Test func whatABatchHasPutIsReadInTheSameWrite() throws {
    for environment in try Pair().environments {
      let table = environment.database("table")
      try environment.write { tx in
        var batch = Self.batch([([2], [20]), ([1], [10]), ([2], [21])])
        try tx.put(table, &batch)
        #expect(try tx.bytes(table, [1]) == [10])
        #expect(try tx.bytes(table, [2]) == [21])
        #expect(tx.touched == DatabaseMarks([table]))
        var empty = RecordBatch()
        try tx.put(environment.database("other"), &empty)
        #expect(tx.touched == DatabaseMarks([table]))
      }
    }
  }

  @Test func aKeyThatIsTooLongIsRefused() throws {
    for environment in try Pair().environments {
      let key = [UInt8](repeating: 1, count: Environment.keyByteCountMax + 1)
      let error = StorageError.keyTooLong(byteCount: key.count, max: Environment.keyByteCountMax)
      #expect(throws: error) {
        try environment.write { tx in
          var batch = Self.batch([([0], []), (key, [])])
          try tx.put(environment.database("table"), &batch)
        }
      }
      #expect(try environment.read { try $0.count(environment.database("table")) } == 0)
    }
  }

  @Test func aFailureInTheMidstEndsTheWrite() throws {
    let pair = try Pair()
    for environment in pair.environments {
      let table = environment.database("table")
      pair.faults.fail(.put, after: 2)
      let outcome = Result {
        try environment.write { tx in
          var batch = Self.batch((0..<5).map { ([$0], [1]) })
          #expect(throws: Faults.error) { try tx.put(table, &batch) }
          #expect(throws: Faults.error) { try tx.put(table, [9], []) }
        }
      }
      #expect(throws: Faults.error) { try outcome.get() }
      #expect(try environment.read { try $0.count(table) } == 0)
    }
  }

  @Test func aBatchIsHeldToTheQuota() throws {
    let quota = 2 << 20
    for environment in try Pair(quotaByteCount: quota).environments {
      let table = environment.database("table")
      #expect(throws: StorageError.quotaExceeded(limit: quota)) {
        try environment.write { tx in
          var batch = RecordBatch()
          let value = [UInt8](repeating: 1, count: 1_000)
          for number in 0..<4_000 { batch.add(QuotaTests.key(number), value) }
          try tx.put(table, &batch)
        }
      }
      #expect(try environment.read { try $0.count(table) } == 0)
    }
  }
}
