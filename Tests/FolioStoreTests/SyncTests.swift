import FolioCrypto
import FolioDomain
import FolioJSON
import FolioStore
import StoreWorld
import TestSupport
import Testing

@Suite struct SyncTests {
  let bitcoin = TestWorld.assets[0]
  let ether = TestWorld.assets[1]
  let other = DeviceID(9)
  let now = Timestamp(known: "2026-03-01T07:00:00Z")

  @Test func entryThatDoesNotFollowIsRefused() throws {
    var (fixture, log) = try StoreFixture.joined()
    for id in 1...3 { try log.append(id: UInt64(id), .adjust(bitcoin, try Amount("1"))) }
    let entries = log.entries
    #expect(throws: StoreError.entryOutOfOrder(expected: 1, found: 2)) {
      try fixture.store.write { try $0.apply([entries[1]]) }
    }
    try fixture.pull(log)
    #expect(throws: StoreError.entryOutOfOrder(expected: 4, found: 3)) {
      try fixture.store.write { try $0.apply([entries[2]]) }
    }
    #expect(try fixture.amount(bitcoin) == "3")
  }

  @Test func gapInADevicesSequenceIsRefusedAndHoldsTheCursor() throws {
    var (fixture, log) = try StoreFixture.joined()
    let body = try TransactionBody(seen: nil, operations: []).encoded()
    let envelope = Envelope(
      id: TransactionID(1), device: other, deviceSequence: 2, recordedAt: now, body: body)
    log.accept(envelope, at: now)
    let log2 = log
    #expect(
      throws: StoreError.deviceSequenceOutOfOrder(device: other, expected: 1, found: 2)
    ) { try fixture.pull(log2) }
    #expect(try fixture.store.read { try $0.status().position } == nil)
  }

  @Test func stubIsRefused() throws {
    var (fixture, log) = try StoreFixture.joined()
    try log.append(id: 1, .adjust(bitcoin, try Amount("1")))
    var entry = log.entries[0]
    entry.entry.isStub = true
    let stub = entry
    #expect(throws: StoreError.bodyMissing(seq: 1)) {
      try fixture.store.write { try $0.apply([stub]) }
    }
  }

  @Test("F07 what was not sent survives forgetting the log, and reading another one")
  func unsentWritesSurviveAReset() throws {
    var (fixture, log) = try StoreFixture.joined()
    try log.append(id: 1, .adjust(bitcoin, try Amount("5")))
    try fixture.pull(log)
    try fixture.save(.add(bitcoin, try Amount("2"), category: TestWorld.categories[2]))
    let before = try fixture.pending()
    try fixture.store.write { try $0.forgetLog() }
    #expect(try fixture.pending() == before)
    #expect(try fixture.amount(bitcoin) == "2")
    #expect(try fixture.store.verify().isSound)
    var another = TestLog()
    try another.append(id: 2, .adjust(bitcoin, try Amount("7")))
    let entries = another.entries
    _ = try fixture.store.write { transaction in
      try transaction.beginRebuild()
      try transaction.stage(entries)
      return try transaction.finishRebuild(log: LogID(5), stable: 0)
    }
    #expect(try fixture.pending() == before)
    #expect(try fixture.amount(bitcoin) == "9")
    #expect(try fixture.store.verify().isSound)
  }

  @Test("F08 only a lasting result takes a transaction out of the outbox")
  func onlyALastingResultRemoves() throws {
    let (fixture, _) = try StoreFixture.joined()
    try fixture.save(.add(bitcoin, try Amount("2"), category: nil))
    let id = try #require(try fixture.pending().first?.transaction.id)
    try fixture.store.write { transaction in
      try transaction.acknowledge(sequence: 1, id: id)
      try transaction.recordDivergence()
      try transaction.recordSync(skewMilliseconds: 5, nextTablesAt: nil)
    }
    try fixture.reopen()
    #expect(try fixture.pending().count == 1)
    let status = try fixture.store.read { try $0.status() }
    #expect(status.acknowledged?.sequence == 1)
    #expect(status.divergences == [fixture.clock.now()])
    #expect(status.skewMilliseconds == 5)
  }

  @Test func transactionThatIsGivenUpKeepsItsSequenceAndIsListed() throws {
    var (fixture, log) = try StoreFixture.joined()
    try fixture.save(.add(bitcoin, try Amount("2"), category: nil))
    try fixture.save(.add(bitcoin, try Amount("3"), category: nil))
    let first = try fixture.pending()[0].transaction
    try fixture.store.write { try $0.void(first.id, reason: "tooLarge") }
    #expect(try fixture.amount(bitcoin) == "3")
    let placeholder = try fixture.pending()[0]
    #expect(placeholder.isVoid)
    #expect(placeholder.transaction.deviceSequence == 1)
    #expect(placeholder.transaction.body == Array("{\"reason\":\"tooLarge\"}".utf8))
    log.accept(placeholder.transaction, at: now, kind: .void)
    try fixture.pull(log)
    #expect(try fixture.pending().map(\.transaction.deviceSequence) == [2])
    let rejected = try fixture.store.read { try $0.rejected() }
    #expect(rejected.map(\.reason) == ["tooLarge"])
    #expect(rejected[0].body == first.body)
    #expect(throws: StoreError.notPending(first.id)) {
      try fixture.store.write { try $0.void(first.id, reason: "again") }
    }
  }

  @Test func ownTransactionFoundVoidIsListedWithItsReason() throws {
    var (fixture, log) = try StoreFixture.joined()
    try fixture.save(.add(bitcoin, try Amount("2"), category: nil))
    var envelope = try fixture.pending()[0].transaction
    envelope.body = TransactionBody.placeholderBody(reason: "revoked")
    log.accept(envelope, at: now, kind: .void)
    try fixture.pull(log)
    #expect(try fixture.amount(bitcoin) == nil)
    #expect(try fixture.store.read { try $0.rejected() }.map(\.reason) == ["revoked"])
    #expect(try fixture.store.verify().isSound)
  }

  @Test("F10 own entries do not come back as changes, and raise nothing that was deleted since")
  func ownEntriesAreNoChanges() throws {
    var (fixture, log) = try StoreFixture.joined()
    try fixture.save(.add(bitcoin, try Amount("2"), category: nil))
    log.accept(try fixture.pending()[0].transaction, at: now)
    try fixture.save(.delete(bitcoin))
    let result = try fixture.pull(log)
    #expect(result.ownCount == 1)
    #expect(result.foreignCount == 0)
    #expect(result.changedOnBothSides.isEmpty)
    #expect(try fixture.amount(bitcoin) == nil)
  }

  @Test func assetsChangedOnBothSidesAreNamedOnce() throws {
    var (fixture, log) = try StoreFixture.joined()
    try log.append(id: 1, .adjust(bitcoin, try Amount("4")), .adjust(ether, try Amount("4")))
    try fixture.pull(log)
    let seen = Seen(log: log.id, position: log.head)
    try fixture.save(.set(bitcoin, try Amount("10")))
    // The other device sets it too, not knowing; what it does to the second is nobody else's.
    try log.append(id: 2, seen: seen, .adjust(bitcoin, try Amount("6")))
    try log.append(id: 3, seen: seen, .adjust(ether, try Amount("6")))
    log.accept(try fixture.pending()[0].transaction, at: now)
    // This one has not read the last, which is in the log before it.
    try log.append(id: 4, seen: seen, .adjust(bitcoin, try Amount("1")))
    let result = try fixture.pull(log)
    #expect(result.changedOnBothSides == [bitcoin])
    #expect(try fixture.amount(bitcoin) == "17")
    // Who has read it all is on nobody's other side.
    try log.append(
      id: 5, seen: Seen(log: log.id, position: log.head), .adjust(bitcoin, try Amount("1")))
    #expect(try fixture.pull(log).changedOnBothSides.isEmpty)
    // And who has not, is, also when both are in the log.
    try log.append(id: 6, seen: seen, .adjust(bitcoin, try Amount("1")))
    #expect(try fixture.pull(log).changedOnBothSides == [bitcoin])
  }

  @Test func assetsChangedOnBothSidesAreNamedByAStoreThatWasClosedBetween() throws {
    var (fixture, log) = try StoreFixture.joined()
    try log.append(id: 1, .adjust(bitcoin, try Amount("4")), .adjust(ether, try Amount("4")))
    try fixture.pull(log)
    let seen = Seen(log: log.id, position: log.head)
    try fixture.save(.set(bitcoin, try Amount("10")))
    log.accept(try fixture.pending()[0].transaction, at: now)
    try fixture.pull(log)
    try fixture.reopen()
    // The other device had not read that when it made this, and this store remembers nothing.
    try log.append(
      id: 2, seen: seen, .adjust(bitcoin, try Amount("6")), .adjust(ether, try Amount("1")))
    #expect(try fixture.pull(log).changedOnBothSides == [bitcoin])
    try fixture.reopen()
    try log.append(
      id: 3, seen: Seen(log: log.id, position: log.head), .adjust(bitcoin, try Amount("6")))
    #expect(try fixture.pull(log).changedOnBothSides.isEmpty)
  }

  /// Holds [sdig-3].
  @Test func aWriterThatSawAnotherLogIsRemarkedOn() throws {
    var (fixture, log) = try StoreFixture.joined()
    try log.append(id: 1, .adjust(bitcoin, try Amount("4")))
    let lie = LogPosition(seq: 1, hash: Hash256(words: (9, 9, 9, 9)))
    try log.append(id: 2, seen: Seen(log: log.id, position: lie), .adjust(bitcoin, try Amount("1")))
    // Of another log nothing can be said.
    try log.append(
      id: 3, seen: Seen(log: LogID(3), position: lie), .adjust(bitcoin, try Amount("1")))
    let ahead = LogPosition(seq: 40, hash: Hash256(words: (9, 9, 9, 9)))
    try log.append(
      id: 4, seen: Seen(log: log.id, position: ahead), .adjust(bitcoin, try Amount("1")))
    let result = try fixture.pull(log)
    #expect(
      result.remarks == [
        LogRemark(seq: 2, kind: .otherLogSeen), LogRemark(seq: 4, kind: .otherLogSeen),
      ])
    #expect(try fixture.store.read { try $0.remarks() } == result.remarks)
    #expect(try fixture.amount(bitcoin) == "7")
  }

  @Test func stateDigestsAreWitnesses() throws {
    var (fixture, log) = try StoreFixture.joined()
    try log.append(id: 1, .adjust(bitcoin, try Amount("4")))
    try fixture.pull(log)
    let digest = try fixture.store.read { try $0.status().stateDigest }
    let position = log.head
    try log.append(
      id: 2, seen: Seen(log: log.id, position: position, stateDigest: digest),
      .adjust(bitcoin, try Amount("1")))
    #expect(try fixture.pull(log).witness == Witness(position: position, agrees: true))
    try log.append(
      id: 3, seen: Seen(log: log.id, position: position, stateDigest: .zero),
      .adjust(bitcoin, try Amount("1")))
    let result = try fixture.pull(log)
    #expect(result.witness == Witness(position: position, agrees: false))
    #expect(result.remarks.map(\.kind) == [.otherStateSeen])
  }

  @Test func stateDigestsAreWitnessesOfALogThatWasFilledAgain() throws {
    var (fixture, log) = try StoreFixture.joined()
    try log.append(id: 1, .adjust(bitcoin, try Amount("4")))
    try fixture.pull(log)
    let digest = try fixture.store.read { try $0.status().stateDigest }
    let position = log.head
    // The log has another id since, and the hashes it had.
    try log.append(
      id: 2, seen: Seen(log: LogID(3), position: position, stateDigest: digest),
      .adjust(bitcoin, try Amount("1")))
    let result = try fixture.pull(log)
    #expect(result.witness == Witness(position: position, agrees: true))
    #expect(result.remarks.isEmpty)
    // A place of another log is none.
    let other = LogPosition(seq: 1, hash: Hash256(words: (9, 9, 9, 9)))
    try log.append(
      id: 3, seen: Seen(log: LogID(3), position: other, stateDigest: .zero),
      .adjust(bitcoin, try Amount("1")))
    #expect(try fixture.pull(log).witness == nil)
  }

  @Test func stateDigestIsToldOnceForEachPlace() throws {
    var (fixture, log) = try StoreFixture.joined()
    try log.append(id: 1, .adjust(bitcoin, try Amount("4")))
    try fixture.pull(log)
    try fixture.save(.add(bitcoin, try Amount("1"), category: nil))
    try fixture.save(.add(bitcoin, try Amount("1"), category: nil))
    let seen = try fixture.pending().map { try TransactionBody(decoding: $0.transaction.body).seen }
    let digest = try fixture.store.read { try $0.status().stateDigest }
    #expect(seen[0] == Seen(log: log.id, position: log.head, stateDigest: digest))
    #expect(seen[1] == Seen(log: log.id, position: log.head))
  }

  /// Holds [save-2].
  @Test func recordedTimeComesAfterWhatWasTaken() throws {
    var (fixture, log) = try StoreFixture.joined()
    try log.append(id: 1, .adjust(bitcoin, try Amount("4")))
    try fixture.pull(log)
    fixture.clock.set(Timestamp(known: "1970-01-02T00:00:00Z"))
    try fixture.save(.add(bitcoin, try Amount("1"), category: nil))
    #expect(try fixture.pending()[0].transaction.recordedAt == now.adding(milliseconds: 1))
  }

  @Test func unreadableBodyAndUnknownOperationHoldUpNothing() throws {
    var (fixture, log) = try StoreFixture.joined()
    try log.append(
      device: other, id: 1, recordedAt: now, acceptedAt: now, body: Array("{ }".utf8))
    try log.append(
      id: 2, .unknown(kind: "split", json: Array("{\"kind\":\"split\"}".utf8)),
      .adjust(bitcoin, try Amount("1")))
    let result = try fixture.pull(log, stable: 2)
    #expect(result.unreadableCount == 1)
    #expect(
      result.remarks == [
        LogRemark(seq: 1, kind: .unreadableBody), LogRemark(seq: 2, kind: .needsNewerVersion),
      ])
    #expect(try fixture.amount(bitcoin) == "1")
    let status = try fixture.store.read { try $0.status() }
    #expect(status.unknownCount == 1)
    #expect(status.position?.seq == 2)
  }
}
