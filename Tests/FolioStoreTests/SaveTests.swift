import FolioCrypto
import FolioDomain
import FolioStore
import StoreWorld
import TestSupport
import Testing

@Suite struct SaveTests {
  let bitcoin: AssetKey
  let dollar: AssetKey

  init() throws {
    bitcoin = try AssetKey("crypto:bitcoin")
    dollar = try AssetKey("forex:USD")
  }

  @Test func savedEditsAreShownAndPending() throws {
    let fixture = try StoreFixture()
    let saved = try fixture.save(
      .add(bitcoin, try Amount("0.5"), category: try Category(named: "Savings")))
    #expect(saved.operationCount == 2)
    #expect(saved.transaction != nil)
    #expect(try fixture.amount(bitcoin) == "0.5")
    let status = try fixture.store.read { try $0.status() }
    #expect(status.outbox.count == 1)
    #expect(status.lastSequence == 1)
    let held = try fixture.store.read {
      try $0.holdings(.category(CategoryKey(unchecked: "savings")))
    }
    #expect(held.map(\.holding.asset) == [bitcoin])
    #expect(held.first?.isPending == true)
  }

  @Test("F58 a save is there after the store is opened again, the second of a pair too")
  func everySaveIsDurable() throws {
    let fixture = try StoreFixture()
    try fixture.save(.add(bitcoin, try Amount("1"), category: nil))
    try fixture.save(.add(bitcoin, try Amount("2"), category: nil))
    try fixture.reopen()
    #expect(try fixture.amount(bitcoin) == "3")
    #expect(try fixture.store.read { try $0.status().outbox.count } == 2)
  }

  @Test("F60 an amount set to 0 is set") func zeroIsAnAmount() throws {
    let fixture = try StoreFixture()
    try fixture.save(.add(bitcoin, try Amount("1"), category: nil))
    try fixture.save(.set(bitcoin, .zero))
    #expect(try fixture.amount(bitcoin) == nil)
    #expect(try fixture.store.read { try $0.holding(of: bitcoin).amount } == .zero)
  }

  @Test func editsThatCancelMakeNoTransaction() throws {
    let fixture = try StoreFixture()
    let saved = try fixture.save(
      .add(bitcoin, try Amount("0.5"), category: nil),
      .add(bitcoin, try Amount("-0.5"), category: nil))
    #expect(saved.transaction == nil)
    #expect(saved.operationCount == 0)
    #expect(try fixture.store.read { try $0.status().outbox.count } == 0)
  }

  @Test func ownEntryLeavesTheOutboxWhenItComesBack() throws {
    let fixture = try StoreFixture()
    try fixture.save(.add(bitcoin, try Amount("0.5"), category: nil))
    var log = TestLog()
    let pending = try fixture.store.read {
      try $0.pending(after: 0, maxCount: 10, maxByteCount: 1 << 20)
    }
    log.accept(pending[0].transaction, at: fixture.clock.now())
    let result = try fixture.store.write { transaction in
      try transaction.join(account: log.account, server: 5, log: log.id)
      return try transaction.apply(log.page(after: 0))
    }
    #expect(result.ownCount == 1)
    #expect(try fixture.amount(bitcoin) == "0.5")
    let status = try fixture.store.read { try $0.status() }
    #expect(status.outbox.count == 0)
    #expect(status.outbox.byteCount == 0)
    #expect(status.position == log.head)
    var model = AcceptedState()
    for chained in log.entries { model.apply(chained.entry, hash: chained.hash) }
    #expect(status.stateDigest == model.digest(using: SHA256.self).value)
  }
}
