import FolioCrypto
import FolioDomain
import FolioJSON
import LMDB
import StoreWorld
import TestSupport
import Testing

@testable import FolioStore

/// Each rule of a store, broken alone: `verify` names it and no other, and `repair` makes the store
/// sound again, from what it holds where that is enough.
@Suite("Every rule of a store")
struct IntegrityRuleTests {
  /// A rule that is broken behind the store's back.
  struct Breach: Sendable, CustomTestStringConvertible {
    var rule: IntegrityProblem.Rule
    var what: String
    /// What the repair says of where the data comes from.
    var rebuilt: [String] = []
    var fromServer: [String] = []
    var lost: [String] = []
    var act: @Sendable (inout StoreWriteTransaction) throws -> Void

    var testDescription: String { "\(rule.rawValue): \(what)" }
  }

  private static let accepted = ["holdings, history, documents, devices", "snapshots"]

  static let breaches: [Breach] = [
    Breach(rule: .formatMissing, what: "no format", rebuilt: ["format"]) {
      _ = try $0.base.delete($0.spaces.format, FormatRecord.key)
    },
    Breach(
      rule: .categoriesDiffer, what: "an asset in no category", rebuilt: ["holdings and categories"]
    ) {
      try deleteLast($0.spaces.categories, &$0)
    },
    Breach(
      rule: .categoriesDiffer, what: "an asset in two categories",
      rebuilt: ["holdings and categories"]
    ) {
      let key = try lastKey($0.spaces.categories, $0)
      let record = try required($0.base.reading.bytes($0.spaces.categories, key))
      try $0.base.put(
        $0.spaces.categories, Array("zz".utf8) + [0] + key.drop { $0 != 0 }.dropFirst(), record)
    },
    Breach(
      rule: .categoriesDiffer, what: "another amount in a category",
      rebuilt: ["holdings and categories"]
    ) {
      let key = try lastKey($0.spaces.categories, $0)
      let before = try required($0.base.reading.bytes($0.spaces.categories, key))
      let span = before.span
      var reader = unsafe RecordReader(span.bytes, of: $0.spaces.categories.name)
      var record = try AssetRecord(&reader)
      record.accepted.amount += .init(1)
      try $0.base.put($0.spaces.categories, key, record.record)
    },
    Breach(
      rule: .holdingDiffers, what: "another price than its tables have",
      rebuilt: ["holdings and categories"]
    ) {
      let price = try required(Price(mantissa: 77, scale: 0))
      try $0.setLatestPrice(
        of: TestWorld.assets[3], PricedRecord.Latest(slot: Slot(index: 1), price: price))
    },
    Breach(
      rule: .holdingDiffers, what: "not as its history says", rebuilt: ["holdings and categories"]
    ) {
      let asset = TestWorld.assets[3]
      var record = try required($0.reading.assetRecord(asset))
      record.accepted.wasInSnapshot.toggle()
      let category = record.holding(of: asset).category.key
      try $0.base.put($0.spaces.assets, try Keys.asset(asset), record.record)
      try $0.base.put($0.spaces.categories, try Keys.member(asset, of: category), record.record)
    },
    Breach(
      rule: .historyIndexDiffers, what: "a row without its place", rebuilt: ["index of the history"]
    ) {
      try deleteLast($0.spaces.historyByAsset, &$0)
    },
    Breach(rule: .stateDigestDiffers, what: "another digest", rebuilt: accepted) {
      var log = try $0.reading.single(LogRecord.self)
      log.digest.add(Hash256(words: (1, 0, 0, 0)))
      try $0.put(log)
    },
    Breach(
      rule: .chainBroken, what: "another hash in the middle",
      rebuilt: accepted, fromServer: ["the log after entry 1"]
    ) {
      let kept = try required(
        $0.reading.keptEntries(after: 1, maxCount: 1, maxByteCount: .max).first)
      let other = ChainedEntry(kept.entry, hash: Hash256(words: (9, 9, 9, 9)))
      try $0.base.put($0.spaces.log, Keys.sequence(2), KeptRecord.record(other))
    },
    Breach(
      rule: .bodyDiffers, what: "another body than was hashed",
      rebuilt: accepted, fromServer: ["the log after entry 2"]
    ) {
      var kept = try required(
        $0.reading.keptEntries(after: 2, maxCount: 1, maxByteCount: .max).first)
      kept.entry.transaction.body = Array(#"{"operations":[]}"#.utf8)
      try $0.base.put($0.spaces.log, Keys.sequence(3), KeptRecord.record(kept))
    },
    Breach(rule: .deviceDiffers, what: "an own transaction elsewhere", rebuilt: accepted) {
      let record = OwnRecord(id: TransactionID(99), seq: 5)
      try $0.base.put($0.spaces.own, Keys.sequence(1), record.record)
    },
    Breach(
      rule: .transactionIdDiffers, what: "another id of an entry", rebuilt: ["ids of transactions"]
    ) {
      try $0.noteID(TransactionID(99), of: 2)
    },
    Breach(
      rule: .cursorAhead, what: "a cursor beyond the entries", rebuilt: accepted,
      fromServer: ["the log after entry 5"]
    ) {
      var log = try $0.reading.single(LogRecord.self)
      log.position?.seq += 1
      try $0.put(log)
    },
    Breach(rule: .waitingDiffers, what: "a count of what waits", rebuilt: accepted) {
      var log = try $0.reading.single(LogRecord.self)
      log.unknownCount += 1
      try $0.put(log)
    },
    Breach(rule: .outboxDiffers, what: "a transaction without its id's place", rebuilt: ["outbox"])
    {
      try deleteLast($0.spaces.outboxByID, &$0)
    },
    Breach(rule: .outboxDiffers, what: "another count", rebuilt: ["outbox"]) {
      var outbox = try $0.reading.single(OutboxRecord.self)
      outbox.count += 1
      try $0.put(outbox)
    },
    Breach(rule: .documentIndexDiffers, what: "a document in no list", rebuilt: accepted) {
      try deleteLast($0.spaces.documentOrder, &$0)
    },
    Breach(
      rule: .priceIndexDiffers, what: "a table that is gone", rebuilt: ["holdings and categories"],
      fromServer: ["price tables and assets"]
    ) {
      var record = try required($0.reading.pricedRecord(TestWorld.assets[0]))
      record.latest = nil
      try $0.base.put(
        $0.spaces.pricedAssets, try lastKey($0.spaces.pricedAssets, $0), record.record)
    },
    Breach(
      rule: .priceIndexDiffers, what: "another count of tables",
      rebuilt: ["holdings and categories"], fromServer: ["price tables and assets"]
    ) {
      try $0.put(TableCountRecord(count: 1_000))
    },
    Breach(rule: .successionsDiffer, what: "a successor of nobody", rebuilt: ["successions"]) {
      var record = SuccessionsRecord()
      record.successions[AssetKey(type: AssetType(unchecked: "x"), id: AssetID(unchecked: "x"))] =
        Successor(id: AssetID(unchecked: "y"), factor: .one, fromSlot: Slot(index: 0))
      try $0.put(record)
    },
    Breach(rule: .snapshotDiffers, what: "another digest", rebuilt: ["snapshots"]) {
      let record = SnapshotRecord.made(
        digest: .zero, assetCount: 1, unpricedCount: 0, staleCount: 0)
      try $0.base.put($0.spaces.snapshots, try lastKey($0.spaces.snapshots, $0), record.record)
    },
    Breach(rule: .snapshotNotClosed, what: "one of a slot to come", rebuilt: ["snapshots"]) {
      let slot = try required($0.reading.snapshotSlots()).upperBound.next
      try $0.base.put($0.spaces.snapshots, Keys.slot(slot), SnapshotRecord.outOfDateRecord)
    },
    Breach(
      rule: .damagedRecord, what: "a table that is none", rebuilt: ["holdings and categories"],
      fromServer: ["price tables and assets"]
    ) {
      try $0.base.put($0.spaces.prices, try lastKey($0.spaces.prices, $0), [0xff])
    },
    Breach(
      rule: .damagedRecord, what: "a transaction that is none",
      rebuilt: ["outbox", "holdings and categories"],
      lost: ["transaction 2, which had not come back in the log"]
    ) {
      try $0.base.put($0.spaces.outbox, Keys.sequence(2), [0xff])
    },
  ]

  struct NotThere: Error {}

  /// The value, which is there; a macro would capture the transaction.
  private static func required<T>(_ value: T?) throws -> T {
    guard let value else { throw NotThere() }
    return value
  }

  private static func lastKey(
    _ space: Database, _ transaction: borrowing StoreWriteTransaction
  ) throws -> [UInt8] {
    try required(transaction.base.last(space)).key
  }

  private static func deleteLast(
    _ space: Database, _ transaction: inout StoreWriteTransaction
  ) throws {
    let key = try lastKey(space, transaction)
    _ = try transaction.base.delete(space, key)
  }

  /// A store with something in every space: four entries of another device, one of its own, two that
  /// wait, prices, successors and snapshots.
  private func filled() throws -> StoreFixture {
    var (fixture, log) = try StoreFixture.joined()
    let start = Timestamp(known: "2026-02-20T07:00:00Z")
    for number in 0..<4 {
      let time = start.adding(milliseconds: Int64(number) * 30_000_000)
      try log.append(
        device: DeviceID(9), id: UInt64(number + 1), recordedAt: time, acceptedAt: time,
        [
          .adjust(TestWorld.assets[number], try Amount("2")),
          .categorize(TestWorld.assets[0], TestWorld.categories[number]),
          .put(
            DocumentPut(
              collection: TestWorld.collection, document: TestWorld.documents[number],
              set: [DocumentField(FieldPath(FieldName(unchecked: "type")), .string("x"))])),
        ])
    }
    try fixture.save(.add(TestWorld.assets[1], try Amount("1"), category: nil))
    log.accept(try fixture.pending()[0].transaction, at: fixture.clock.now())
    try fixture.pull(log)
    try fixture.save(.add(TestWorld.assets[0], try Amount("1"), category: nil))
    try fixture.save(.add(TestWorld.assets[2], try Amount("1"), category: nil))
    let through = Slot(containing: fixture.clock.now())
    try fixture.store.write { transaction in
      _ = try transaction.apply(
        PriceTablesPage(
          position: MarketPosition(epoch: 1, revision: 1, through: through), base: "USD",
          tables: [
            PriceTable(
              slot: Slot(index: through.index - 3),
              prices: [PricedAsset(asset: TestWorld.assets[0], price: try Price("3"))])
          ], isLast: true))
    }
    _ = try fixture.store.makeDueSnapshots()
    return fixture
  }

  private func shown(_ store: Store) throws -> [String] {
    try store.read { state in
      try state.holdings(includesHidden: true).map { asset in
        "\(asset.holding.asset) \(asset.holding.amount.decimalText) \(asset.holding.category.key)"
      } + [try state.digestBasis().stateDigest.text]
    }
  }

  @Test("F56: a rule that is broken is named, alone, and repaired", arguments: breaches)
  func breach(_ breach: Breach) throws {
    let fixture = try filled()
    #expect(try fixture.store.verify().problems == [])
    let before = try shown(fixture.store)
    try fixture.store.write { try breach.act(&$0) }
    let problems = try fixture.store.verify().problems
    #expect(Set(problems.map(\.rule)) == [breach.rule], "\(problems)")
    let report = try fixture.store.repair()
    #expect(report.problems == [])
    #expect(report.rebuilt == breach.rebuilt)
    #expect(report.fromServer == breach.fromServer)
    #expect(report.lost == breach.lost)
    #expect(try fixture.store.verify().problems == [])
    if breach.fromServer.allSatisfy({ !$0.hasPrefix("the log") }), breach.lost.isEmpty {
      #expect(try shown(fixture.store) == before)
    }
    // What was there before is kept, and can be looked at.
    let copy = try #require(report.copy?.split(separator: "/").last)
    try fixture.folder.makeFolder("copy")
    let bytes = try fixture.folder.bytes(of: "store/\(copy)")
    try fixture.folder.write(bytes, to: "copy/data.mdb")
    if breach.rule != .formatMissing {
      let store = try Store.open(at: fixture.folder.path + "/copy", fixture.options)
      #expect(try !store.verify().isSound)
      store.close()
    }
  }

  @Test("each rule is broken by a test")
  func all() {
    let tested = Set(Self.breaches.map(\.rule))
    #expect(Set(IntegrityProblem.Rule.allCases).subtracting(tested) == [.damagedPages])
  }

  /// Where pages are damaged nothing is written on them.
  @Test func damagedPagesAreLeftAlone() throws {
    let fixture = try filled()
    fixture.store.close()
    var bytes = try fixture.folder.bytes(of: "store/data.mdb")
    // The number of a page, in its own head, is another's.
    for page in 2..<bytes.count / 4_096 where bytes[page * 4_096] == UInt8(truncatingIfNeeded: page)
    {
      bytes[page * 4_096 + 1] ^= 0x40
    }
    try fixture.folder.write(bytes, to: "store/data.mdb")
    guard (try? fixture.reopen()) != nil else { return }
    let problems = try fixture.store.verify().problems
    #expect(problems.contains { $0.rule == .damagedPages }, "\(problems)")
    let report = try fixture.store.repair()
    #expect(report.copy == nil)
    #expect(report.problems == problems)
    #expect(try fixture.folder.bytes(of: "store/data.mdb") == bytes)
  }
}
