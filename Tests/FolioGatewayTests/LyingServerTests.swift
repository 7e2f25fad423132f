import FolioDomain
import FolioWire
import TestSupport
import Testing

@testable import FolioGateway

/// Each lie of a server has its own error, and leaves what is held untouched.
@Suite("A server that lies")
struct LyingServerTests {
  /// A store that has read six entries of a server, which then has six more.
  private func synced() throws -> (MemoryStorage, FakeServer) {
    let server = FakeServer()
    let storage = MemoryStorage(device: 1)
    for sequence in 1...6 as ClosedRange<UInt64> {
      server.append(device: 9, sequence: sequence, id: UInt128(sequence))
    }
    try sync(storage, server)
    for sequence in 7...12 as ClosedRange<UInt64> {
      server.append(device: 9, sequence: sequence, id: UInt128(sequence))
    }
    storage.edit("{}", id: 100)
    return (storage, server)
  }

  /// Syncs with a server whose pages are changed, and expects an error and nothing stored of them.
  private func expect(
    _ violation: ProtocolViolation, stored: Int = 6, _ lie: @escaping (inout Page) -> Void
  ) throws {
    let (storage, server) = try synced()
    server.lie = { _, reply in
      guard case .page(var page) = reply else { return reply }
      lie(&page)
      return .page(page)
    }
    #expect(throws: SyncError.violation(violation)) { try sync(storage, server) }
    #expect(storage.log.count == stored)
    #expect(storage.log == Array(server.log.prefix(stored)))
    #expect(storage.pendingTransactions.count == 1)
    #expect(server.pushes.isEmpty)
  }

  @Test(
    "An entry of a version to come is where it stops, with all that comes before [entry-4]",
    arguments: [9, 10, 11])
  func newerEntry(seq: UInt64) throws {
    let (storage, server) = try synced()
    server.lie = { _, reply in
      guard case .page(var page) = reply else { return reply }
      for index in page.entries.indices where page.entries[index].seq == seq {
        page.entries[index].transaction.version = 2
      }
      return .page(page)
    }
    for _ in 0..<2 {
      #expect(throws: SyncError.newerEntry(seq: seq, version: 2)) { try sync(storage, server) }
      #expect(storage.log == Array(server.log.prefix(Int(seq) - 1)))
      #expect(storage.pendingTransactions.count == 1)
    }
  }

  @Test("Another body than the one that was accepted")
  func otherBody() throws {
    try expect(.wrongHash(seq: 9)) { $0.entries[0].transaction.body = Array("{\"a\":1}".utf8) }
  }

  @Test("Another hash at the end of a page")
  func otherHash() throws {
    try expect(.wrongHash(seq: 9)) { $0.last.hash = Hash256(words: (1, 1, 1, 1)) }
  }

  @Test("Another time of acceptance")
  func otherTime() throws {
    try expect(.wrongHash(seq: 9)) { $0.entries[2].acceptedAt = Timestamp(milliseconds: 5) }
  }

  @Test("A wrong hash on a later page: the pages before it stay")
  func laterPage() throws {
    try expect(.wrongHash(seq: 12), stored: 9) { page in
      if page.last.seq == 12 { page.entries[1].transaction.recordedAt = Timestamp(milliseconds: 1) }
    }
  }

  @Test("An entry withheld from the middle of a page")
  func gap() throws {
    try expect(.gapInLog(expected: 8, got: 9)) { $0.entries.remove(at: 1) }
  }

  @Test("Entries withheld at a page's start")
  func gapAtStart() throws {
    try expect(.gapInLog(expected: 7, got: 8)) { $0.entries.removeFirst() }
  }

