import FolioDomain
import FolioStore
import StoreWorld
import TestSupport
import Testing

/// A store whose folder was copied: two write under one identity, until one takes another.
@Suite struct CopiedStoreTests {
  let bitcoin = TestWorld.assets[0]
  let now = Timestamp(known: "2026-03-01T07:00:00Z")

  @Test func newIdentityNumbersWhatIsPendingAnew() throws {
    let fixture = try StoreFixture()
    var log = TestLog()
    try fixture.save(.add(bitcoin, try Amount("1"), category: nil))
    log.accept(try fixture.pending()[0].transaction, at: now)
    let entries = log.entries
    try fixture.store.write { _ = try $0.apply(entries) }
    try fixture.save(.add(bitcoin, try Amount("2"), category: TestWorld.categories[0]))
    try fixture.save(.move(bitcoin, to: TestWorld.categories[2]))
    let before = try fixture.pending()
    let device = try fixture.store.write { try $0.takeNewIdentity() }
    let after = try fixture.pending()
    #expect(after.map(\.transaction.deviceSequence) == [1, 2])
    #expect(after.map(\.transaction.device) == [device, device])
    #expect(after.map(\.transaction.id) == before.map(\.transaction.id))
    #expect(after.map(\.transaction.body) == before.map(\.transaction.body))
    #expect(try fixture.amount(bitcoin) == "3")
    let status = try fixture.store.read { try $0.status() }
    #expect(status.device == device)
    #expect(status.lastSequence == 2)
    #expect(try fixture.store.read { try $0.ownTransaction(at: 1) } == after[0].transaction.id)
    #expect(try fixture.store.verify().isSound)
  }

  /// The copy had sent one of two before its twin noticed: that one is in the log under the old
  /// identity, and its new sequence is still to be used up.
  @Test func whatTheOldIdentitySentLeavesAPlaceholder() throws {
    let fixture = try StoreFixture()
    var log = TestLog()
    try fixture.save(.add(bitcoin, try Amount("1"), category: nil))
    try fixture.save(.add(bitcoin, try Amount("2"), category: nil))
    let old = try fixture.pending()
    log.accept(old[0].transaction, at: now)
    try fixture.store.write { _ = try $0.takeNewIdentity() }
    let entries = log.entries
    let result = try fixture.store.write { try $0.apply(entries) }
    #expect(result.changedOnBothSides.isEmpty)
    #expect(try fixture.amount(bitcoin) == "3")
    let left = try fixture.pending()
    #expect(left.map(\.isVoid) == [true, false])
    #expect(left.map(\.transaction.deviceSequence) == [1, 2])
    // The server finds the id known, and makes a void entry that uses the sequence up.
    var void = left[0].transaction
    void.body = TransactionBody.duplicateBody(first: 1)
    log.accept(void, at: now, kind: .void)
    log.accept(left[1].transaction, at: now)
    let rest = log.page(after: 1)
    try fixture.store.write { _ = try $0.apply(rest) }
    #expect(try fixture.pending().isEmpty)
    #expect(try fixture.amount(bitcoin) == "3")
    #expect(try fixture.store.read { try $0.rejected() }.isEmpty)
    #expect(try fixture.store.verify().isSound)
  }
}
