import FolioCrypto
import FolioDomain
import FolioJSON
import FolioStore
import LMDB
import StoreWorld
import TestSupport
import Testing

/// Each rule of a store is broken on purpose, and named.
@Suite struct IntegrityTests {
  let bitcoin = TestWorld.assets[0]

  /// A store with something in every space.
  func filled() throws -> StoreFixture {
    let fixture = try StoreFixture()
    var log = TestLog()
    let start = Timestamp(known: "2026-02-20T07:00:00Z")
    for number in 0..<4 {
      let time = start.adding(milliseconds: Int64(number) * 30_000_000)
      let text = DocumentField(FieldPath(FieldName(unchecked: "type")), .string("x"))
      try log.append(
        device: DeviceID(9), id: UInt64(number + 1), recordedAt: time, acceptedAt: time,
        [
          .adjust(TestWorld.assets[number], try Amount("2")),
          .categorize(bitcoin, TestWorld.categories[number]),
          .put(
            DocumentPut(
              collection: TestWorld.collection, document: TestWorld.documents[number], set: [text])),
        ])
    }
    let entries = log.entries
    let through = Slot(containing: fixture.clock.now())
    try fixture.store.write { transaction in
      try transaction.join(account: log.account, server: 1, log: log.id)
      _ = try transaction.apply(entries)
      _ = try transaction.apply(
        PriceTablesPage(
          position: MarketPosition(epoch: 1, revision: 1, through: through), base: "USD",
          tables: [
            PriceTable(
              slot: Slot(index: through.index - 3),
              prices: [PricedAsset(asset: bitcoin, price: try Price("3"))])
          ], isLast: true))
      _ = try transaction.save([.add(bitcoin, try Amount("1"), category: nil)])
    }
    _ = try fixture.store.makeDueSnapshots()
    return fixture
  }

  /// Of two edits that wait, the newer one is what the document is listed as: that the older one is
  /// not shown is told when it comes back in the log.
  @Test(arguments: ["gate.sync/outbox.documents", "gate.sync/outbox.assets"])
  func anOlderEditThatAnIndexHidesIsToldAtTheLatestAsItComesBack(space: String) throws {
    let (fixture, start) = try StoreFixture.joined()
    let put = DocumentPut(
      collection: TestWorld.collection, document: TestWorld.documents[0],
      set: [DocumentField(FieldPath(FieldName(unchecked: "type")), .string("x"))])
    for amount in ["1", "2"] {
      try fixture.save(.add(bitcoin, try Amount(amount), category: nil), .put(put))
    }
    try tamper(fixture, space) { transaction, database, _ in
      let older = try #require(try transaction.first(database))
      _ = try transaction.delete(database, older.key)
    }
    var log = start
    for pending in try fixture.pending() {
      log.accept(pending.transaction, at: fixture.clock.now())
    }
    let error = #expect(throws: StoreError.self) { try fixture.pull(log) }
    #expect(error == .missingRecord(space: space))
    #expect(try fixture.pending().count == 2, "nothing is taken for read")
    #expect(try fixture.store.repair().problems == [])
    try fixture.pull(log)
    #expect(try fixture.pending().isEmpty)
    #expect(try fixture.amount(bitcoin) == "3")
    #expect(try fixture.store.verify().problems == [])
  }

