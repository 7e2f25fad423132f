import LMDB
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite struct TransactionStateTests {
  @Test func aWriteInsideAWriteIsRefused() throws {
    let fixture = try Fixture()
    try fixture.environment.write { tx in
      try tx.put(fixture.table, [1], [1])
      #expect(throws: StorageError.nestedWrite) { try fixture.environment.write { _ in } }
      #expect(throws: StorageError.nestedWrite) {
        try fixture.environment.copy(to: fixture.beside("copy"))
      }
    }
    // The outer one was not harmed.
    #expect(try fixture.records().count == 1)
  }

  @Test func writesOfTwoEnvironmentsCanBeNested() throws {
    let one = try Fixture()
    let two = try Fixture()
    try one.environment.write { a in
      try two.environment.write { b in
        try a.put(one.table, [1], [1])
        try b.put(two.table, [2], [2])
      }
    }
    #expect(try one.records().count == 1)
    #expect(try two.records().count == 1)
  }

  @Test func writersOfManyThreadsTakeTurns() async throws {
    let fixture = try Fixture()
    let environment = fixture.environment
    let table = fixture.table
    await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<50 {
            try environment.write { tx in
              let before = try tx.bytes(table, [0])?.first ?? 0
              try tx.put(table, [0], [before + 1])
            }
          }
        }
      }
    }
    #expect(try fixture.records() == [Entry(key: [0], value: [200])])
  }

  @Test func whatIsOpenForReadingRefusesToWrite() throws {
    let fixture = try Fixture()
    try fixture.environment.write { try $0.put(fixture.table, [1], [1]) }
    fixture.environment.close()
    var options = Fixture.options
    options.readOnly = true
    let environment = try Environment.open(at: fixture.path, options)
    #expect(throws: StorageError.readOnly) { try environment.write { _ in } }
    #expect(try environment.read { try $0.count(environment.database("table")) } == 1)
  }

  @Test func whatIsClosedRefusesAllUse() throws {
    let fixture = try Fixture()
    fixture.environment.close()
    fixture.environment.close()
    #expect(throws: StorageError.closed) { try fixture.environment.read { _ in } }
    #expect(throws: StorageError.closed) { try fixture.environment.write { _ in } }
    #expect(throws: StorageError.closed) {
      try fixture.environment.copy(to: fixture.beside("copy"))
    }
    #expect(throws: StorageError.closed) { try fixture.environment.statistics() }
  }

  @Test func closingInsideATransactionWaitsForItsEnd() throws {
    let fixture = try Fixture()
    try fixture.environment.write { tx in
      fixture.environment.close()
      try tx.put(fixture.table, [1], [1])
      #expect(throws: StorageError.alreadyOpen(path: fixture.path)) {
        try Environment.open(at: fixture.path, Fixture.options)
      }
    }
    let again = try Environment.open(at: fixture.path, Fixture.options)
    #expect(try again.read { try $0.count(again.database("table")) } == 1)
  }

  @Test func tooManyReadersAreRefusedByNameAndServedLater() throws {
    let fixture = try Fixture { $0.readerCountMax = 3 }
    let environment = fixture.environment
    // The engine rounds the table up to what fits its file.
    let max = try environment.statistics().readerCountMax
    var deepest = 0
    func nest(_ depth: Int) throws {
      try environment.read { _ in
        deepest = depth
        try nest(depth + 1)
      }
    }
    #expect(throws: StorageError.readersFull(max: max)) { try nest(1) }
    #expect(deepest == max)
    try environment.read { _ in }
  }

  /// A read that has ended keeps its place to be begun again, and sees the last commit then.
  @Test func aReadThatIsBegunAgainSeesWhatWasCommittedSince() throws {
    let fixture = try Fixture()
    let environment = fixture.environment
    for number in UInt8(1)...50 {
      try environment.write { try $0.put(fixture.table, [1], [number]) }
      let seen = try environment.read { outer in
        let inner = try environment.read { try $0.bytes(fixture.table, [1]) }
        return [try outer.bytes(fixture.table, [1]), inner]
      }
      #expect(seen == [[number], [number]])
    }
  }

  /// Those that wait to be begun again hold no page back.
  @Test func endedReadsLetPagesBeUsedAgain() throws {
    let fixture = try Fixture()
    let environment = fixture.environment
    let value = [UInt8](repeating: 1, count: 50_000)
    try environment.write { try $0.put(fixture.table, [1], value) }
    try environment.read { _ in try environment.read { _ in } }
    let before = try environment.statistics().fileByteCount
    for _ in 0..<50 { try environment.write { try $0.put(fixture.table, [1], value) } }
    #expect(try environment.statistics().fileByteCount < before + 10 * value.count)
  }

  @Test func closingGivesUpThePlacesOfEndedReads() throws {
    let fixture = try Fixture()
    try fixture.environment.read { _ in }
    fixture.environment.close()
    #expect(throws: StorageError.closed) { try fixture.environment.read { _ in } }
    let again = try Environment.open(at: fixture.path, Fixture.options)
    try again.read { _ in }
  }

  @Test func aTableOfAnotherEnvironmentTraps() async throws {
    await #expect(processExitsWith: .failure) {
      let one = try Fixture()
      let two = try Fixture()
      _ = try one.environment.read { try $0.count(two.table) }
    }
  }

  @Test func aTableThatWasNotNamedTraps() async throws {
    await #expect(processExitsWith: .failure) {
      _ = try Fixture().environment.database("unknown")
    }
  }
}
