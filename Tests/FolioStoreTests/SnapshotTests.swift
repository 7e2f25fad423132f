import FolioCrypto
import FolioDomain
import FolioStore
import StoreWorld
import TestSupport
import Testing

@Suite struct SnapshotTests {
  let bitcoin = TestWorld.assets[0]
  let ether = TestWorld.assets[1]
  let euro = TestWorld.assets[3]
  let slot = Slot(containing: Timestamp(known: "2026-02-01T06:00:00Z"))

  /// A store, its log and its market.
  final class World {
    let fixture: StoreFixture
    var log = TestLog()
    var revision: UInt64 = 0
    var id: UInt64 = 0

    init() throws { fixture = try StoreFixture() }

    var store: Store { fixture.store }

    func entry(at time: Timestamp, _ operations: FolioDomain.Operation...) throws {
      id += 1
      try log.append(
        device: DeviceID(UInt128(id)), id: id, recordedAt: time, acceptedAt: time, operations)
      let page = log.page(after: log.head.seq - 1)
      try store.write { _ = try $0.apply(page) }
    }

    func tables(through: Slot, _ tables: [(Slot, [(AssetKey, String)])] = []) throws {
      revision += 1
      let page = PriceTablesPage(
        position: MarketPosition(epoch: 1, revision: revision, through: through), base: "USD",
        tables: try tables.map { slot, prices in
          PriceTable(
            slot: slot, prices: try prices.map { PricedAsset(asset: $0.0, price: try Price($0.1)) })
        }, isLast: true)
      try store.write { _ = try $0.apply(page) }
    }

    func make() throws -> [Int] {
      let made = try store.makeDueSnapshots()
      return [made.made, made.remade]
    }

    func value(_ slot: Slot) throws -> String {
      try store.read { try $0.snapshot(slot).totals.value.text }
    }
  }

  @Test func thirtyHoursAwayMakesFiveSnapshots() throws {
    let world = try World()
    try world.entry(at: slot.start, .adjust(bitcoin, try Amount("2")))
    try world.tables(through: slot.advanced(by: 1))
    #expect(try world.make() == [1, 0])
    let tables = (2...6).map { (slot.advanced(by: $0), [(bitcoin, "\($0)")]) }
    try world.tables(through: slot.advanced(by: 6), tables)
    #expect(try world.make() == [5, 0])
    #expect(try world.make() == [0, 0])
    #expect(try world.value(slot.advanced(by: 6)) == "12")
  }

  @Test func whatHappensAtTheBoundaryIsInTheNextSnapshot() throws {
    let world = try World()
    let six = Timestamp(known: "2026-02-01T06:00:00Z")
    try world.entry(at: six.adding(milliseconds: -1), .adjust(bitcoin, try Amount("2")))
    try world.entry(at: six, .adjust(bitcoin, try Amount("3")))
    try world.tables(through: slot.advanced(by: 2))
    #expect(try world.make() == [3, 0])
    let amounts = try (0...1).map { offset in
      try world.store.read {
        try $0.snapshot(slot.advanced(by: offset)).assets.map(\.amount.decimalText)
      }
    }
    #expect(amounts == [["2"], ["5"]])
  }

  @Test func snapshotsThatAreNotThereAreRefusedByName() throws {
    let world = try World()
    func digest(_ slot: Slot) throws { _ = try world.store.read { try $0.snapshotDigest(slot) } }
    #expect(throws: StoreError.noSnapshots) { try digest(slot) }
    try world.entry(at: slot.start, .adjust(bitcoin, try Amount("2")))
    #expect(throws: StoreError.noSnapshots) { try digest(slot) }
    let (first, last) = (slot.advanced(by: 1), slot.advanced(by: 3))
    try world.tables(through: last)
    #expect(throws: StoreError.snapshotOutOfDate(last)) { try digest(last) }
    #expect(try world.make() == [3, 0])
    try digest(last)
    #expect(throws: StoreError.snapshotBeforeFirst(slot, first: first)) { try digest(slot) }
    let after = slot.advanced(by: 4)
    #expect(throws: StoreError.snapshotNotClosed(after, through: last)) { try digest(after) }
  }