  @Test("A device's transaction withheld, and the rest numbered and hashed anew")
  func gapInDevice() throws {
    let (storage, server) = try synced()
    let kept = server.log.suffix(5).map(\.entry.transaction)
    server.log = Array(server.log.prefix(6))
    for transaction in kept { server.append(transaction) }
    #expect(throws: SyncError.violation(.gapInDevice(seq: 7, expected: 7, got: 8))) {
      try sync(storage, server)
    }
    #expect(storage.log.count == 6)
  }

  @Test("F13 More is promised, and the cursor does not move")
  func moreWithoutProgress() throws {
    let (storage, server) = try synced()
    server.lie = { request, reply in
      guard case .pull(let pull) = request else { return reply }
      return .page(Page(entries: [], last: pull.after, more: true))
    }
    #expect(throws: SyncError.violation(.moreWithoutProgress)) { try sync(storage, server) }
    #expect(storage.log.count == 6)
  }

  @Test("A body left out that was not to be left out")
  func stub() throws {
    try expect(.bodyLeftOut(seq: 7)) { page in
      page.entries[0].transaction.body = []
      page.entries[0].stubHash = .zero
    }
  }

  @Test("The head that an acknowledgement tells is not what the log has")
  func wrongHead() throws {
    let (storage, server) = try synced()
    server.lie = { _, reply in
      guard case .ack(var ack) = reply else { return reply }
      ack.head.hash = .zero
      return .ack(ack)
    }
    #expect(throws: SyncError.violation(.wrongHead)) { try sync(storage, server) }
  }

  @Test("F19 A head that is ahead of what can be read is no success")
  func headAhead() throws {
    let (storage, server) = try synced()
    server.lie = { _, reply in
      guard case .ack(var ack) = reply else { return reply }
      ack.head.seq += 1
      return .ack(ack)
    }
    #expect(throws: SyncError.notConverged(server: 14, local: 13)) { try sync(storage, server) }
  }

  @Test("F19 An own transaction that was acknowledged and is not in the log")
  func withheldOwn() throws {
    let server = FakeServer()
    let storage = MemoryStorage(device: 1)
    let id = storage.edit("{}", id: 100)
    server.lie = { _, reply in
      guard case .ack(let ack) = reply else { return reply }
      server.log = []
      return .ack(
        Ack(
          results: ack.results, acked: AckedTransaction(sequence: 1, id: id), head: server.start))
    }
    #expect(throws: SyncError.violation(.entryWithheld(sequence: 1))) {
      try sync(storage, server)
    }
    #expect(storage.pendingTransactions.count == 1)
  }

  @Test("Another account that has entries")
  func otherAccount() throws {
    let (storage, server) = try synced()
    server.account = AccountID(Hash256(words: (0xb, 0, 0, 0)))
    let before = storage.log
    #expect(throws: SyncError.decisionNeeded(.otherAccount(server: 12, local: 6))) {
      try sync(storage, server)
    }
    #expect(storage.log == before)
    #expect(server.pushes.isEmpty)
  }

  @Test("A common place that this store never named")
  func impossibleCommon() throws {
    let (storage, server) = try synced()
    server.lie = { _, reply in
      guard case .ready(var ready) = reply else { return reply }
      ready.common = LogPosition(seq: 11, hash: .zero)
      return .ready(ready)
    }
    #expect(throws: SyncError.violation(.impossibleFacts)) { try sync(storage, server) }
    #expect(storage.log.count == 6)
  }

  @Test("Tables that go back")
  func tables() throws {
    let (storage, server) = try synced()
    server.tables = [WireTable(slot: Slot(index: 1), revision: 1, groups: [])]
    server.lie = { _, reply in
      guard case .tables(var page) = reply else { return reply }
      page.more = true
      page.last = 0
      page.tables = []
      return .tables(page)
    }
    #expect(throws: SyncError.violation(.moreWithoutProgress)) { try sync(storage, server) }
    #expect(storage.tables.isEmpty)
  }

  @Test("A line that is no message")
  func garbage() throws {
    let (storage, server) = try synced()
    server.garbles = true
    #expect(throws: SyncError.self) { try sync(storage, server) }
    #expect(storage.log.count == 6)
  }

  @Test("A server that speaks other versions only says which")
  func versions() throws {
    let storage = MemoryStorage(device: 1)
    let server = FakeServer()
    server.refusal = { request in
      guard case .hello = request else { return nil }
      return ErrorMessage(
        code: "version_unsupported", class: .fatal, action: .upgrade, message: "no",
        supported: [2, 3])
    }
    #expect(throws: SyncError.versionRefused(supported: [2, 3])) { try sync(storage, server) }
  }

  @Test("An unknown account is refused, and the error tells the code")
  func unknownAccount() throws {
    let storage = MemoryStorage(device: 1)
    let server = FakeServer()
    server.refusal = { request in
      guard case .auth = request else { return nil }
      return ErrorMessage(code: "unknown_account", class: .auth, message: "no such account")
    }
    let error = #expect(throws: SyncError.self) { try sync(storage, server) }
    #expect(error?.code == "unknown_account")
    #expect(error?.kind == .notAllowed)
    #expect(error?.isRetryable == false)
  }
}