  /// Changes records behind the store's back, with checksums that fit.
  func tamper(
    _ fixture: StoreFixture, _ space: String,
    _ change: (inout WriteTransaction, Database, (key: [UInt8], value: [UInt8])) throws -> Void
  ) throws {
    fixture.store.close()
    let environment = try Environment.open(
      at: fixture.path, Environment.Options(databases: [space]))
    let database = environment.database(space)
    try environment.write { transaction in
      let found = try transaction.last(database)
      try change(&transaction, database, try #require(found))
    }
    environment.close()
    try fixture.reopen()
  }

  @Test func aWholeStoreHasNoProblems() throws {
    let fixture = try filled()
    let report = try fixture.store.verify()
    #expect(report.problems.isEmpty)
    #expect(report.checkedCount > 50)
  }

  /// A space, and the rule that is broken when its last record is gone.
  static let removals: [(String, IntegrityProblem.Rule)] = [
    ("domain.portfolio/categories", .categoriesDiffer),
    ("domain.portfolio/assets", .holdingDiffers),
    ("domain.portfolio/history", .stateDigestDiffers),
    ("domain.portfolio/history.assets", .historyIndexDiffers),
    ("domain.market/prices", .priceIndexDiffers),
    ("domain.documents", .stateDigestDiffers),
    ("domain.documents.order", .documentIndexDiffers),
    ("gate.sync/outbox", .outboxDiffers),
    ("gate.sync/outbox.ids", .outboxDiffers),
    ("gate.sync/outbox.assets", .outboxDiffers),
    ("gate.sync/devices", .deviceDiffers),
    ("gate.sync/log", .cursorAhead),
  ]

  @Test(arguments: removals)
  func aMissingRecordIsNamed(space: String, rule: IntegrityProblem.Rule) throws {
    let fixture = try filled()
    try tamper(fixture, space) { transaction, database, record in
      _ = try transaction.delete(database, record.key)
    }
    let problems = try fixture.store.verify().problems
    #expect(problems.contains { $0.rule == rule }, "\(problems)")
  }

  @Test func aDocumentIsNotShownWithoutWhatIsPendingOfIt() throws {
    let fixture = try filled()
    let key = DocumentKey(collection: TestWorld.collection, id: TestWorld.documents[0])
    let text = DocumentField(FieldPath(FieldName(unchecked: "text")), .string("pending"))
    try fixture.store.write { transaction in
      _ = try transaction.save([
        .put(DocumentPut(collection: key.collection, document: key.id, set: [text]))
      ])
    }
    let space = "gate.sync/outbox.documents"
    try tamper(fixture, space) { transaction, database, record in
      _ = try transaction.delete(database, record.key)
    }
    #expect(throws: StoreError.missingRecord(space: space)) {
      try fixture.store.read { try $0.document(key) }
    }
    #expect(throws: StoreError.missingRecord(space: space)) {
      try fixture.store.read { try $0.documents(DocumentQuery(key.collection)) }
    }
    let problems = try fixture.store.verify().problems
    #expect(problems.contains { $0.rule == .outboxDiffers }, "\(problems)")
  }

  /// A space, which byte from the end of its last record is changed, and the rule that is broken.
  static let changes: [(String, Int, IntegrityProblem.Rule)] = [
    ("domain.portfolio/snapshots", 10, .snapshotDiffers),
    ("gate.sync/log", 2, .bodyDiffers),
    ("domain.market/prices", 2, .priceIndexDiffers),
  ]

  @Test(arguments: changes)
  func aChangedRecordIsNamed(space: String, place: Int, rule: IntegrityProblem.Rule) throws {
    let fixture = try filled()
    try tamper(fixture, space) { transaction, database, record in
      var value = record.value
      value[value.count - place] ^= 1
      try transaction.put(database, record.key, value)
    }
    let problems = try fixture.store.verify().problems
    #expect(problems.contains { $0.rule == rule }, "\(problems)")
  }

  @Test func aDamagedRecordIsNamedAndNotShown() throws {
    let fixture = try filled()
    fixture.store.close()
    var bytes = try fixture.folder.bytes(of: "store/data.mdb")
    let id = Array("bitcoin".utf8)
    // Wherever the name stands in a record, one letter of it changes.
    for start in bytes.indices.dropLast(id.count) where bytes[start...].starts(with: id) {
      bytes[start + 1] ^= 1
    }
    try fixture.folder.write(bytes, to: "store/data.mdb")
    try fixture.reopen()
    let report = try fixture.store.verify()
    #expect(report.problems.contains { $0.rule == .damagedRecord })
    let error = #expect(throws: StoreError.self) {
      try fixture.store.read { try $0.holdings(includesHidden: true) }
    }
    #expect(error?.code == "damaged")
  }

  @Test func aBackupIsAStoreOfItsOwn() throws {
    let fixture = try filled()
    let before = try AtomicityTests.Contents(fixture.store)
    try fixture.folder.makeFolder("copy")
    let copy = fixture.folder.path + "/copy"
    try fixture.store.backUp(to: copy + "/data.mdb")
    let store = try Store.open(at: copy, fixture.options)
    #expect(try AtomicityTests.Contents(store) == before)
    #expect(try store.verify().isSound)
    store.close()
    #expect(throws: StoreError.self) { try fixture.store.backUp(to: copy + "/data.mdb") }
  }
}
