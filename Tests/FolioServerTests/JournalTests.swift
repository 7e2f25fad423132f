import FolioDomain
import FolioSystem
import FolioTransport
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

  /// How many entries are in their table, while the storage is open.
  private func movedEntryCount() throws -> Int {
    let file = try Environment.verify(file: folder.path + "/" + ServerFolder.dataFile)
    #expect(file.isSound)
    return file.tables.first { $0.name == Space.entries.name }?.recordCount ?? 0
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

  @Test func aServerThatEndsLeavesNothingInTheJournal() throws {
    let storage = try open()
    let server = try ServerFixture(storage)
    try server.createAccount()
    try server.push(transaction(1, sequence: 1))
    let service = try ServerService(
      storage: storage, clock: server.clock, random: server.random)
    let loop = try ServerLoop(hub: ServerHub(service: service, log: RecordedLog()))
    let connection = try loop.servePair()
    connection.finishSending()
    try loop.run()
    storage.close()
    #expect(try counts() == (1, 0))
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

  @Test func theOlderHalfOfAJournalIsMovedAFewRowsAtATime() throws {
    let storage = try open(20_000)
    let memory = MemoryServerStorage()
    let (server, model) = (try ServerFixture(storage), try ServerFixture(memory))
    for account in ["ann", "bob"] {
      try server.createAccount(account)
      try model.createAccount(account)
    }
    var moved: [Int] = []
    for n in 1...400 as ClosedRange<UInt128> {
      let pushed = transaction(n, device: n % 7, sequence: UInt64((n - 1) / 14 + 1))
      try server.push(pushed, to: n % 2 == 0 ? "ann" : "bob")
      try model.push(pushed, to: n % 2 == 0 ? "ann" : "bob")
      if n % 40 == 0 { #expect(try storage.read(AllRows()) == memory.read(AllRows())) }
      moved.append(try movedEntryCount())
    }
    // A push takes less than a twentieth of the journal, and moves no more than twice its share.
    let steps = zip(moved, moved.dropFirst()).map { $1 - $0 }
    #expect(moved[399] > 300 && steps.allSatisfy { (0...10).contains($0) }, "\(steps)")
    storage.close()
    let counts = try counts()
    #expect(counts.entries == moved[399] && counts.records < 70)
    let again = try open()
    #expect(try again.read(AllRows()) == memory.read(AllRows()))
    #expect(try again.read(VerifyStorage()).isSound)
    again.close()
  }

  @Test func aPushThatIsLongerThanTheJournalMovesAllOfIt() throws {
    let storage = try open(3_000)
    let server = try ServerFixture(storage)
    try server.createAccount()
    try server.push(transaction(1, sequence: 1))
    let body = "{\"operations\":[],\"text\":\"\(String(repeating: "x", count: 3_000))\"}"
    try server.push(transaction(2, sequence: 2, body: body))
    #expect(try server.entries().map(\.seq) == [1, 2])
    storage.close()
    #expect(try counts() == (2, 0))
  }

  /// Another process may have moved newer rows: what was put before it might be older.
  @Test func aMoveBeginsAgainWhereAnybodyElseHasCommitted() throws {
    var rows = GroupedRows()
    for key in UInt8(0)..<10 { rows.put([key], [key]) }
    var move = JournalMove([rows, GroupedRows()], last: 1, byteCount: 0)
    func keys(_ share: Double, in number: UInt64) -> [UInt8] {
      move.take(share, in: number).flatMap { $0.rows.keys.map { $0[0] } }
    }
    #expect(keys(0.3, in: 7) == [0, 1, 2])
    #expect(keys(0.3, in: 8) == [3, 4, 5])
    #expect(keys(0.3, in: 10) == [0, 1, 2])
    #expect(keys(0.7, in: 11) == [3, 4, 5, 6, 7, 8, 9])
    #expect(!move.isDone)
    #expect(keys(0.1, in: 13) == [0])
    #expect(keys(1, in: 14).count == 9)
    #expect(move.isDone)
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
