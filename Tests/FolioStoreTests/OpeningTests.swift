import FolioDomain
import FolioStore
import LMDB
import StoreWorld
import TestSupport
import Testing

@Suite struct OpeningTests {
  @Test func storeIsThereAfterItWasMade() throws {
    let fixture = try StoreFixture()
    let before = try fixture.store.read { try $0.status() }
    try fixture.reopen()
    let after = try fixture.store.read { try $0.status() }
    #expect(after.device == before.device)
    #expect(after.instance != before.instance)
    #expect(after.createdAt == fixture.clock.now())
  }

  @Test func folderWithSomethingInItIsRefused() throws {
    let fixture = try StoreFixture()
    try fixture.folder.makeFolder("other")
    try fixture.folder.write([1], to: "other/file")
    let path = fixture.folder.path + "/other"
    #expect(throws: StoreError.folderNotEmpty(path: path)) {
      try Store.create(at: path, fixture.options)
    }
    #expect(try fixture.folder.bytes(of: "other/file") == [1])
    #expect(throws: StoreError.folderNotEmpty(path: fixture.path)) {
      fixture.store.close()
      return try Store.create(at: fixture.path, fixture.options)
    }
    #expect(throws: StoreError.folderNotEmpty(path: path + "/file")) {
      try Store.create(at: path + "/file", fixture.options)
    }
  }

  /// Found by killing a process that makes a store, call by call.
  @Test(arguments: [["folio.lock"], ["folio.lock", "data.mdb.new"], ["folio.lock", "lock.mdb"]])
  func aMakingThatWasCutOffIsDoneAgain(left: [String]) throws {
    let fixture = try StoreFixture()
    try fixture.folder.makeFolder("cut")
    for name in left { try fixture.folder.write([1, 2, 3], to: "cut/" + name) }
    let store = try Store.create(at: fixture.folder.path + "/cut", fixture.options)
    #expect(try store.verify().isSound)
    store.close()
  }

  @Test(arguments: ["absent", "empty", "full"])
  func whatIsNoStoreIsNotOpened(name: String) throws {
    let fixture = try StoreFixture()
    if name != "absent" { try fixture.folder.makeFolder(name) }
    if name == "full" { try fixture.folder.write(Array("hello".utf8), to: "full/notes") }
    let path = fixture.folder.path + "/" + name
    #expect(throws: StoreError.notAStore(path: path)) {
      try Store.open(at: path, fixture.options)
    }
  }

  @Test func storeThatWasCutOffIsNamedDamaged() throws {
    let fixture = try StoreFixture()
    fixture.store.close()
    let bytes = try fixture.folder.bytes(of: "store/data.mdb")
    try fixture.folder.write(Array(bytes.prefix(9_000)), to: "store/data.mdb")
    let error = #expect(throws: StoreError.self) {
      try Store.open(at: fixture.path, fixture.options)
    }
    #expect(error?.code == "damaged")
  }

  @Test func environmentOfAnotherApplicationIsNotOpened() throws {
    let fixture = try StoreFixture()
    let path = fixture.folder.path + "/other"
    let other = try Environment.open(at: path, Environment.Options(databases: ["things"]))
    other.close()
    #expect(throws: StoreError.notAStore(path: path)) {
      try Store.open(at: path, fixture.options)
    }
    #expect(throws: StoreError.folderNotEmpty(path: path)) {
      try Store.create(at: path, fixture.options)
    }
  }

  /// Writes what a later version would say of itself.
  private func setFormat(of fixture: StoreFixture, application: String, version: UInt8) throws {
    fixture.store.close()
    let environment = try Environment.open(
      at: fixture.path, Environment.Options(databases: ["meta/format"]))
    let record = [UInt8(application.utf8.count)] + Array(application.utf8) + [version, 1, 2, 3]
    try environment.write { transaction in
      try transaction.put(
        environment.database("meta/format"), Array("format".utf8), record)
    }
    environment.close()
  }

  @Test("F64 a store of a newer format is refused and left as it is")
  func newerFormatIsRefused() throws {
    let fixture = try StoreFixture()
    try fixture.save(.add(TestWorld.assets[0], try Amount("1"), category: nil))
    try setFormat(of: fixture, application: "folio client store", version: 9)
    let before = try fixture.folder.bytes(of: "store/data.mdb")
    let error = #expect(throws: StoreError.self) {
      try Store.open(at: fixture.path, fixture.options)
    }
    #expect(error == .newerFormat(path: fixture.path, found: 9, known: 5))
    #expect(error?.code == "newerFormat")
    #expect(try fixture.folder.bytes(of: "store/data.mdb") == before)
  }

  @Test func storeOfAnotherApplicationIsRefused() throws {
    let fixture = try StoreFixture()
    try setFormat(of: fixture, application: "folio server", version: 1)
    #expect(throws: StoreError.otherApplication(path: fixture.path, found: "folio server")) {
      try Store.open(at: fixture.path, fixture.options)
    }
  }

  @Test func secondOpeningInOneProcessIsRefused() throws {
    let fixture = try StoreFixture()
    let error = #expect(throws: StoreError.self) {
      try Store.open(at: fixture.path, fixture.options)
    }
    #expect(error?.code == "locked")
    #expect(try fixture.store.verify().isSound)
  }

  @Test func readOnlyStoreCanBeReadAndNotWritten() throws {
    let fixture = try StoreFixture()
    try fixture.save(.add(TestWorld.assets[0], try Amount("1"), category: nil))
    fixture.options.readOnly = true
    try fixture.reopen()
    #expect(try fixture.amount(TestWorld.assets[0]) == "1")
    #expect(throws: StoreError.storage(.readOnly)) {
      try fixture.save(.add(TestWorld.assets[0], try Amount("1"), category: nil))
    }
  }

  @Test func writeInsideAWriteIsRefused() throws {
    let fixture = try StoreFixture()
    let store = fixture.store
    #expect(throws: StoreError.storage(.nestedWrite)) {
      try store.write { _ in try store.write { _ in } }
    }
  }

  @Test func makingThatWasInterruptedCanBeDoneAgain() throws {
    let fixture = try StoreFixture()
    let path = fixture.folder.path + "/half"
    let half = try Environment.open(at: path, Environment.Options(databases: ["meta/format"]))
    half.close()
    let store = try Store.create(at: path, fixture.options)
    #expect(try store.verify().isSound)
    store.close()
  }

  @Test func filesAreForTheirOwnerAlone() throws {
    let fixture = try StoreFixture()
    let run = try CommandRun.shell("stat -c %a '\(fixture.path)' '\(fixture.path)'/*")
    #expect(run.lines.first == "700")
    #expect(run.lines.dropFirst().allSatisfy { $0 == "600" })
  }
}