  @Test("F53 a late table re-prices its snapshot and those that carried from it, and only those")
  func lateTablesRemakeWhatTheyConcern() throws {
    let world = try World()
    try world.entry(at: slot.start, .adjust(bitcoin, try Amount("2")))
    func table(_ offset: Int, _ asset: AssetKey, _ price: String) -> (Slot, [(AssetKey, String)]) {
      (slot.advanced(by: offset), [(asset, price)])
    }
    try world.tables(
      through: slot.advanced(by: 10), [table(1, bitcoin, "3"), table(6, bitcoin, "4")])
    #expect(try world.make() == [10, 0])
    let before = try world.store.read { transaction in
      try [1, 2, 3, 5, 6].map { try transaction.snapshotDigest(slot.advanced(by: $0)) }
    }
    // Of an asset that nobody holds: nothing is concerned.
    try world.tables(through: slot.advanced(by: 10), [table(2, ether, "9")])
    #expect(try world.make() == [0, 0])
    try world.tables(through: slot.advanced(by: 10), [table(3, bitcoin, "5")])
    #expect(throws: StoreError.snapshotOutOfDate(slot.advanced(by: 4))) {
      try world.value(slot.advanced(by: 4))
    }
    #expect(try world.value(slot.advanced(by: 6)) == "8")
    #expect(try world.make() == [0, 3])
    let after = try world.store.read { transaction in
      try [1, 2, 3, 5, 6].map { try transaction.snapshotDigest(slot.advanced(by: $0)) }
    }
    #expect(zip(before, after).map { $0 == $1 } == [true, true, false, false, true])
    #expect(
      try (1...6).map { try world.value(slot.advanced(by: $0)) } == [
        "6", "6", "10", "10", "10", "8",
      ])
    #expect(try world.store.verify().isSound)
  }

  @Test func lateTransactionRemakesWhatComesAfterIt() throws {
    let world = try World()
    try world.entry(at: slot.start, .adjust(bitcoin, try Amount("2")))
    try world.tables(through: slot.advanced(by: 8), [(slot, [(bitcoin, "1")])])
    #expect(try world.make() == [8, 0])
    try world.entry(at: slot.advanced(by: 5).start, .adjust(bitcoin, try Amount("1")))
    let listed = try world.store.read { transaction in
      var found: [Bool] = []
      try transaction.snapshots { found.append($0.digest != nil) }
      return found
    }
    #expect(listed == [true, true, true, true, true, false, false, false])
    #expect(try world.make() == [0, 3])
    #expect(try world.value(slot.advanced(by: 6)) == "3")
    // One before all others brings snapshots of its own.
    try world.entry(at: slot.advanced(by: -3).start, .adjust(bitcoin, try Amount("1")))
    #expect(try world.make() == [3, 8])
    // A document changes no holding.
    let put = DocumentPut(collection: TestWorld.collection, document: TestWorld.documents[0])
    try world.entry(at: slot.advanced(by: 2).start, .put(put))
    #expect(try world.make() == [0, 0])
    #expect(try world.store.verify().isSound)
  }

  @Test func successorPricesWhatItSucceedsFromItsSlotOn() throws {
    let world = try World()
    try world.entry(at: slot.start, .adjust(euro, try Amount("10")))
    let new = AssetKey(type: .forex, id: AssetID(unchecked: "NEW"))
    try world.tables(
      through: slot.advanced(by: 6),
      [(slot.advanced(by: 1), [(euro, "2"), (new, "30")])])
    #expect(try world.make() == [6, 0])
    let row = AssetInfo(
      asset: euro, symbol: "E", name: "Old",
      successor: Successor(
        id: new.id, factor: try Price("0.5"), fromSlot: slot.advanced(by: 4)))
    let tag = Hash256(words: (1, 1, 1, 1))
    try world.store.write {
      try $0.apply(AssetsPage(tag: tag, assets: [row], isFirst: true, isLast: true))
    }
    #expect(try world.make() == [0, 3])
    #expect(try (3...4).map { try world.value(slot.advanced(by: $0)) } == ["20", "150"])
    #expect(try world.store.read { try $0.holding(euro)?.value?.text } == "150")
    #expect(try world.store.verify().isSound)
  }

  @Test func listIsWhatEachSnapshotIs() throws {
    let world = try World()
    for offset in 0..<20 {
      try world.entry(
        at: slot.advanced(by: offset).start.adding(milliseconds: 5),
        .adjust(TestWorld.assets[offset % 5], try Amount("\(offset % 3)")),
        .categorize(TestWorld.assets[offset % 5], TestWorld.categories[offset % 4]))
    }
    try world.tables(
      through: slot.advanced(by: 24),
      (0..<24).map { (slot.advanced(by: $0), [(TestWorld.assets[$0 % 4], "\($0).5")]) })
    #expect(try world.make() == [24, 0])
    var listed: [SnapshotSummary] = []
    try world.store.read { transaction in
      try transaction.snapshots(from: slot.advanced(by: 3), to: slot.advanced(by: 9)) {
        listed.append($0)
      }
    }
    #expect(listed.map(\.slot) == (3...9).map { slot.advanced(by: $0) })
    for summary in listed {
      let snapshot = try world.store.read { try $0.snapshot(summary.slot) }
      #expect(snapshot.totals == summary.totals)
      #expect(SnapshotDigest.digest(of: snapshot, using: SHA256.self) == summary.digest)
    }
  }

  @Test func provisionalSnapshotHasWhatIsPending() throws {
    let world = try World()
    try world.entry(at: slot.start, .adjust(bitcoin, try Amount("2")))
    try world.tables(through: slot.advanced(by: 2), [(slot.advanced(by: 1), [(bitcoin, "3")])])
    #expect(try world.make() == [2, 0])
    try world.fixture.save(.add(bitcoin, try Amount("1"), category: nil))
    let now = try world.store.read { try $0.provisionalSnapshot() }
    #expect(now.totals.value.text == "9")
    #expect(try world.value(slot.advanced(by: 2)) == "6")
    #expect(try world.make() == [0, 0])
  }

  @Test func makingGoesOnWhereItWasInterrupted() throws {
    let faults = FailingSteps()
    let fixture = try StoreFixture { $0.faults = faults }
    var log = TestLog()
    try log.append(
      device: DeviceID(1), id: 1, recordedAt: slot.start, acceptedAt: slot.start,
      [.adjust(bitcoin, try Amount("2"))])
    let entries = log.entries
    let through = slot.advanced(by: 5_000)
    try fixture.store.write { transaction in
      _ = try transaction.apply(entries)
      _ = try transaction.apply(
        PriceTablesPage(
          position: MarketPosition(epoch: 1, revision: 1, through: through), base: "USD",
          tables: [], isLast: true))
    }
    faults.fail(after: 3_000)
    #expect(throws: StoreError.self) { _ = try fixture.store.makeDueSnapshots() }
    _ = faults.disarm()
    var progress: [Int] = []
    let made = try fixture.store.makeDueSnapshots { done, of in
      #expect(done <= of)
      progress.append(done)
    }
    #expect(made.made == 5_000 - 2_048)
    #expect(progress == progress.sorted())
    #expect(try fixture.store.makeDueSnapshots() == SnapshotsMade())
    #expect(try fixture.store.verify().isSound)
  }

  @Test func manyMadeAtOnceAreThoseMadeInParts() throws {
    let world = try World()
    let other = try World()
    let last = slot.advanced(by: 10_000)
    for world in [world, other] {
      for step in stride(from: 0, to: 10_000, by: 700) {
        try world.entry(
          at: slot.advanced(by: step).start, .adjust(bitcoin, try Amount("\(step + 1)")))
      }
      let priced = slot.advanced(by: 3_000)
      try world.tables(through: priced, [(priced, [(bitcoin, "3")])])
    }
    #expect(try other.make() == [3_000, 0])
    for world in [world, other] { try world.tables(through: last, [(last, [(bitcoin, "5")])]) }
    #expect(try other.make() == [7_000, 0])
    // So many that two threads share them.
    var progress: [Int] = []
    let made = try world.store.makeDueSnapshots { done, of in
      #expect(of == 10_000)
      progress.append(done)
    }
    #expect(made.made == 10_000)
    #expect(progress == progress.sorted() && progress.last == 10_000)
    let digests = try [world, other].map { world in
      try world.store.read { state in
        try (1...10_000).map {
          try state.snapshotDigest(slot.advanced(by: $0))
        }
      }
    }
    #expect(digests[0] == digests[1])
    #expect(try world.make() == [0, 0])
    #expect(try world.store.verify().isSound)
  }

  @Test func digestsAreStatedWithWhatTheyRestOn() throws {
    let world = try World()
    try world.entry(at: slot.start, .adjust(bitcoin, try Amount("2")))
    try world.tables(through: slot.advanced(by: 2))
    let basis = try world.store.read { try $0.digestBasis() }
    #expect(basis.position == world.log.head)
    #expect(basis.marketEpoch == 1)
    #expect(basis.revision == 1)
    #expect(basis.assetsTag == nil)
    #expect(basis.through == slot.advanced(by: 2))
  }
}
