import LMDB
import Testing

/// What only an environment in memory has: its disk.
@Suite struct MemoryTests {
  private let disk = MemoryDisk(name: "a disk")

  private func open(_ change: (inout Environment.Options) -> Void = { _ in }) throws -> Environment
  {
    var options = Fixture.options
    change(&options)
    return try Environment.inMemory(on: disk, options)
  }

  private func keys(_ environment: Environment) throws -> [[UInt8]] {
    try environment.read { try $0.entries(environment.database("table"), .all).map(\.key) }
  }

  @Test func whatWasCommittedOutlivesTheEnvironment() throws {
    let environment = try open()
    try environment.write { try $0.put(environment.database("table"), [1], [1]) }
    #expect(throws: StorageError.alreadyOpen(path: "a disk")) { try open() }
    environment.close()
    #expect(try keys(open()) == [[1]])
  }

  @Test func aCopyOfADiskTakenWithinAWriteHasTheStateBefore() throws {
    let environment = try open()
    let table = environment.database("table")
    try environment.write { try $0.put(table, [1], [1]) }
    var copy = disk
    try environment.write { transaction in
      try transaction.put(table, [2], [2])
      copy = disk.copied()
    }
    let other = try Environment.inMemory(on: copy, Fixture.options)
    #expect(try keys(other) == [[1]])
    try other.write { try $0.put(other.database("table"), [3], [3]) }
    #expect(try keys(environment) == [[1], [2]])
    #expect(try keys(other) == [[1], [3]])
  }

  @Test func aCopyStandsUnderItsPathAndIsNotOverwritten() throws {
    let environment = try open()
    try environment.copy(to: "one")
    try environment.write { try $0.put(environment.database("table"), [1], [1]) }
    #expect(throws: StorageError.exists(path: "one")) { try environment.copy(to: "one") }
    let copy = try #require(disk.copy(at: "one"))
    #expect(try keys(Environment.inMemory(on: copy, Fixture.options)) == [])
  }

  @Test func aDamagedRecordIsNamedAndNotShown() throws {
    let environment = try open()
    let table = environment.database("table")
    try environment.write { transaction in
      try transaction.put(table, [1], [1])
      try transaction.put(table, [2], [2, 3])
    }
    disk.damage("table", [2], at: 1)
    #expect(throws: StorageError.corrupt(database: "table")) {
      try environment.read { try $0.bytes(table, [2]) }
    }
    #expect(throws: StorageError.corrupt(database: "table")) { try keys(environment) }
    #expect(try environment.read { try $0.bytes(table, [1]) } == [1])
    let found = try environment.verify()
    #expect(found.damages.map(\.table) == ["table"])
  }

  @Test func whatIsMissingIsNotMadeForReadingOnly() throws {
    #expect(throws: StorageError.missing(path: "a disk")) { try open { $0.readOnly = true } }
    try open().close()
    #expect(throws: StorageError.databaseMissing(name: "third")) {
      try open {
        $0.readOnly = true
        $0.databases.append("third")
      }
    }
    #expect(throws: StorageError.databaseUnknown(missing: "third")) {
      try open { $0.databases = ["third"] }
    }
    let reader = try open { $0.readOnly = true }
    #expect(throws: StorageError.readOnly) { try reader.write { _ in } }
  }

  @Test func theQuotaIsMetByWhatIsHeldAndDeletingMakesRoom() throws {
    let environment = try open { $0.quotaByteCount = QuotaTests.quota }
    let table = environment.database("table")
    let value = [UInt8](repeating: 1, count: 20_000)
    func fill(_ environment: Environment) throws -> Int {
      for number in 0..<10_000 {
        do {
          try environment.write { try $0.put(table, QuotaTests.key(number), value) }
        } catch StorageError.quotaExceeded(QuotaTests.quota) {
          return number
        }
      }
      return 10_000
    }
    let count = try fill(environment)
    #expect((90...104).contains(count))
    #expect(try environment.statistics().isNearQuota)
    try environment.write { _ = try $0.deleteAll(table, in: .upTo(QuotaTests.key(50).bytes)) }
    #expect(try environment.statistics().isNearQuota == false)
    #expect((50...count).contains(try fill(environment)))
  }
}
