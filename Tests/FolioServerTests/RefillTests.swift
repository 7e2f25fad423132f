import FolioDomain
import FolioWire
import Testing
import TestSupport

@testable import FolioServer

/// A server that lost its log, or the end of it, is filled again, byte for byte.
struct RefillTests {
  /// A log with accepted and void entries of two devices over two years.
  private func source() throws -> (ServerFixture<MemoryServerStorage>, AccountRow, [LogEntry]) {
    let server = try ServerFixture(at: "2026-12-31T12:00:00Z")
    try server.createAccount()
    for n in 1...40 {
      let device = UInt128(n % 2 + 1)
      let sequence = UInt64((n - 1) / 2 + 1)
      try server.push(
        transaction(UInt128(n), device: device, sequence: sequence, void: n % 11 == 0))
      server.advance(milliseconds: 3_600_000)
    }
    try server.push(transaction(5, device: 3, sequence: 1))
    return (server, try server.account(), try server.entries())
  }

  private func refill(
    _ server: ServerFixture<MemoryServerStorage>, _ account: AccountID, after: LogPosition,
    _ entries: [LogEntry]
  ) throws -> LogReceipt {
    try server.submit(
      LogSubmission(
        account: "ann", device: DeviceID(1),
        action: .refill(account: account, after: after, entries: entries)))
  }

  @Test(arguments: [1, 7, 41])
  func anEmptiedServerGetsIdenticalHashes(batch: Int) throws {
    let (old, account, entries) = try source()
    let new = try ServerFixture(seed: 2)
    try new.createAccount()
    var position = LogPosition(seq: 0, hash: startHash(of: account.id))
    var rest = entries[...]
    while !rest.isEmpty {
      let receipt = try refill(new, account.id, after: position, Array(rest.prefix(batch)))
      #expect(receipt.results.isEmpty)
      position = receipt.head
      rest = rest.dropFirst(batch)
    }
    #expect(position == account.head)
    let filled = try new.account()
    #expect(filled.id == account.id)
    #expect(filled.head == account.head)
    #expect(filled.log != account.log)
    #expect(try new.entries() == entries)
    #expect(
      try new.storage.read(LogYears(account: "ann"))
        == old.storage.read(LogYears(account: "ann")))
    for seq in 0...entries.count {
      let query = LogHashQuery(account: "ann", seq: UInt64(seq))
      #expect(try new.storage.read(query) == old.storage.read(query))
    }
  }

  @Test func afterwardsPushesGoOnAsBefore() throws {
    let (_, account, entries) = try source()
    let new = try ServerFixture(seed: 2, at: "2027-06-01T00:00:00Z")
    try new.createAccount()
    let start = LogPosition(seq: 0, hash: startHash(of: account.id))
    _ = try refill(new, account.id, after: start, entries)
    // What is known stays known, with its first result.
    let known = try new.push(transaction(1, device: 2, sequence: 1))
    #expect(known.results.first?.place?.acceptedAt == entries[0].acceptedAt)
    let void = try new.push(transaction(11, device: 2, sequence: 6))
    #expect(void.results.map(\.isDuplicate) == [false])
    #expect(void.results.first?.place?.seq == 11)
    let duplicate = try new.push(transaction(5, device: 3, sequence: 1))
    guard case .void(_, reason: "duplicate") = duplicate.results[0] else {
      Issue.record("not the void entry: \(duplicate)")
      return
    }
    let next = try new.push(transaction(100, device: 1, sequence: 21))
    #expect(next.results.first?.place?.seq == UInt64(entries.count + 1))
  }

  @Test func onlyAfterTheHead() throws {
    let (old, account, entries) = try source()
    let start = LogPosition(seq: 0, hash: startHash(of: account.id))
    #expect(throws: LogError.notHead) { try refill(old, account.id, after: start, entries) }
    var wrong = account.head
    wrong.hash = .zero
    #expect(throws: LogError.notHead) { try refill(old, account.id, after: wrong, []) }
  }

  @Test func anotherAccountOnlyWhereTheLogIsEmpty() throws {
    let (old, account, _) = try source()
    let other = AccountID(random: SeededSource(seed: 9))
    #expect(throws: LogError.accountMismatch) {
      try refill(old, other, after: account.head, [])
    }
    #expect(try old.account().id == account.id)
  }

  @Test func notTheIdOfAnotherAccount() throws {
    let (old, account, entries) = try source()
    try old.createAccount("bob")
    #expect(throws: LogError.accountTaken) {
      try old.submit(
        LogSubmission(
          account: "bob", device: DeviceID(1),
          action: .refill(
            account: account.id, after: LogPosition(seq: 0, hash: startHash(of: account.id)),
            entries: entries)))
    }
  }

  @Test func whatDoesNotFollowIsRefusedAsAWhole() throws {
    let (_, account, entries) = try source()
    let start = LogPosition(seq: 0, hash: startHash(of: account.id))
    func fault(_ change: (inout [LogEntry]) -> Void) throws -> LogError? {
      let new = try ServerFixture(seed: 2)
      let before = try new.createAccount()
      var changed = entries
      change(&changed)
      do {
        _ = try refill(new, account.id, after: start, changed)
        return nil
      } catch let error as LogError {
        // Nothing of it is kept, the account's id least of all.
        #expect(try new.account() == before)
        #expect(try new.entries().isEmpty)
        return error
      }
    }
    #expect(try fault { _ in } == nil)
    #expect(try fault { $0.remove(at: 3) } == .doesNotFollow(index: 3, .seq))
    #expect(
      try fault { $0[3].acceptedAt = $0[3].acceptedAt.adding(milliseconds: -86_400_000) }
        == .doesNotFollow(index: 3, .acceptedAt))
    #expect(
      try fault { $0[3].transaction.deviceSequence += 1 }
        == .doesNotFollow(index: 3, .sequence))
    #expect(
      try fault { $0[3].transaction.id = $0[1].transaction.id } == .doesNotFollow(index: 3, .id))
    #expect(try fault { $0[3].transaction.body += [32] } == .doesNotFollow(index: 3, .body))
    #expect(try fault { $0[3].isStub = true } == .doesNotFollow(index: 3, .body))
    #expect(
      try fault { $0[3].transaction.version = 9 } == .entryRejected(index: 3, .entryVersion))
  }
}
