import FolioCrypto
import FolioDomain
import FolioJSON
import StoreWorld
import TestSupport
import Testing

@testable import FolioStore

/// Operations that an older program did not understand are kept, and take effect with a newer one.
@Suite("Replaying after an upgrade")
struct UpgradeTests {
  let bitcoin = TestWorld.assets[0]
  let document = TestWorld.documents[0]

  /// A log of two devices, some of it late.
  private func log() throws -> TestLog {
    var log = TestLog()
    let start = Timestamp(known: "2026-02-20T07:00:00Z")
    for number in 0..<6 {
      let time = start.adding(milliseconds: Int64(number) * 20_000_000)
      try log.append(
        device: DeviceID(UInt128(8 + number % 2)), id: UInt64(number + 1),
        recordedAt: time.adding(milliseconds: number == 3 ? -400_000_000 : 0), acceptedAt: time,
        [
          .adjust(TestWorld.assets[number % 3], try Amount("2")),
          .categorize(bitcoin, TestWorld.categories[number % 3]),
          .put(
            DocumentPut(
              collection: TestWorld.collection, document: document,
              set: [DocumentField(FieldPath(FieldName(unchecked: "n")), .integer(Int64(number)))])),
        ])
    }
    return log
  }

  private func read(_ log: TestLog, level: UInt64, stable: UInt64 = 0) throws -> StoreFixture {
    let fixture = try StoreFixture { $0.operationLevel = level }
    try fixture.store.write { try $0.join(account: log.account, server: 1, log: log.id) }
    try fixture.pull(log, stable: stable)
    return fixture
  }

  private func digest(_ fixture: StoreFixture) throws -> Hash256 {
    try fixture.store.read { try $0.digestBasis().stateDigest }
  }

  @Test("What was kept takes effect when a program that understands it opens the store")
  func takesEffect() throws {
    let log = try log()
    let newer = try read(log, level: 1)
    // The server's mark has passed all of it: what waits is kept all the same.
    let older = try read(log, level: 0, stable: 5)
    #expect(try older.store.read { try $0.status() }.unknownCount == 6)
    #expect(try older.amount(bitcoin) == nil)
    #expect(try older.store.verify().problems.isEmpty)
    try older.save(.add(bitcoin, try Amount("1"), category: nil))
    older.options.operationLevel = 1
    try older.reopen()
    #expect(try older.amount(bitcoin) == "5")
    #expect(try older.store.read { try $0.status() }.unknownCount == 0)
    #expect(try older.store.read { try $0.remarks() }.isEmpty)
    #expect(try digest(older) == digest(newer))
    #expect(try older.store.verify().problems.isEmpty)
    try older.reopen()
    #expect(try older.amount(bitcoin) == "5", "and only once")
  }

  @Test("What was understood of an entry before is not applied again")
  func onlyOnce() throws {
    var log = try log()
    let time = Timestamp(known: "2026-02-28T07:00:00Z")
    let mixed =
      #"{"operations":[{"amount":"5","asset":"\#(bitcoin.text)","kind":"adjust"},"#
      + #"{"kind":"weigh","weight":"3"}]}"#
    try log.append(
      device: DeviceID(8), id: 90, recordedAt: time, acceptedAt: time, body: Array(mixed.utf8))
    let fixture = try read(log, level: 1)
    let before = try digest(fixture)
    #expect(try fixture.amount(bitcoin) == "9")
    fixture.options.operationLevel = 2
    try fixture.reopen()
    #expect(try fixture.amount(bitcoin) == "9")
    #expect(try digest(fixture) == before)
    #expect(try fixture.store.read { try $0.remarks() }.map(\.seq) == [7])
    #expect(try fixture.store.read { try $0.status() }.unknownCount == 1)
  }

  @Test("Snapshots of the slots that are concerned are made anew")
  func snapshots() throws {
    let log = try log()
    let fixture = try read(log, level: 0)
    let through = Slot(containing: fixture.clock.now())
    try fixture.store.write { transaction in
      _ = try transaction.apply(
        PriceTablesPage(
          position: MarketPosition(epoch: 1, revision: 0, through: through), base: "USD",
          tables: [], isLast: true))
    }
    _ = try fixture.store.makeDueSnapshots()
    fixture.options.operationLevel = 1
    try fixture.reopen()
    let made = try fixture.store.makeDueSnapshots()
    #expect(made.made + made.remade > 30)
    #expect(try fixture.store.verify().problems.isEmpty)
  }

  @Test("A store that is opened for reading is left as it is")
  func readOnly() throws {
    let older = try read(try log(), level: 0)
    older.options.operationLevel = 1
    older.options.readOnly = true
    try older.reopen()
    #expect(try older.store.read { try $0.status() }.unknownCount == 6)
  }

  @Test("A store of format 2 learns the ids that it still can, and knows what is imported again")
  func ids() throws {
    let row = ImportedRow.holding(bitcoin, try Amount("3"), category: nil)
    let fixture = try StoreFixture()
    var log = try log()
    try fixture.store.write { try $0.join(account: log.account, server: 1, log: log.id) }
    let id = row.transactionID(ordinal: 0, using: SHA256.self)
    let time = Timestamp(known: "2026-02-28T07:00:00Z")
    let body = TransactionBody(seen: nil, operations: [.adjust(bitcoin, try Amount("3"))])
    log.accept(
      Envelope(
        id: id, device: DeviceID(7), deviceSequence: 1, recordedAt: time,
        body: try body.encoded()), at: time)
    // The mark has passed all but the last three entries.
    try fixture.pull(log, stable: 4)
    try fixture.closeAsFormat(2, without: ["gate.sync/ids"])
    try fixture.reopen()
    #expect(try fixture.store.verify().problems.isEmpty)
    let known = try fixture.store.read { state in try (1...7).map { try state.idInLog(at: $0) } }
    #expect(known == [nil, nil, nil, nil, TransactionID(5), TransactionID(6), id])
    let outcomes = try fixture.store.write { try $0.saveImported([(row, 0), (row, 1)]) }
    guard case .repeated = outcomes[0], case .added = outcomes[1] else {
      Issue.record("\(outcomes)")
      return
    }
  }
}
