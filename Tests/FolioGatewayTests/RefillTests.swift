import FolioDomain
import FolioWire
import TestSupport
import Testing

@testable import FolioGateway

/// Servers that lost what they had, and what a client does about it.
@Suite("A server that lost its log")
struct RefillTests {
  /// Two devices that have all of a log of twelve entries.
  private func synced() throws -> (MemoryStorage, MemoryStorage, FakeServer) {
    let server = FakeServer()
    let first = MemoryStorage(device: 1)
    let second = MemoryStorage(device: 2)
    for round in 0..<6 {
      first.edit("{}", id: UInt128(10 + round))
      second.edit("{}", id: UInt128(20 + round))
    }
    try sync(first, server)
    try sync(second, server)
    try sync(first, server)
    return (first, second, server)
  }

  @Test("A log's id is taken over once the server has again what it lost, not before")
  func idWhileFilling() throws {
    let (first, _, server) = try synced()
    let old = first.state.log
    server.rollBack(to: 4)
    server.lie = { request, reply in
      if case .refill = request { server.isCut = true }
      return reply
    }
    #expect(throws: Conversation.Cut.self) { try sync(first, server) }
    #expect(first.state.log == old)
    server.lie = { _, reply in reply }
    try sync(first, server)
    #expect(first.state.log == server.logID)
    #expect(first.state.log != old)
  }

  @Test("F06 An emptied server is filled byte for byte, and keeps the account's id")
  func emptied() throws {
    let (first, second, server) = try synced()
    let log = server.log
    let account = server.account
    server.empty(account: 0xbb)
    first.edit("{}", id: 100)
    let summary = try sync(first, server)
    #expect(summary.refilled == 12)
    #expect(summary.pushed == 1)
    #expect(server.account == account)
    #expect(Array(server.log.prefix(12)) == log)
    #expect(first.log == server.log)
    // The other device finds its own log again, and a third one reads all of it.
    #expect(try sync(second, server).refilled == 0)
    #expect(second.log == server.log)
    let third = MemoryStorage(device: 3)
    try sync(third, server)
    #expect(third.log == server.log)
  }

  @Test("F05 A server restored from a backup gets what it lacks, own and others'")
  func rolledBack() throws {
    let (first, second, server) = try synced()
    let log = server.log
    server.rollBack(to: 4)
    let summary = try sync(second, server)
    #expect(summary.refilled == 8)
    #expect(server.log == log)
    #expect(try sync(first, server).refilled == 0)
  }

  @Test("F05 Acknowledged transactions that were not read back are sent again")
  func acknowledgedAndLost() throws {
    let server = FakeServer()
    let storage = MemoryStorage(device: 1)
    storage.edit("{}", id: 1)
    // The connection ends right after the acknowledgement.
    var conversation = Conversation(storage, server)
    server.refusal = { request in
      guard case .pull = request, !server.pushes.isEmpty else { return nil }
      return ErrorMessage(code: "busy", class: .retry, message: "later")
    }
    #expect(throws: SyncError.self) { try conversation.sync() }
    #expect(storage.state.acknowledged?.sequence == 1)
    server.refusal = { _ in nil }
    server.rollBack(to: 0)
    try sync(storage, server)
    #expect(server.log.count == 1)
    #expect(storage.log == server.log)
    #expect(storage.pendingTransactions.isEmpty)
  }

  @Test("Entries that are no longer kept are a question; nothing changes until it is answered")
  func notKept() throws {
    let (first, _, server) = try synced()
    first.forget(upTo: 8)
    server.rollBack(to: 4)
    let before = first.log
    #expect(throws: SyncError.decisionNeeded(.serverLacks(5...8))) { try sync(first, server) }
    #expect(first.log == before)
    #expect(server.log.count == 4)
  }

  @Test("An account made anew on an emptied server is taken where nothing was ever read")
  func adopted() throws {
    let server = FakeServer()
    let storage = MemoryStorage(device: 1)
    try sync(storage, server)
    server.empty(account: 0xbb)
    storage.edit("{}", id: 1)
    try sync(storage, server)
    #expect(storage.state.account == server.account)
    #expect(storage.log == server.log)
  }

  @Test("Filling that was cut goes on where it was")
  func interrupted() throws {
    let (first, _, server) = try synced()
    server.limits.entries = 2
    server.empty(account: 0xbb)
    var refills = 0
    server.refusal = { request in
      guard case .refill = request else { return nil }
      refills += 1
      return refills == 3 ? ErrorMessage(code: "busy", class: .retry, message: "later") : nil
    }
    #expect(throws: SyncError.self) { try sync(first, server) }
    #expect(server.log.count == 4)
    #expect(try sync(first, server).refilled == 8)
    #expect(first.log == server.log)
    #expect(first.state.recentDivergences == 1)
  }

  @Test("F13 A log that is lost again and again ends with a clear error")
  func again() throws {
    let (first, _, server) = try synced()
    for round in 0..<3 {
      server.empty(account: UInt64(round))
      try sync(first, server)
    }
    server.empty(account: 0xcc)
    #expect(throws: SyncError.tooManyDivergences(count: 3)) { try sync(first, server) }
    #expect(first.log.count == 12)
  }
}
