import LMDB
import TestSupport
import Testing

/// An environment in memory against one in a folder: the same random operations, equal results and
/// equal errors.
@Suite struct MemoryModelTests {
  @Test(arguments: 0..<6)
  func bothKindsAnswerAlike(run: Int) throws {
    var random = SeededRandom("bothKindsAnswerAlike(\(run))")
    let pair = try EnginePair()
    for step in 0..<250 {
      // A copy of the generator for each, so that both draw the same numbers.
      var (first, second) = (random, random)
      let folder = pair.folder.step(&first)
      let memory = pair.memory.step(&second)
      #expect(first.int(0...Int.max) == second.int(0...Int.max), "seed \(random.seed), \(step)")
      try #require(memory == folder, "seed \(random.seed), step \(step)")
      random = first
    }
    #expect(try pair.memory.dump() == pair.folder.dump(), "seed \(random.seed)")
    #expect(try pair.memory.verify() == pair.folder.verify(), "seed \(random.seed)")
  }
}

/// The same environment twice, once of each kind.
private struct EnginePair {
  let home: TemporaryFolder
  let folder: EngineSubject
  let memory: EngineSubject

  init() throws {
    home = try TemporaryFolder("lmdb")
    let path = home.path + "/store"
    folder = try EngineSubject { try Environment.open(at: path, $0) }
    let disk = MemoryDisk()
    memory = try EngineSubject { try Environment.inMemory(on: disk, $0) }
  }
}

/// An environment under test, and what it says, as lines of text.
private final class EngineSubject {
  private let open: (Environment.Options) throws -> Environment
  private let faults = Faults()
  private var environment: Environment
  private var lines: [String] = []

  init(open: @escaping (Environment.Options) throws -> Environment) throws {
    self.open = open
    environment = try open(Self.options(faults))
  }

  private static func options(_ faults: Faults) -> Environment.Options {
    var options = Fixture.options
    options.faults = faults
    options.readerCountMax = 3
    options.quotaByteCount = 32 << 20
    return options
  }

  /// Does something, and tells all that came of it.
  func step(_ random: inout SeededRandom) -> [String] {
    lines = []
    if random.one(in: 6) {
      let step = random.pick([StorageStep.begin, .put, .delete, .commit, .acknowledge, .read])
      faults.fail(step, after: random.int(0...2))
    }
    switch random.int(0...11) {
    case 0...6: tell("write") { try self.write(&random) }
    case 7...9: tell("read") { try self.environment.read { try self.look($0, &random, depth: 0) } }
    case 10: tell("reopen") { try self.reopen() }
    default: tell("statistics") { try self.note("\(self.environment.statistics().transaction)") }
    }
    return lines
  }

  private func note(_ line: String) { lines.append(line) }

  private func tell(_ what: String, _ body: () throws -> Void) {
    do {
      try body()
      note("\(what): done")
    } catch {
      note("\(what): \(error)")
      if case StorageError.reopenNeeded = error { tell("reopen") { try reopen() } }
    }
  }

  /// Tells an error of one operation, after which the transaction goes on.
  private func attempt(_ body: () throws -> String) {
    do { note(try body()) } catch { note("\(error)") }
  }

  private func reopen() throws {
    environment.close()
    environment = try open(Self.options(faults))
  }

  // MARK: Changes

  private struct Change {
    enum Kind { case put, append, delete, deleteAll, look, cancel, throwing, nested, nestedRead }
    var kind: Kind
    var table: Database
    var key: [UInt8]
    var value: [UInt8]
    var range: KeyRange
  }

  private struct Thrown: Error {}

  private func write(_ random: inout SeededRandom) throws {
    let changes = (0..<random.int(0...8)).map { _ in change(&random) }
    let seed = random.next()
    try environment.write { transaction in
      for change in changes { try self.apply(change, &transaction, seed) }
    }
  }

