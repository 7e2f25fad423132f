import LMDB
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite struct OpeningTests {
  @Test func foldersAboveAreMade() throws {
    let folder = try TemporaryFolder("lmdb")
    let path = folder.path + "/a/b/c"
    let environment = try Environment.open(at: path, Fixture.options)
    #expect(environment.path == path)
    for made in ["/a", "/a/b", "/a/b/c"] { #expect(mode(folder.path + made) == 0o700) }
  }

  @Test(arguments: ["/proc/none/store", ""])
  func aFolderThatCannotBeMadeIsAnErrorOfTheSystem(path: String) throws {
    let error = try #require(throws: StorageError.self) {
      try Environment.open(at: path, Fixture.options)
    }
    guard case .system = error else {
      Issue.record("\(error)")
      return
    }
  }

  @Test func aSecondOpenInTheProcessIsRefusedByEveryName() throws {
    let fixture = try Fixture()
    let link = fixture.beside("link")
    #expect(symlink(fixture.path, link) == 0)
    let twin = fixture.beside("twin")
    #expect(mkdir(twin, 0o700) == 0)
    #expect(try CommandRun.shell("ln '\(fixture.dataFile)' '\(twin)/data.mdb'").status == 0)
    for path in [fixture.path, fixture.path + "/", fixture.path + "/.", link] {
      #expect(throws: StorageError.alreadyOpen(path: path)) {
        try Environment.open(at: path, Fixture.options)
      }
    }
    #expect(throws: StorageError.alreadyOpen(path: twin + "/data.mdb")) {
      try Environment.open(at: twin, Fixture.options)
    }
    // The refusals took nothing from the one that is open.
    try fixture.environment.write { try $0.put(fixture.table, [1], [1]) }
    fixture.environment.close()
    let again = try Environment.open(at: link, Fixture.options)
    #expect(try again.read { try $0.count(again.database("table")) } == 1)
  }

  /// A file system gives the number of a deleted folder to the next one.
  @Test func aFolderIsNotTakenForADeletedOneThatIsStillOpen() throws {
    let fixture = try Fixture()
    #expect(try CommandRun.shell("rm -r '\(fixture.path)'").status == 0)
    for index in 0..<20 {
      let next = fixture.beside("next \(index)")
      _ = try Environment.open(at: next, Fixture.options)
    }
  }

  @Test func anEnvironmentThatIsLetGoIsClosed() throws {
    let folder = try TemporaryFolder("lmdb")
    for _ in 0..<3 { _ = try Environment.open(at: folder.path, Fixture.options) }
  }

  @Test func readingMakesNothing() throws {
    let folder = try TemporaryFolder("lmdb")
    var options = Fixture.options
    options.readOnly = true
    let missing = folder.path + "/missing"
    #expect(throws: StorageError.missing(path: missing)) {
      try Environment.open(at: missing, options)
    }
    #expect(throws: StorageError.missing(path: folder.path + "/data.mdb")) {
      try Environment.open(at: folder.path, options)
    }
    #expect(!isThere(folder.path + "/data.mdb"))
  }

  @Test func aTableThatIsMissingIsMadeOrNamed() throws {
    let fixture = try Fixture()
    try fixture.environment.write { try $0.put(fixture.table, [1], [1]) }
    fixture.environment.close()
    var options = Fixture.options
    options.databases.append("third")
    options.readOnly = true
    #expect(throws: StorageError.databaseMissing(name: "third")) {
      try Environment.open(at: fixture.path, options)
    }
    options.readOnly = false
    let grown = try Environment.open(at: fixture.path, options)
    try grown.write { try $0.put(grown.database("third"), [3], [3]) }
    #expect(try grown.read { try $0.bytes(grown.database("table"), [1]) } == [1])
    grown.close()
    options.readOnly = true
    let read = try Environment.open(at: fixture.path, options)
    #expect(try read.read { try $0.bytes(read.database("third"), [3]) } == [3])
  }

  @Test func aTableWhoseNameIsDamagedIsNotMadeAnew() throws {
    let fixture = try Fixture()
    try fixture.environment.write { try $0.put(fixture.table, [1], [1]) }
    fixture.environment.close()
    var options = Fixture.options
    options.databases = ["other", "tablf"]
    #expect(throws: StorageError.databaseUnknown(missing: "tablf")) {
      try Environment.open(at: fixture.path, options)
    }
    // An unknown table beside all that are named is let be.
    options.databases = ["other"]
    try Environment.open(at: fixture.path, options).close()
    let again = try Environment.open(at: fixture.path, Fixture.options)
    #expect(try again.read { try $0.count(again.database("table")) } == 1)
  }

  @Test func optionsThatCannotBeAreRefused() throws {
    let changes: [(inout Environment.Options) -> Void] = [
      { $0.mapByteCount = 1000 }, { $0.readerCountMax = 0 }, { $0.quotaByteCount = 0 },
      { $0.quotaByteCount = $0.mapByteCount + 1 }, { $0.databases = ["a", "a"] },
    ]
    for change in changes {
      let error = #expect(throws: StorageError.self) { try Fixture(change) }
      #expect(error?.code == "storage.invalid_option")
    }
  }

  @Test func aFileWhereTheFolderShouldBeIsRefused() throws {
    let folder = try TemporaryFolder("lmdb")
    try folder.write([1], to: "file")
    let error = #expect(throws: StorageError.self) {
      try Environment.open(at: folder.path + "/file", Fixture.options)
    }
    #expect(error?.code == "storage.system")
    let below = #expect(throws: StorageError.self) {
      try Environment.open(at: folder.path + "/file/below", Fixture.options)
    }
    #expect(below?.code == "storage.system")
  }

  @Test func whatAKilledProcessLeftOfAMakingIsCleared() throws {
    let folder = try TemporaryFolder("lmdb")
    try folder.write([1, 2, 3], to: "data.mdb.new")
    _ = try Environment.open(at: folder.path, Fixture.options)
    #expect(!isThere(folder.path + "/data.mdb.new"))
  }

  @Test func theUsualMapTakesNoRoomOnTheDevice() throws {
    let folder = try TemporaryFolder("lmdb")
    let environment = try Environment.open(at: folder.path, .init(databases: ["table"]))
    let statistics = try environment.statistics()
    #expect(statistics.mapByteCount == 32 << 30)
    #expect(statistics.quotaByteCount == 28 << 30)
    #expect(byteCount(folder.path + "/data.mdb") < 1 << 20)
  }
}
