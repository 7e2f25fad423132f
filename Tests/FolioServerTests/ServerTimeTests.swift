import FolioDomain
import FolioWire
import Testing

@testable import FolioServer

/// The server's clock in a log: it never goes back, and decides the year.
struct ServerTimeTests {
  @Test func acceptedAtNeverGoesBack() throws {
    let server = try ServerFixture()
    try server.createAccount()
    let start = server.now
    try server.push(transaction(1, sequence: 1))
    server.advance(milliseconds: -3_600_000)
    try server.push(transaction(2, sequence: 2))
    server.advance(milliseconds: 7_200_000)
    try server.push(transaction(3, sequence: 3))
    #expect(
      try server.entries().map(\.acceptedAt)
        == [start, start, start.adding(milliseconds: 3_600_000)])
  }

  @Test(arguments: [0, 1])
  func aJumpOfMoreThan400DaysIsNoted(beyond: Int64) throws {
    let server = try ServerFixture()
    try server.createAccount()
    let start = server.now
    #expect(try server.push(transaction(1, sequence: 1)).jump == nil)
    server.advance(milliseconds: LogRules.jumpLimit + beyond)
    let jump =
      beyond == 0 ? nil : ClockJump(seq: 2, from: start, to: server.now)
    #expect(try server.push(transaction(2, sequence: 2)).jump == jump)
    try server.push(transaction(3, sequence: 3))
    #expect(try server.account().jump == jump)
  }

  @Test func F27_anEntryRecordedIn1970IsTakenAsItIs() throws {
    let server = try ServerFixture()
    try server.createAccount()
    var early = transaction(1, sequence: 1)
    early.transaction.recordedAt = Timestamp(milliseconds: 0)
    try server.push(early)
    let entry = try #require(try server.entries().first)
    #expect(entry.transaction.recordedAt == Timestamp(milliseconds: 0))
    #expect(entry.acceptedAt == server.now)
  }

  @Test func F25_anEntryFromTheFutureDoesNotMoveTheServersTime() throws {
    let server = try ServerFixture()
    try server.createAccount()
    var late = transaction(1, sequence: 1)
    late.transaction.recordedAt = try Timestamp("2999-01-01T00:00:00Z")
    try server.push(late)
    server.advance(milliseconds: 1)
    try server.push(transaction(2, device: 2, sequence: 1))
    let entries = try server.entries()
    #expect(entries.map(\.acceptedAt.year) == [2026, 2026])
    #expect(entries[1].acceptedAt == server.now)
  }

  /// The year is that of acceptedAt in UTC; the log runs on across it.
  ///
  /// Holds [time-4].
  @Test func F28_newYearIsAtMidnightUTC() throws {
    let server = try ServerFixture(at: "2026-12-31T23:59:59.999Z")
    try server.createAccount()
    let before = try server.account().head
    try server.push(transaction(1, sequence: 1))
    let middle = try server.account().head
    server.advance(milliseconds: 1)
    try server.push(transaction(2, sequence: 2))
    // Back over midnight: the server's time does not go back, and neither does the year.
    server.advance(milliseconds: -3_600_000)
    try server.push(transaction(3, sequence: 3))
    let end = try server.account().head
    let years = try server.storage.read(LogYears(account: "ann"))
    #expect(years.map(\.year) == [2026, 2027])
    #expect(
      years.map(\.row) == [
        YearRow(first: 1, last: 1, hashBefore: before.hash, hashAfter: middle.hash),
        YearRow(first: 2, last: 3, hashBefore: middle.hash, hashAfter: end.hash),
      ])
  }

  @Test func oneCommitMayCrossNewYear() throws {
    let server = try ServerFixture(at: "2026-12-31T23:59:59.999Z")
    let source = try server.createAccount()
    try server.push(transaction(1, sequence: 1))
    server.advance(milliseconds: 1)
    try server.push(transaction(2, sequence: 2))
    let entries = try server.entries()
    let years = try server.storage.read(LogYears(account: "ann"))

    let other = try ServerFixture(seed: 2)
    try other.createAccount()
    try other.submit(
      LogSubmission(
        account: "ann", device: DeviceID(1),
        action: .refill(
          account: source.id, after: LogPosition(seq: 0, hash: startHash(of: source.id)),
          entries: entries)))
    #expect(try other.storage.read(LogYears(account: "ann")) == years)
  }
}