  private func apply(_ change: Change, _ transaction: inout WriteTransaction, _ seed: UInt64)
    throws
  {
    var result: String
    do {
      switch change.kind {
      case .put:
        try transaction.put(change.table, change.key, change.value)
        result = "put"
      case .append:
        var key = KeyBuilder()
        key.append(fixed: change.key)
        try transaction.append(change.table, key, change.value)
        result = "append"
      case .delete: result = "delete \(try transaction.delete(change.table, change.key))"
      case .deleteAll:
        result = "delete \(try transaction.deleteAll(change.table, in: change.range))"
      case .look:
        var random = SeededRandom(seed: seed)
        try look(transaction.reading, &random, depth: 1)
        result = "looked"
      case .cancel:
        transaction.cancel()
        result = "cancel"
      case .throwing: throw Thrown()
      case .nested:
        try environment.write { _ in }
        result = "nested"
      case .nestedRead:
        // It sees the last commit, and nothing of this write.
        var random = SeededRandom(seed: seed)
        try environment.read { try look($0, &random, depth: 1) }
        result = "nested read"
      }
    } catch let error as StorageError {
      result = "\(error)"
    }
    note(result)
  }

  private func change(_ random: inout SeededRandom) -> Change {
    let kinds: [Change.Kind] = [
      .put, .put, .put, .put, .append, .append, .delete, .delete, .deleteAll, .look, .nestedRead,
      .nested, .cancel, .throwing,
    ]
    var kind = random.pick(kinds)
    // What ends a write early happens now and then.
    if kind == .cancel || kind == .throwing, !random.one(in: 3) { kind = .put }
    return Change(
      kind: kind, table: table(&random), key: key(&random), value: value(&random),
      range: range(&random))
  }

  // MARK: Looks

  private func look(_ reader: borrowing ReadTransaction, _ random: inout SeededRandom, depth: Int)
    throws
  {
    for _ in 0..<random.int(1...4) {
      let (table, key, range) = (table(&random), key(&random), range(&random))
      let order = random.pick([ScanOrder.ascending, .descending])
      let limit = random.one(in: 2) ? random.int(0...5) : nil
      switch random.int(0...5) {
      case 0: try note("\(String(describing: reader.bytes(table, key)))")
      case 1: try note("\(reader.count(table, in: range))")
      case 2:
        let (first, last) = (try reader.first(table, in: range), try reader.last(table, in: range))
        note("\(String(describing: first)) \(String(describing: last))")
      case 3: try note("\(reader.contains(table, key))")
      case 4 where depth < 4:
        // Places of readers run out at some depth.
        attempt {
          var inner = SeededRandom(seed: 5)
          try environment.read { try look($0, &inner, depth: depth + 1) }
          return "inner"
        }
      default: try scan(reader, table, range, order, limit, stopsAfter: random.int(1...20))
      }
    }
  }

  private func scan(
    _ reader: borrowing ReadTransaction, _ table: Database, _ range: KeyRange, _ order: ScanOrder,
    _ limit: Int?, stopsAfter: Int
  ) throws {
    var left = stopsAfter
    try reader.scan(table, range, order, limit: limit) { key, value in
      note("\(key.copied): \(value.copied)")
      left -= 1
      return left == 0 ? .stop : .next
    }
  }

  // MARK: What is drawn

  private func table(_ random: inout SeededRandom) -> Database {
    environment.database(random.pick(Fixture.names))
  }

  /// A key from few enough that they meet; sometimes one that cannot be.
  private func key(_ random: inout SeededRandom) -> [UInt8] {
    if random.one(in: 30) { return [] }
    if random.one(in: 30) { return [UInt8](repeating: 7, count: random.int(510...513)) }
    return (0..<random.int(1...4)).map { _ in random.pick([0, 1, 2, 254, 255]) }
  }

  private func value(_ random: inout SeededRandom) -> [UInt8] {
    let count = random.one(in: 8) ? random.int(1_000...9_000) : random.int(0...30)
    return [UInt8](repeating: UInt8(random.int(0...255)), count: count)
  }

  private func range(_ random: inout SeededRandom) -> KeyRange {
    let (a, b) = (key(&random), key(&random))
    return switch random.int(0...6) {
    case 0: .all
    case 1: .prefix(a)
    case 2: .from(a)
    case 3: .upTo(a)
    case 4: KeyRange.prefix([a.first ?? 1]).resuming(after: [a.first ?? 1])
    case 5: KeyRange.from(a).resuming(before: b)
    default: .from(a, upTo: b)
    }
  }

  // MARK: The whole

  func dump() throws -> [[Entry]] {
    // A fault of the last steps may still be waiting for its turn.
    faults.clear()
    try reopen()
    return try environment.read { reader in
      try Fixture.names.map { try reader.entries(environment.database($0), .all) }
    }
  }

  func verify() throws -> [Verification.Table] {
    let found = try environment.verify()
    #expect(found.isSound)
    return found.tables
  }
}
