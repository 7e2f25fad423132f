import FolioDomain
import FolioSystem
import FolioWire
import LMDB
import TestSupport
import Testing

@testable import FolioServer

/// What was pushed stands in the journal until it is moved to its tables, and is there all the while.
struct JournalTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder("server-journal") }

  private func open(_ limit: Int? = nil) throws -> LMDBServerStorage {
    var options = LMDBServerStorage.Options()
    if let limit { options.journalByteCount = limit }
    return try LMDBServerStorage(at: folder.path, options)
  }

  /// How many records the file itself has in the tables of entries and of the journal.
  private func counts() throws -> (entries: Int, records: Int) {
    let environment = try Environment.open(
      at: folder.path, Environment.Options(databases: [Space.entries.name, Journal.database]))
    defer { environment.close() }
    return try environment.read { transaction in
      (
        try transaction.count(transaction.database(Space.entries.name)),
        try transaction.count(
          transaction.database(Journal.database), in: .prefix(Journal.prefix))
      )
    }
  }

  @Test func aPushIsARecordUntilItIsMoved() throws {
    var storage = try open()
    let server = try ServerFixture(storage)
    try server.createAccount()
    try server.push(transaction(1, sequence: 1))
    try server.push(transaction(2, sequence: 2), transaction(3, sequence: 3))
    let rows = try storage.read(AllRows())
    storage.close()
    #expect(try counts() == (0, 2))
    // Read from the file alone.
    storage = try open()
    #expect(try storage.read(AllRows()) == rows)
    #expect(try storage.read(VerifyStorage()).isSound)
    try storage.tidy()
    #expect(try storage.read(AllRows()) == rows)
    storage.close()
    #expect(try counts() == (3, 0))
    storage = try open()
    #expect(try storage.read(AllRows()) == rows)
    storage.close()
  }

  @Test func aDamagedRecordIsNamedAndNothingIsWrittenOnIt() throws {
    var storage = try open()
    let server = try ServerFixture(storage)
    try server.createAccount()
    try server.push(transaction(1, sequence: 1))
    storage.close()
    let file = folder.path + "/data.mdb"
    var bytes = try Files.read(file)
    let head: [UInt8] = [9, 0] + Journal.key(1).bytes
    var places = bytes.indices.dropLast(100).filter {
      bytes[$0..<$0 + head.count].elementsEqual(head)
    }
    places = places.map { $0 + head.count + 20 }
    #expect(!places.isEmpty)
    for place in places { bytes[place] ^= 1 }
    try Files.write(bytes, to: file)

    storage = try open()
    let error = ServerStorageError.damaged(space: .meta, what: Journal.damage)
    #expect(throws: error) { try storage.read(AllRows()) }
    #expect(throws: error) { try storage.write(SetAccountDisabled("ann", true)) }
    storage.close()
    #expect(try Files.read(file) == bytes)
    #expect(try !ServerFolder.verify(at: folder.path).isSound)
  }

  @Test func aFullJournalIsMovedByThePushThatFillsIt() throws {
    let storage = try open(3_000)
    let server = try ServerFixture(storage)
    try server.createAccount()
    for n in 1...40 {
      #expect(
        try server.push(transaction(UInt128(n), sequence: UInt64(n))).head.seq == UInt64(n))
    }
    #expect(try server.entries().map(\.seq) == Array(1...40))
    storage.close()
    let counts = try counts()
    #expect(counts.entries > 20 && counts.records < 10 && counts.entries + counts.records == 40)
  }

  @Test func anyOtherChangeMovesTheJournalFirst() throws {
    let storage = try open()
    let server = try ServerFixture(storage)
    try server.createAccount()
    try server.push(transaction(1, sequence: 1))
    let head = try server.account().head
    _ = try storage.write(SetAccountDisabled("ann", true))
    _ = try storage.write(SetAccountDisabled("ann", false))
    #expect(try server.account().head == head)
    try server.push(transaction(2, sequence: 2))
    storage.close()
    #expect(try counts() == (1, 1))
  }

  @Test func aRefusedPushLeavesNoRecord() throws {
    let storage = try open()
    let server = try ServerFixture(storage)
    try server.createAccount()
    #expect(try server.push(transaction(5, sequence: 5)).results == [.gap])
    #expect(throws: LogError.unknownAccount) {
      try server.push(transaction(1, sequence: 1), to: "nobody")
    }
    storage.close()
    #expect(try counts() == (0, 0))
  }

  /// Both orders, ranges that begin and end anywhere, and stops anywhere.
  @Test func scansSeeBothAsOne() throws {
    let storage = try open()
    let memory = MemoryServerStorage()
    let servers: [(any ServerStorage, (UInt128) throws -> Void)] = try [
      (storage, pusher(ServerFixture(storage))), (memory, pusher(ServerFixture(memory))),
    ]
    var random = SeededRandom("scansSeeBothAsOne")
    for n in 1...60 as ClosedRange<UInt128> {
      for (storage, push) in servers {
        try push(n)
        if n % 25 == 0 { try storage.tidy() }
      }
    }
    #expect(try memory.read(AccountList()).map(\.account.head.seq) == [30, 30])
    let keys = try memory.read(AllRows()).map { ($0[0][0], $0[1]) }
    for _ in 0..<400 {
      let (space, from) = keys[random.int(0...keys.count - 1)]
      let query = SomeRows(
        space: try #require(Space(rawValue: Int(space))),
        range: RowRange(
          from: random.one(in: 4) ? [] : from,
          upTo: random.one(in: 3) ? nil : keys[random.int(0...keys.count - 1)].1),
        order: random.one(in: 2) ? .ascending : .descending,
        limit: random.int(1...30))
      #expect(try storage.read(query) == memory.read(query), "seed \(random.seed)")
    }
  }

  private func pusher<Storage>(_ server: ServerFixture<Storage>) throws -> (UInt128) throws -> Void
  {
    for account in ["ann", "bob"] { try server.createAccount(account) }
    return { n in
      try server.push(
        transaction(n, device: n % 3, sequence: UInt64((n - 1) / 6 + 1)),
        to: n % 2 == 0 ? "ann" : "bob"
      )
    }
  }

  @Test func aFolderOfVersion1IsReadAndBecomesOneOfVersion2() throws {
    try makeVersion1()
    var options = LMDBServerStorage.Options()
    options.readOnly = true
    var storage = try LMDBServerStorage(at: folder.path, options)
    #expect(try storage.read(CheckFormat()))
    storage.close()
    storage = try open()
    let server = try ServerFixture(storage)
    try server.createAccount()
    #expect(try format(storage) == 1)
    try server.push(transaction(1, sequence: 1))
    #expect(try format(storage) == 2)
    #expect(try storage.read(VerifyStorage()).isSound)
    storage.close()
  }

  private func format(_ storage: LMDBServerStorage) throws -> UInt8? {
    try storage.read(AllRows()).first { $0[1] == ServerFormat.key }?[2][3]
  }

  /// A folder as a program that knew no journal has made it.
  private func makeVersion1() throws {
    let memory = MemoryServerStorage()
    _ = try ServerFixture(memory)
    let environment = try Environment.open(
      at: folder.path, Environment.Options(databases: Space.allCases.map(\.name)))
    defer { environment.close() }
    let rows = try memory.read(AllRows())
    try environment.write { transaction in
      for row in rows {
        let space = try #require(Space(rawValue: Int(row[0][0])))
        var value = row[2]
        if row[1] == ServerFormat.key { value[3] = 1 }
        try transaction.put(transaction.database(space.name), row[1], value)
      }
    }
  }
}
