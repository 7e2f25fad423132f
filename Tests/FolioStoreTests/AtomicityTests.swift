import FolioCrypto
import FolioDomain
import FolioJSON
import FolioStore
import LMDB
import StoreWorld
import TestSupport
import Testing

/// Every step of a change fails in turn: the store is as before, or as after, and never between.
@Suite struct AtomicityTests {
  let bitcoin = TestWorld.assets[0]
  let fun = TestWorld.categories[2]

  /// What a store holds, whole.
  struct Contents: Equatable {
    var holdings: [PricedHolding]
    var documents: [Document]
    var pending: [PendingEntry]
    var status: StoreStatus

    init(_ store: Store) throws {
      (holdings, documents, pending, status) = try store.read { transaction in
        var query = DocumentQuery(TestWorld.collection)
        query.includesDeleted = true
        var status = try transaction.status()
        status.instance = InstanceID(0)
        return (
          try transaction.holdings(includesHidden: true), try transaction.documents(query),
          try transaction.pending(after: 0, maxCount: .max, maxByteCount: .max), status
        )
      }
    }
  }

  /// Runs a change with each of its steps failing in turn, until none fails any more.
  func failEachStep(
    _ prepare: (Store) throws -> Void, _ change: (Store) throws -> Void
  ) throws {
    let faults = FailingSteps()
    var steps: Set<StorageStep> = []
    var count = 0
    while true {
      let fixture = try StoreFixture { $0.faults = faults }
      try prepare(fixture.store)
      let before = try Contents(fixture.store)
      faults.fail(after: count)
      let outcome = Result { try change(fixture.store) }
      guard let failed = faults.disarm() else {
        try outcome.get()
        break
      }
      #expect(throws: (any Error).self) { try outcome.get() }
      steps.insert(failed)
      try fixture.reopen()
      let after = try Contents(fixture.store)
      if failed == .acknowledge {
        // It was committed, and the caller was not told: he asks by what it wrote.
        #expect(after != before)
      } else {
        #expect(after == before, "step \(count), \(failed)")
      }
      #expect(try fixture.store.verify().problems.isEmpty, "step \(count), \(failed)")
      try change(fixture.store)
      #expect(try fixture.store.verify().problems.isEmpty, "step \(count), \(failed)")
      count += 1
    }
    #expect(steps.isSuperset(of: [.put, .commit, .acknowledge]))
  }

  func edits(_ number: Int) throws -> [Edit] {
    let key = FieldPath(FieldName(unchecked: "a"))
    return [
      .add(bitcoin, try Amount("1.5"), category: number == 0 ? nil : fun),
      .put(
        DocumentPut(
          collection: TestWorld.collection, document: TestWorld.documents[0],
          set: [DocumentField(key, .integer(Int64(number)))])),
    ]
  }

  func save(_ number: Int, _ store: Store) throws {
    try store.write { _ = try $0.save(edits(number)) }
  }

  @Test("F04 an edit and its outbox entry are stored together, or neither is")
  func savesAreWhole() throws {
    try failEachStep({ try save(0, $0) }) { try save(1, $0) }
  }

  @Test("F03 a page and its cursor are stored together, or neither is")
  func pagesAreWhole() throws {
    var log = TestLog()
    let time = Timestamp(known: "2026-02-01T07:00:00Z")
    for number in 0..<3 {
      try log.append(
        device: DeviceID(9), id: UInt64(number + 1), recordedAt: time, acceptedAt: time,
        [
          .adjust(bitcoin, try Amount("2")), .categorize(bitcoin, fun),
          .delete(TestWorld.collection, TestWorld.documents[number]),
        ])
    }
    let entries = log.entries
    try failEachStep({ try save(0, $0) }) { store in
      // After an outcome that was not known, the cursor says what is there.
      let seq = try store.read { try $0.status().position?.seq ?? 0 }
      try store.write { transaction in
        _ = try transaction.apply(Array(entries.dropFirst(Int(seq))), stable: 1)
      }
    }
  }

  @Test func tablesAreWhole() throws {
    let slot = Slot(containing: Timestamp(known: "2026-03-01T06:00:00Z"))
    func page(_ revision: UInt64) throws -> PriceTablesPage {
      PriceTablesPage(
        position: MarketPosition(epoch: 1, revision: revision, through: slot), base: "USD",
        tables: [
          PriceTable(
            slot: slot,
            prices: [PricedAsset(asset: bitcoin, price: try Price("\(revision)"))])
        ], isLast: true)
    }
    try failEachStep({ store in
      try store.write { _ = try $0.apply(page(1)) }
      _ = try store.makeDueSnapshots()
    }) { store in
      let revision = try store.read { try $0.marketPosition()?.revision ?? 0 }
      try store.write { _ = try $0.apply(page(revision + 1)) }
    }
  }

  @Test func takingANewIdentityIsWhole() throws {
    try failEachStep({ store in
      try save(0, store)
      try save(1, store)
    }) { store in
      _ = try store.write { try $0.takeNewIdentity() }
    }
  }

  @Test func aThrowingClosureChangesNothing() throws {
    struct Stop: Error {}
    let fixture = try StoreFixture()
    let before = try Contents(fixture.store)
    #expect(throws: Stop.self) {
      try fixture.store.write { transaction in
        try transaction.save(edits(0))
        throw Stop()
      }
    }
    #expect(try Contents(fixture.store) == before)
    try fixture.store.write { transaction in
      try transaction.save(edits(0))
      transaction.cancel()
    }
    #expect(try Contents(fixture.store) == before)
  }
}
