import FolioDomain
import FolioSystem
import FolioWire
import LMDB
import Synchronization
import TestSupport
import Testing

@testable import FolioServer

/// The folder on disk: made, opened, refused, backed up and restored.
struct FolderTests {
  private let scratch: TestSupport.TemporaryFolder
  private let random = SeededSource(seed: 3)
  private let now = Timestamp(milliseconds: 1_772_348_400_000)

  init() throws { scratch = try TestSupport.TemporaryFolder("server-folder") }

  private func path(_ name: String) -> String { scratch.path + "/" + name }

  private func server(_ folder: ServerFolder) throws -> ServerFixture<LMDBServerStorage> {
    try ServerFixture(folder.storage)
  }

  @Test func isMadeOnceAndOpenedAfterwards() throws {
    #expect(throws: FolderError.missing(path("a"))) { try ServerFolder.open(at: path("a")) }
    #expect(try Files.kind(of: path("a")) == nil)
    let made = try ServerFolder.make(at: path("a"), base: "EUR", random: random, now: now)
    #expect(try made.storage.read(MarketFacts()).market.base == "EUR")
    made.storage.close()
    #expect(throws: FolderError.notEmpty(path("a"))) {
      try ServerFolder.make(at: path("a"), random: random, now: now)
    }
    let opened = try ServerFolder.openOrMake(at: path("a"), random: random, now: now)
    #expect(try opened.storage.read(MarketFacts()).market.base == "EUR")
  }

  /// Found by killing a process that makes a folder, call by call.
  @Test(arguments: [["folio.lock"], ["folio.lock", "data.mdb.new"], ["folio.lock", "lock.mdb"]])
  func aMakingThatWasCutOffIsDoneAgain(left: [String]) throws {
    try scratch.makeFolder("a")
    for name in left { try scratch.write([1, 2, 3], to: "a/" + name) }
    let made = try ServerFolder.make(at: path("a"), random: random, now: now)
    #expect(try made.verify().isSound)
    made.storage.close()
    try scratch.makeFolder("b")
    for name in left { try scratch.write([], to: "b/" + name) }
    let opened = try ServerFolder.openOrMake(at: path("b"), random: random, now: now)
    #expect(try opened.verify().isSound)
    opened.storage.close()
  }

  @Test func aDataFileWithoutTablesIsAMakingThatWasCutOff() throws {
    try Environment.open(at: path("a"), Environment.Options()).close()
    let made = try ServerFolder.make(at: path("a"), base: "EUR", random: random, now: now)
    #expect(try made.storage.read(MarketFacts()).market.base == "EUR")
    made.storage.close()
    #expect(throws: FolderError.notEmpty(path("a"))) {
      try ServerFolder.make(at: path("a"), random: random, now: now)
    }
  }

  /// A backup that was cut off can be made again in the same folder.
  @Test func aBackupThatWasCutOffIsMadeAgain() throws {
    let folder = try ServerFolder.make(at: path("a"), random: random, now: now)
    try scratch.makeFolder("b")
    try scratch.write([1, 2, 3], to: "b/data.mdb.partial")
    _ = try folder.backUp(to: path("b"), now: now)
    #expect(try ServerFolder.open(at: path("b")).verify().isSound)
  }

  @Test(arguments: ["usd", "US", "USDT", "U D", "", "ÄÄÄ"])
  func aBaseIsThreeCapitalLetters(base: String) throws {
    #expect(throws: FolderError.baseCurrency(base)) {
      try ServerFolder.make(at: path("a"), base: base, random: random, now: now)
    }
    #expect(try Files.kind(of: path("a")) == nil)
  }

  @Test func restartKeepsEverything() throws {
    var folder = try ServerFolder.make(at: path("a"), random: random, now: now)
    let account = try server(folder).createAccount()
    let receipt = try server(folder).push(transaction(1, sequence: 1), transaction(2, sequence: 2))
    let before = try folder.storage.read(AllRows())
    folder.storage.close()
    folder = try ServerFolder.open(at: path("a"))
    #expect(try folder.storage.read(AllRows()) == before)
    let again = try server(folder)
    #expect(try again.account().id == account.id)
    #expect(try again.account().head == receipt.head)
    #expect(try again.push(transaction(3, sequence: 3)).head.seq == 3)
    #expect(try folder.storage.read(VerifyStorage()).isSound)
  }

  @Test func aNewerFormatIsRefusedUnharmed() throws {
    let folder = try ServerFolder.make(at: path("a"), random: random, now: now)
    try folder.storage.write(PutRow(.meta, ServerFormat.key) { row in row[3] = 9 })
    let before = try folder.storage.read(AllRows())
    folder.storage.close()
    let refusal = FolderError.newerFormat(path("a"), found: 9, supported: 2)
    #expect(throws: refusal) { try ServerFolder.open(at: path("a")) }
    #expect(throws: refusal) {
      try ServerFolder.openOrMake(at: path("a"), random: random, now: now)
    }
    let storage = try LMDBServerStorage(at: path("a"))
    #expect(try storage.read(AllRows()) == before)
  }

  @Test func foreignDataIsRefusedUnharmed() throws {
    let foreign = try Environment.open(
      at: path("a"), Environment.Options(databases: ["meta/format", "domain.portfolio/assets"]))
    try foreign.write { try $0.put($0.database("meta/format"), Array("store".utf8), [1]) }
    foreign.close()
    let bytes = try Files.read(path("a/data.mdb"))
    #expect(throws: FolderError.foreign(path("a"))) {
      try ServerFolder.openOrMake(at: path("a"), random: random, now: now)
    }
    #expect(try Files.read(path("a/data.mdb")) == bytes)
    try scratch.makeFolder("b")
    try scratch.write([1], to: "b/notes.txt")
    #expect(throws: FolderError.notEmpty(path("b"))) {
      try ServerFolder.openOrMake(at: path("b"), random: random, now: now)
    }
    #expect(try Files.entries(of: path("b")) == ["notes.txt"])
  }

  @Test func aBackupMovesTheStableMark() throws {
    let folder = try ServerFolder.make(at: path("a"), random: random, now: now)
    let server = try server(folder)
    try server.createAccount()
    try server.push(transaction(1, sequence: 1), transaction(2, sequence: 2))
    #expect(try server.account().stable == 0)
    #expect(
      try folder.backUp(to: path("backup"), now: now) == [BackedUpLog(account: "ann", seq: 2)])
    #expect(try server.account().stable == 2)
    try server.push(transaction(3, sequence: 3))
    #expect(try server.account().stable == 2)
    #expect(throws: FolderError.notEmpty(path("backup"))) {
      try folder.backUp(to: path("backup"), now: now)
    }
    #expect(try folder.storage.read(ServerFacts()).backedUpAt == now)
  }

  /// Devices push while it is backed up: the copy is one state, with all that was acknowledged before.
  @Test func F65_aBackupMadeWhileDevicesPushIsOneState() throws {
    let folder = try ServerFolder.make(at: path("a"), random: random, now: now)
    let server = try server(folder)
    for name in ["ann", "bob"] { try server.createAccount(name) }
    let acknowledged = Mutex(UInt64(0))
    let isOver = Mutex(false)
    let writer = SystemThread { [now] in
      var sequence: UInt64 = 0
      while !isOver.withLock({ $0 }) {
        sequence += 1
        // Two logs grow in one commit: a copy between them would show it.
        let submissions = ["ann", "bob"].map { name in
          LogSubmission(
            account: name, device: DeviceID(1),
            action: .push([transaction(UInt128(sequence), sequence: sequence)]))
        }
        let results = try? folder.storage.write(SubmitToLogs(submissions, now: now))
        guard let results, (try? results.map { try $0.get() }) != nil else { return }
        acknowledged.withLock { [sequence] in $0 = sequence }
      }
    }
    for round in 0..<4 {
      while acknowledged.withLock({ $0 }) < UInt64(5 * (round + 1)) { try pause(milliseconds: 1) }
      let before = acknowledged.withLock { $0 }
      let backup = path("backup \(round)")
      let told = try folder.backUp(to: backup, now: now)
      let restored = try ServerFolder.restore(
        from: backup, to: path("copy \(round)"), random: random, now: now)
      #expect(try restored.folder.verify().problems == [])
      let copy = try ServerFixture(restored.folder.storage)
      let head = try copy.account("ann").head.seq
      #expect(head >= before, "what was acknowledged before the backup is in it")
      #expect(try copy.account("bob").head.seq == head)
      #expect(told.allSatisfy { $0.seq <= head }, "no mark is beyond what is in the backup")
      restored.folder.storage.close()
    }
    isOver.withLock { $0 = true }
    writer.join()
    #expect(try folder.verify().problems == [])
  }

  @Test func aRestoredBackupHasNewIdsAndKeepsWhatWasThere() throws {
    let folder = try ServerFolder.make(at: path("a"), random: random, now: now)
    let server = try server(folder)
    let account = try server.createAccount()
    try server.push(transaction(1, sequence: 1))
    let head = try server.account().head
    let epoch = try folder.storage.read(MarketFacts()).market.epoch
    _ = try folder.backUp(to: path("backup"), now: now)
    try server.push(transaction(2, sequence: 2))
    folder.storage.close()
    let restored = try ServerFolder.restore(
      from: path("backup"), to: path("a"), random: random, now: now)
    let after = try ServerFixture(restored.folder.storage)
    #expect(try after.account().head == head)
    #expect(try after.account().id == account.id)
    #expect(try after.account().log != account.log)
    #expect(try restored.folder.storage.read(MarketFacts()).market.epoch != epoch)
    #expect(try restored.folder.storage.read(VerifyStorage()).isSound)
    // What was there before is kept, whole.
    let replaced = try #require(restored.replaced)
    try scratch.makeFolder("old")
    try Files.rename(replaced, to: path("old/data.mdb"))
    let old = try ServerFixture(ServerFolder.open(at: path("old")).storage)
    #expect(try old.account().head.seq == 2)
  }

  /// Found by killing a restore call by call: once there was a moment in which the folder had no
  /// data, and one in which it had the backup's under its old ids.
  @Test func aRestoreThatWasCutOffIsDoneAgain() throws {
    let folder = try ServerFolder.make(at: path("a"), random: random, now: now)
    let log = try server(folder).createAccount().log
    _ = try folder.backUp(to: path("backup"), now: now)
    folder.storage.close()
    for place in ["a", "b"] {
      if place == "b" { try scratch.makeFolder("b") }
      try scratch.makeFolder(place + "/restoring")
      try scratch.write([1, 2, 3], to: place + "/restoring/data.mdb")
      let restored = try ServerFolder.restore(
        from: path("backup"), to: path(place), random: random, now: now)
      #expect(try server(restored.folder).account().log != log)
      restored.folder.storage.close()
      #expect(try Files.kind(of: path(place + "/restoring")) == nil)
    }
  }

  @Test func restoresIntoAnEmptyFolder() throws {
    let folder = try ServerFolder.make(at: path("a"), random: random, now: now)
    try server(folder).createAccount()
    _ = try folder.backUp(to: path("backup"), now: now)
    let restored = try ServerFolder.restore(
      from: path("backup"), to: path("b"), random: random, now: now)
    #expect(restored.replaced == nil)
    #expect(try restored.folder.storage.read(AccountList()).map(\.name) == ["ann"])
    #expect(throws: FolderError.missing(path("nothing"))) {
      try ServerFolder.restore(from: path("nothing"), to: path("c"), random: random, now: now)
    }
    #expect(try Files.kind(of: path("c")) == nil)
  }

  @Test func aBackupReplacesWhatCannotBeOpened() throws {
    let folder = try ServerFolder.make(at: path("a"), random: random, now: now)
    try server(folder).createAccount()
    _ = try folder.backUp(to: path("backup"), now: now)
    folder.storage.close()
    let remains = Array(try scratch.bytes(of: "a/data.mdb").prefix(5_000))
    try scratch.write(remains, to: "a/data.mdb")
    #expect(throws: ServerStorageError.self) { try ServerFolder.open(at: path("a")) }
    let restored = try ServerFolder.restore(
      from: path("backup"), to: path("a"), random: random, now: now)
    #expect(try restored.folder.storage.read(AccountList()).map(\.name) == ["ann"])
    #expect(try Files.read(#require(restored.replaced)) == remains)
  }

  @Test func aFolderWithSomethingElseIsNotRestoredInto() throws {
    _ = try ServerFolder.make(at: path("a"), random: random, now: now)
      .backUp(to: path("backup"), now: now)
    try scratch.makeFolder("b")
    try scratch.write([1], to: "b/notes.txt")
    #expect(throws: FolderError.notEmpty(path("b"))) {
      try ServerFolder.restore(from: path("backup"), to: path("b"), random: random, now: now)
    }
    #expect(try Files.entries(of: path("b")) == ["notes.txt"])
  }

  /// A process that ended while it made the folder leaves one that is as good as none.
  @Test func aFolderWhoseMakingWasCutOffIsMadeAnew() throws {
    for databases in [[], Space.allCases.map(\.name)] {
      let name = "cut-\(databases.count)"
      try Environment.open(at: path(name), Environment.Options(databases: databases)).close()
      #expect(throws: FolderError.missing(path(name))) { try ServerFolder.open(at: path(name)) }
      let made = try ServerFolder.openOrMake(at: path(name), random: random, now: now)
      #expect(try made.storage.read(VerifyStorage()).isSound)
    }
  }

  @Test func aDamagedBackupIsNotRestored() throws {
    let folder = try ServerFolder.make(at: path("a"), random: random, now: now)
    let server = try server(folder)
    try server.createAccount()
    try server.push(transaction(1, sequence: 1))
    let number = try server.account().number
    _ = try folder.backUp(to: path("backup"), now: now)
    let backup = try ServerFolder.open(at: path("backup"))
    try backup.storage.write(
      PutRow(.entries, EntryRow.key(number, 1)) { row in row[row.count - 1] ^= 1 })
    backup.storage.close()
    let before = try folder.storage.read(AllRows())
    folder.storage.close()
    #expect(throws: FolderError.self) {
      try ServerFolder.restore(from: path("backup"), to: path("a"), random: random, now: now)
    }
    #expect(try ServerFolder.open(at: path("a")).storage.read(AllRows()) == before)
  }
}

/// Changes one row behind the back of all rules.
struct PutRow: ServerChange {
  let space: Space
  let key: [UInt8]
  let change: @Sendable (inout [UInt8]) -> Void

  init(_ space: Space, _ key: [UInt8], _ change: @escaping @Sendable (inout [UInt8]) -> Void) {
    self.space = space
    self.key = key
    self.change = change
  }

  func apply<T: ServerWriting & ~Copyable & ~Escapable>(_ transaction: inout T) throws {
    var row = try transaction.row(space, key) ?? []
    change(&row)
    try transaction.put(space, key, row)
  }
}

/// Removes one row behind the back of all rules.
struct DeleteRow: ServerChange {
  let space: Space
  let key: [UInt8]

  func apply<T: ServerWriting & ~Copyable & ~Escapable>(_ transaction: inout T) throws {
    try transaction.delete(space, key)
  }
}
