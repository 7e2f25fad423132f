import FolioCrypto
import FolioDomain
import FolioStore
import StoreWorld
import TestSupport
import Testing

@Suite struct HoldingsTests {
  let bitcoin = TestWorld.assets[0]
  let ether = TestWorld.assets[1]
  let acme = TestWorld.assets[2]

  func categories(_ fixture: StoreFixture, all: Bool = false) throws -> [String] {
    try fixture.store.read {
      try $0.categories(includesHidden: all).map(\.category.spelling.text)
    }
  }

  @Test func mapsAreReadByTypeAndByCategory() throws {
    let fixture = try StoreFixture()
    let fun = try Category(named: "Fun")
    try fixture.save(
      .add(bitcoin, try Amount("1"), category: nil), .add(ether, try Amount("2"), category: fun),
      .add(acme, try Amount("3"), category: fun))
    let (crypto, inFun, ofType, all) = try fixture.store.read { transaction in
      (
        try transaction.holdings(.type(.crypto)), try transaction.holdings(.category(fun.key)),
        try transaction.holdings(.category(CategoryKey(unchecked: "crypto"))),
        try transaction.holdings()
      )
    }
    #expect(crypto.map(\.holding.asset) == [bitcoin, ether])
    #expect(inFun.map(\.holding.asset) == [ether, acme])
    #expect(ofType.map(\.holding.asset) == [bitcoin])
    #expect(all.map(\.holding.asset) == [bitcoin, ether, acme])
    #expect(try categories(fixture) == ["crypto", "Fun"])
  }

  @Test("F56 renaming and moving keep the two maps in bijection")
  func renamingMovesEverything() throws {
    let fixture = try StoreFixture()
    let fun = try Category(named: "Fun")
    let savings = try Category(named: "Savings")
    try fixture.save(
      .add(bitcoin, try Amount("1"), category: fun), .add(acme, try Amount("1"), category: fun))
    try fixture.save(.renameCategory(fun.key, to: savings))
    #expect(try categories(fixture) == ["Savings"])
    #expect(try fixture.store.read { try $0.assets(in: fun.key) }.isEmpty)
    try fixture.save(.move(acme, to: fun))
    #expect(try fixture.store.read { try $0.assets(in: savings.key) } == [bitcoin])
    // Onto a name that exists, it merges.
    try fixture.save(.renameCategory(savings.key, to: fun))
    #expect(try fixture.store.read { try $0.assets(in: fun.key) } == [bitcoin, acme])
    #expect(try fixture.store.verify().isSound)
  }

  @Test("F57 categories are in the log, and are there after a restore")
  func categoriesSurviveARestore() throws {
    let fixture = try StoreFixture()
    var log = TestLog()
    try fixture.save(.add(bitcoin, try Amount("1"), category: try Category(named: "Für später")))
    for pending in try fixture.store.read({
      try $0.pending(after: 0, maxCount: 9, maxByteCount: .max)
    }) {
      log.accept(pending.transaction, at: fixture.clock.now())
    }
    let restored = try StoreFixture(seed: 2)
    let entries = log.entries
    try restored.store.write { _ = try $0.apply(entries) }
    #expect(try categories(restored) == ["Für später"])
  }

  @Test func aCategoryWithHiddenAssetsAloneIsHidden() throws {
    let fixture = try StoreFixture()
    var log = TestLog()
    let time = Timestamp(known: "2026-02-20T07:00:00Z")
    let fun = TestWorld.categories[2]
    try log.append(
      device: DeviceID(9), id: 1, recordedAt: time, acceptedAt: time,
      [.adjust(bitcoin, try Amount("1")), .categorize(bitcoin, fun)])
    let later = time.adding(milliseconds: 100_000_000)
    try log.append(
      device: DeviceID(9), id: 2, recordedAt: later, acceptedAt: later,
      [.adjust(bitcoin, try Amount("-1"))])
    let entries = log.entries
    let through = Slot(containing: fixture.clock.now())
    try fixture.store.write { _ = try $0.apply(entries) }
    // It was in no closed snapshot: it is gone.
    #expect(try fixture.amount(bitcoin) == nil)
    #expect(try categories(fixture, all: true) == [])
    try fixture.store.write { transaction in
      _ = try transaction.apply(
        PriceTablesPage(
          position: MarketPosition(epoch: 1, revision: 0, through: through), base: "USD",
          tables: [], isLast: true))
    }
    // Now slots have closed in which it was held: it stays, with amount 0.
    #expect(try fixture.amount(bitcoin) == "0")
    #expect(try categories(fixture) == [])
    #expect(try categories(fixture, all: true) == ["Fun"])
    #expect(try fixture.store.read { try $0.holdings() }.isEmpty)
    #expect(try fixture.store.read { try $0.holdings(includesHidden: true) }.count == 1)
    #expect(try fixture.store.verify().isSound)
  }

