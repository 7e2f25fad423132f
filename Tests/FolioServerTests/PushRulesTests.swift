import FolioDomain
import FolioWire
import Testing

@testable import FolioServer

/// Rules 1, 2 and 7 of the protocol: what a push may and may not do.
struct PushRulesTests {
  @Test func takesTheNextOfADevice() throws {
    let server = try ServerFixture()
    try server.createAccount()
    let receipt = try server.push(
      transaction(11, sequence: 1), transaction(12, sequence: 2))
    let now = server.now
    #expect(
      receipt.results == [
        .ok(EntryPlace(seq: 1, acceptedAt: now)), .ok(EntryPlace(seq: 2, acceptedAt: now)),
      ])
    #expect(receipt.acked == AckedTransaction(sequence: 2, id: TransactionID(12)))
    #expect(receipt.head.seq == 2)
    #expect(try server.entries().map(\.transaction.id.value) == [11, 12])
  }

  @Test func F01_aRetryGivesTheStoredResult() throws {
    let server = try ServerFixture()
    try server.createAccount()
    let first = try server.push(transaction(11, sequence: 1))
    let head = try server.account().head
    for _ in 1...5 {
      server.advance(milliseconds: 60_000)
      let again = try server.push(transaction(11, sequence: 1))
      #expect(again.results.first?.place == first.results.first?.place)
      #expect(again.results.map(\.isDuplicate) == [true])
      #expect(again.acked == first.acked)
    }
    #expect(try server.account().head == head)
  }

  @Test func F02_aBatchCutDifferentlyIsTheSame() throws {
    let server = try ServerFixture()
    try server.createAccount()
    let all = (1...4).map { transaction(UInt128(10 + $0), sequence: UInt64($0)) }
    try server.push(Array(all[0..<3]))
    let receipt = try server.push(Array(all[1..<4]))
    #expect(receipt.results.map(\.isDuplicate) == [true, true, false])
    #expect(receipt.results.compactMap { $0.place?.seq } == [2, 3, 4])
    #expect(receipt.acked == AckedTransaction(sequence: 4, id: TransactionID(14)))
  }

  @Test func aLaterSequenceIsAGap() throws {
    let server = try ServerFixture()
    try server.createAccount()
    try server.push(transaction(11, sequence: 1))
    let receipt = try server.push(transaction(13, sequence: 3), transaction(14, sequence: 4))
    #expect(receipt.results == [.gap, .gap])
    #expect(receipt.acked == AckedTransaction(sequence: 1, id: TransactionID(11)))
    #expect(receipt.head.seq == 1)
  }

  @Test func anotherIdAtATakenSequenceIsForked() throws {
    let server = try ServerFixture()
    try server.createAccount()
    try server.push(transaction(11, sequence: 1), transaction(12, sequence: 2))
    let receipt = try server.push(transaction(99, sequence: 1), transaction(13, sequence: 3))
    #expect(receipt.results.first == .forked)
    #expect(receipt.results.last?.place?.seq == 3)
  }

  @Test func aKnownIdElsewhereBecomesVoidAndNamesTheFirst() throws {
    let server = try ServerFixture()
    try server.createAccount()
    try server.push(transaction(11, sequence: 1), transaction(12, sequence: 2))
    let other = try server.push(transaction(12, device: 2, sequence: 1))
    let place = EntryPlace(seq: 3, acceptedAt: server.now)
    #expect(other.results == [.void(place, reason: "duplicate")])
    #expect(other.acked == AckedTransaction(sequence: 1, id: TransactionID(12)))
    let entry = try #require(try server.entries().last)
    #expect(entry.kind == .void)
    #expect(entry.transaction.device == DeviceID(2))
    #expect(
      String(decoding: entry.transaction.body, as: UTF8.self)
        == #"{"first":2,"reason":"duplicate"}"#)
    // The same again, and its own device again: stored results, no new entries.
    #expect(
      try server.push(transaction(12, device: 2, sequence: 1)).results
        == [.void(place, reason: "duplicate")])
    #expect(try server.push(transaction(12, sequence: 2)).results.map(\.isDuplicate) == [true])
    // Under its own device at a later sequence it is void too.
    let later = try server.push(transaction(11, sequence: 3))
    #expect(later.results.first?.place?.seq == 4)
    #expect(later.head.seq == 4)
  }

  @Test func aKnownIdDoesNotJumpAGap() throws {
    let server = try ServerFixture()
    try server.createAccount()
    try server.push(transaction(11, sequence: 1))
    #expect(try server.push(transaction(11, device: 2, sequence: 2)).results == [.gap])
    #expect(try server.account().head.seq == 1)
  }

  @Test func aPlaceholderUsesUpItsSequenceAndBlocksNothing() throws {
    let server = try ServerFixture()
    try server.createAccount()
    let void = transaction(11, sequence: 1, void: true, body: #"{"reason":"body_too_long"}"#)
    let receipt = try server.push(void, transaction(12, sequence: 2))
    let now = server.now
    #expect(
      receipt.results == [
        .void(EntryPlace(seq: 1, acceptedAt: now), reason: "placeholder"),
        .ok(EntryPlace(seq: 2, acceptedAt: now)),
      ])
    #expect(try server.push(void).results == [receipt.results[0]])
    #expect(try server.entries().map(\.kind) == [.void, .accepted])
  }

  @Test func F09_aRejectedOneIsNamedAndTheRestOfOthersGoesOn() throws {
    let server = try ServerFixture()
    try server.createAccount()
    let long = String(repeating: "x", count: Wire.bodyByteLimit)
    let receipt = try server.push(
      transaction(11, sequence: 1, body: #"{"a":"\#(long)"}"#), transaction(12, sequence: 2),
      transaction(21, device: 2, sequence: 1))
    #expect(receipt.results[0] == .rejected(reason: "body_too_long"))
    #expect(receipt.results[1] == .gap)
    #expect(receipt.results[2].place?.seq == 1)
    // The placeholder takes the rejected one's place, and what waited behind it goes on.
    let next = try server.push(
      transaction(11, sequence: 1, void: true, body: #"{"reason":"body_too_long"}"#),
      transaction(12, sequence: 2))
    #expect(next.results.compactMap { $0.place?.seq } == [2, 3])
  }

  @Test func envelopesOutsideTheLimitsAreRejected() throws {
    let server = try ServerFixture()
    try server.createAccount()
    var version = transaction(11, sequence: 1)
    version.transaction.version = 2
    var key = transaction(12, sequence: 1)
    key.transaction.keyID = 7
    let receipt = try server.push(version, key, transaction(13, sequence: 0))
    #expect(
      receipt.results == [
        .rejected(reason: "entry_version"), .rejected(reason: "key_of_plain_body"),
        .rejected(reason: "sequence_zero"),
      ])
    #expect(receipt.head.seq == 0)
    #expect(receipt.acked == nil)
  }

  @Test func aBodyAtTheLimitIsTaken() throws {
    let server = try ServerFixture()
    try server.createAccount()
    let body = #"{"a":"\#(String(repeating: "x", count: Wire.bodyByteLimit - 8))"}"#
    #expect(body.utf8.count == Wire.bodyByteLimit)
    #expect(
      try server.push(transaction(11, sequence: 1, body: body)).results.first?.place != nil)
  }

  @Test func accountsDoNotSeeEachOther() throws {
    let server = try ServerFixture()
    try server.createAccount("ann")
    try server.createAccount("bob")
    try server.push(transaction(11, sequence: 1), to: "ann")
    let receipt = try server.push(transaction(11, sequence: 1), to: "bob")
    #expect(receipt.results == [.ok(EntryPlace(seq: 1, acceptedAt: server.now))])
    #expect(try server.entries("ann").count == 1)
    #expect(try server.account("ann").head != server.account("bob").head)
  }

  @Test func anUnknownAndADisabledAccountGetTheSameAnswer() throws {
    let server = try ServerFixture()
    try server.createAccount("bob")
    _ = try server.storage.write(SetAccountDisabled("bob", true))
    for name in ["ann", "bob"] {
      #expect(throws: LogError.unknownAccount) {
        try server.push(transaction(11, sequence: 1), to: name)
      }
      #expect(throws: LogError.unknownAccount) { try server.facts(name) }
      #expect(throws: LogError.unknownAccount) { try server.entries(name) }
    }
  }

  @Test func arefusedRequestTakesNoOtherWithIt() throws {
    let server = try ServerFixture()
    try server.createAccount("ann")
    let results = try server.storage.write(
      SubmitToLogs(
        [
          LogSubmission(
            account: "nobody", device: DeviceID(1), action: .push([transaction(1, sequence: 1)])),
          LogSubmission(
            account: "ann", device: DeviceID(1), action: .push([transaction(1, sequence: 1)])),
          LogSubmission(
            account: "ann", device: DeviceID(2),
            action: .push([transaction(2, device: 2, sequence: 1)])),
        ], now: server.now))
    #expect(throws: LogError.unknownAccount) { try results[0].get() }
    #expect(try results[1].get().head.seq == 1)
    #expect(try results[2].get().head.seq == 2)
  }
}

extension PushResult {
  var isDuplicate: Bool {
    if case .duplicate = self { true } else { false }
  }
}
