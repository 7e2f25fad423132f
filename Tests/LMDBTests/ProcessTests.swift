import LMDB
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Several processes at one store.
@Suite struct ProcessTests {
  /// Adds one to a counter that many times, each in its own transaction.
  static func count(_ environment: Environment, _ times: Int) throws {
    let table = environment.database("table")
    for _ in 0..<times {
      try environment.write { tx in
        var number = UInt32(0)
        if let view = try tx.get(table, [0]) {
          number = view.unsafeLoadUnaligned(as: UInt32.self)
        }
        try tx.put(table, [0], withUnsafeBytes(of: number + 1) { Array($0) })
      }
    }
  }

  @Test func writersOfSeveralProcessesLoseNothing() async throws {
    let fixture = try Fixture()
    async let one: Void = Self.run(fixture.path)
    async let two: Void = Self.run(fixture.path)
    try Self.count(fixture.environment, 60)
    _ = await (one, two)
    let bytes = try #require(try fixture.records().first?.value)
    #expect(bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) } == 180)
  }

  private static func run(_ path: String) async {
    await #expect(processExitsWith: .success) { [path = path as String] in
      try ProcessTests.count(Environment.open(at: path, Fixture.options), 60)
    }
  }

  @Test func processesThatMakeAStoreAtOnceMakeOne() async throws {
    let folder = try TemporaryFolder("lmdb")
    let path = folder.path + "/store"
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 { group.addTask { await Self.run(path) } }
    }
    let environment = try Environment.open(at: path, Fixture.options)
    try Self.count(environment, 1)
    let bytes = try environment.read { try $0.bytes(environment.database("table"), [0]) }
    #expect(bytes?.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) } == 241)
  }

  /// While a commit waits for the device, its meta page is in the file, and readers see the state before.
  @Test func aStoreIsOpenedWhileACommitOfAnotherProcessIsSynced() async throws {
    let fixture = try Fixture()
    try fixture.environment.write { try $0.put(fixture.table, [1], [1]) }
    let number = try fixture.environment.lastTransaction()
    let pageByteCount = try fixture.environment.statistics().pageByteCount
    let (newest, other) = (Int(number % 2), 1 - Int(number % 2))
    var meta = Array(try fixture.data()[newest * pageByteCount..<newest * pageByteCount + 152])
    meta[0] = UInt8(other)
    withUnsafeBytes(of: (number + 1).littleEndian) { meta.replaceSubrange(144..<152, with: $0) }
    for (offset, byte) in meta.enumerated() {
      fixture.overwriteData(at: other * pageByteCount + offset, byte)
    }
    await #expect(processExitsWith: .success) { [path = fixture.path as String] in
      let environment = try Environment.open(at: path, Fixture.options)
      let value = try environment.read { try $0.bytes(environment.database("table"), [1]) }
      #expect(value == [1])
    }
  }

  @Test func aMapThatAnotherProcessOutgrewIsNamed() async throws {
    let map = 1 << 20
    let fixture = try Fixture { $0.mapByteCount = map }
    await #expect(processExitsWith: .success) { [path = fixture.path as String] in
      let environment = try Environment.open(at: path, Fixture.options)
      let value = [UInt8](repeating: 1, count: 3 << 20)
      try environment.write { try $0.put(environment.database("table"), [1], value) }
    }
    #expect(throws: StorageError.mapOutgrown(limit: map)) {
      try fixture.environment.read { _ in }
    }
    #expect(throws: StorageError.mapOutgrown(limit: map)) {
      try fixture.environment.write { _ in }
    }
    fixture.environment.close()
    // Opened anew, the map takes at least what the file has.
    let again = try Environment.open(at: fixture.path, Fixture.options)
    #expect(try again.read { try $0.bytes(again.database("table"), [1])?.count } == 3 << 20)
  }

  @Test func aWriterThatIsKilledLeavesTheStateBefore() async throws {
    let fixture = try Fixture()
    try fixture.environment.write { try $0.put(fixture.table, [1], [1]) }
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = fixture.path as String] in
      let environment = try Environment.open(at: path, Fixture.options)
      try environment.write { tx in
        try tx.put(environment.database("table"), [2], [2])
        kill(getpid(), SIGKILL)
      }
    }
    // Its place as the writer is free again.
    try fixture.environment.write { try $0.put(fixture.table, [3], [3]) }
    #expect(try fixture.records().map(\.key) == [[1], [3]])
  }

  /// A reader that was killed would keep the pages of its state for ever.
  @Test func placesOfKilledReadersAreFreedAtOpen() async throws {
    let fixture = try Fixture { $0.readerCountMax = 4 }
    let max = try fixture.environment.statistics().readerCountMax
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = fixture.path as String, max = max as Int] in
      let environment = try Environment.open(at: path, Fixture.options)
      func nest() throws {
        try environment.read { _ in
          do {
            try nest()
          } catch StorageError.readersFull(max) {
            kill(getpid(), SIGKILL)
          }
        }
      }
      try nest()
    }
    // All places but the one that this process keeps are a dead process's; they are looked through
    // when they are needed, and at open.
    try fixture.environment.read { _ in try fixture.environment.read { _ in } }
    let value = [UInt8](repeating: 1, count: 50_000)
    let before = try fixture.environment.statistics().fileByteCount
    for _ in 0..<50 { try fixture.environment.write { try $0.put(fixture.table, [1], value) } }
    #expect(try fixture.environment.statistics().fileByteCount < before + 10 * value.count)
  }
}