  @Test func deletingSaysWhetherItIsGone() throws {
    let fixture = try StoreFixture()
    try fixture.save(.add(bitcoin, try Amount("1"), category: nil))
    #expect(try fixture.save(.delete(bitcoin)).outcomes == [.removed(bitcoin)])
    #expect(throws: EditError.assetNotFound) { try fixture.save(.delete(bitcoin)) }
    #expect(try fixture.store.read { try $0.status().outbox.count } == 2)
  }

  @Test func sellingMoreThanIsHeldIsRefusedAndSavesNothing() throws {
    let fixture = try StoreFixture()
    try fixture.save(.add(bitcoin, try Amount("1"), category: nil))
    #expect(throws: EditError.self) {
      try fixture.save(
        .add(acme, try Amount("5"), category: nil), .add(bitcoin, try Amount("-2"), category: nil))
    }
    #expect(try fixture.amount(acme) == nil)
    #expect(try fixture.store.read { try $0.status().outbox.count } == 1)
  }

  @Test("F59 transactions of the same millisecond are two")
  func sameMomentIsTwoTransactions() throws {
    let fixture = try StoreFixture()
    let first = try fixture.save(.add(bitcoin, try Amount("1"), category: nil))
    let second = try fixture.save(.add(bitcoin, try Amount("1"), category: nil))
    #expect(first.transaction != second.transaction)
    let pending = try fixture.store.read {
      try $0.pending(after: 0, maxCount: 9, maxByteCount: .max)
    }
    #expect(pending.map(\.transaction.recordedAt) == [fixture.clock.now(), fixture.clock.now()])
    #expect(try fixture.amount(bitcoin) == "2")
  }

  @Test("F23 a transaction larger than can be sent is refused when it is saved, with the limit")
  func tooLargeIsRefusedWhenSaved() throws {
    let fixture = try StoreFixture()
    let edits = try (0..<4_000).map { number -> Edit in
      .add(
        try AssetKey("stock:a-rather-long-name-of-a-stock-\(number)"), try Amount("1"),
        category: nil)
    }
    let error = #expect(throws: StoreError.self) {
      try fixture.store.write { try $0.save(edits) }
    }
    guard case .bodyTooLarge(let byteCount, let max) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(byteCount > max)
    #expect(max == 192 * 1_024)
    #expect(error?.message.contains("196608") == true)
    #expect(try fixture.store.read { try $0.holdings() }.isEmpty)
    #expect(try fixture.store.read { try $0.status().outbox.count } == 0)
  }

  @Test func outboxIsBoundedAndSaysSoBefore() throws {
    let fixture = try StoreFixture {
      $0.outbox.countMax = 5
      $0.outbox.byteCountMax = 10_000
    }
    for number in 1...5 {
      try fixture.save(.add(bitcoin, try Amount("1"), category: nil))
      let status = try fixture.store.read { try $0.status().outbox }
      #expect(status.count == number)
      #expect(status.isNearlyFull == (number >= 4))
    }
    let bytes = try fixture.store.read { try $0.status().outbox.byteCount }
    #expect(
      throws: StoreError.outboxFull(count: 5, countMax: 5, byteCount: bytes, byteCountMax: 10_000)
    ) { try fixture.save(.add(bitcoin, try Amount("1"), category: nil)) }
    #expect(try fixture.amount(bitcoin) == "5")
    let small = try StoreFixture { $0.outbox.byteCountMax = 100 }
    try small.save(.add(bitcoin, try Amount("1"), category: nil))
    let error = #expect(throws: StoreError.self) {
      try small.save(.add(bitcoin, try Amount("1"), category: nil))
    }
    #expect(error?.code == "outboxFull")
  }

  @Test func nothingIsSavedWhileARestoreIsUnderWay() throws {
    let fixture = try StoreFixture()
    try fixture.store.write { try $0.setRestoring(true) }
    #expect(throws: StoreError.restoreUnfinished) {
      try fixture.save(.add(bitcoin, try Amount("1"), category: nil))
    }
    try fixture.store.write { try $0.setRestoring(false) }
    try fixture.save(.add(bitcoin, try Amount("1"), category: nil))
  }

  @Test func settingsAndUnsavedEditsAreKept() throws {
    let fixture = try StoreFixture()
    try fixture.store.write { transaction in
      try transaction.setSetting("currency", to: Array("EUR".utf8))
      try transaction.setSetting("zone", to: [1])
      try transaction.setUnsavedEdit([7])
    }
    try fixture.reopen()
    try fixture.store.write { try $0.setSetting("zone", to: nil) }
    let (currency, names, edit) = try fixture.store.read {
      (try $0.setting("currency"), try $0.settingNames(), try $0.unsavedEdit())
    }
    #expect(currency == Array("EUR".utf8))
    #expect(names == ["currency"])
    #expect(edit == [7])
  }
}
