import FolioDomain
import FolioWire
import TestSupport
import Testing

@testable import FolioGateway

/// Logs that parted: what one side has and the other lacks gets into both.
@Suite("Logs that have parted")
struct ForkTests {
  /// The ids of what the store had.
  static let own = Set<UInt128>(10...14).union(20...24)

  /// A server that went back to its fourth entry and went on with another device's.
  private func forked() throws -> (MemoryStorage, FakeServer) {
    let server = FakeServer()
    let storage = MemoryStorage(device: 1)
    let other = MemoryStorage(device: 2)
    for round in 0..<5 {
      storage.edit("{}", id: UInt128(10 + round))
      other.edit("{}", id: UInt128(20 + round))
    }
    try sync(storage, server)
    try sync(other, server)
    try sync(storage, server)
    server.rollBack(to: 4)
    for sequence in 1...8 as ClosedRange<UInt64> {
      server.append(device: 3, sequence: sequence, id: UInt128(30 + sequence))
    }
    return (storage, server)
  }

  private func ids(_ server: FakeServer) -> Set<UInt128> {
    Set(server.log.filter { $0.entry.kind == .accepted }.map(\.entry.transaction.id.value))
  }

  @Test("What this store has and the server lacks is pushed, others' too; then all is read anew")
  func rebuilt() throws {
    let (storage, server) = try forked()
    storage.edit("{}", id: 99)
    let summary = try sync(storage, server)
    #expect(summary.rebuilt)
    #expect(storage.log == server.log)
    #expect(ids(server) == Self.own.union(31...38).union([99]))
    #expect(storage.pendingTransactions.isEmpty)
    #expect(storage.state.recentDivergences == 1)
  }

  @Test(
    "A log's id is taken over with the log, not before: what is saved meanwhile names what was read"
  )
  func idOfTheOldLog() throws {
    let (storage, server) = try forked()
    let old = storage.state.log
    // The connection is lost while this store gives the server what it lacks.
    server.lie = { request, reply in
      if case .push = request { server.isCut = true }
      return reply
    }
    #expect(throws: Conversation.Cut.self) { try sync(storage, server) }
    #expect(storage.state.log == old)
    server.lie = { _, reply in reply }
    try sync(storage, server)
    #expect(storage.state.log == server.logID)
    #expect(storage.state.log != old)
    #expect(storage.log == server.log)
  }

  @Test("A shorter log that has parted is filled with what it lacks, and then read")
  func shorter() throws {
    let (storage, server) = try forked()
    server.log = Array(server.log.prefix(6))
    let summary = try sync(storage, server)
    #expect(summary.rebuilt)
    #expect(storage.log == server.log)
    #expect(ids(server).isSuperset(of: Self.own))
    #expect(storage.copies.isEmpty, "nothing was given up")
  }

  @Test("A log that stays shorter is taken only when a person says so, and a copy is kept")
  func staysShorter() throws {
    let (storage, server) = try forked()
    server.log = Array(server.log.prefix(6))
    // It takes nothing of the other device any more.
    server.lie = { request, reply in
      guard case .push(let push) = request, case .ack(var ack) = reply else { return reply }
      let isOther = push.transactions.contains { $0.transaction.device == DeviceID(2) }
      guard isOther else { return reply }
      server.log = Array(server.log.prefix(6))
      ack.results = push.transactions.map { _ in .gap }
      ack.head = server.head
      ack.acked = server.acked(DeviceID(1))
      return .ack(ack)
    }
    let before = storage.log
    #expect(throws: SyncError.decisionNeeded(.shorterLog(server: 6, local: 10))) {
      try sync(storage, server)
    }
    #expect(storage.log == before)
    try sync(storage, server, acceptsShorterLog: true)
    #expect(storage.log == server.log)
    #expect(storage.copies == [before])
    #expect(
      ids(server).isSuperset(of: Self.own), "what the server refused came as this device's own")
  }

  @Test("Entries that are no longer kept are given up when a person says so; pending ones are not")
  func notKept() throws {
    let (storage, server) = try forked()
    server.log = Array(server.log.prefix(4))
    storage.forget(upTo: 7)
    storage.edit("{}", id: 99)
    #expect(throws: SyncError.decisionNeeded(.serverLacks(5...7))) { try sync(storage, server) }
    let summary = try sync(storage, server, acceptsShorterLog: true)
    #expect(summary.rebuilt)
    #expect(storage.copies.count == 1)
    #expect(storage.log == server.log)
    #expect(ids(server).contains(99))
  }

  @Test("Reading beside the state goes on after a cut, where the server's log still has that place")
  func resumed() throws {
    let (storage, server) = try forked()
    var conversation = Conversation(storage, server)
    let before = storage.log
    var pages = 0
    server.refusal = { request in
      guard case .pull = request else { return nil }
      pages += 1
      return pages == 3 ? ErrorMessage(code: "busy", class: .retry, message: "later") : nil
    }
    #expect(throws: SyncError.self) { try conversation.sync() }
    #expect(storage.log == before, "what is held stays until all has been read")
    let begun = storage.staged?.count ?? 0
    #expect(begun > 0)
    server.refusal = { _ in nil }
    var firstPull: Pull?
    server.lie = { request, reply in
      if case .pull(let pull) = request, firstPull == nil { firstPull = pull }
      return reply
    }
    try conversation.sync()
    #expect(firstPull?.after.seq == UInt64(begun))
    #expect(storage.log == server.log)
  }

  @Test("A log read beside the state that is no longer the server's is dropped")
  func dropped() throws {
    let (storage, server) = try forked()
    var pages = 0
    server.refusal = { request in
      guard case .pull = request else { return nil }
      pages += 1
      return pages == 3 ? ErrorMessage(code: "busy", class: .retry, message: "later") : nil
    }
    #expect(throws: SyncError.self) { try sync(storage, server) }
    server.refusal = { _ in nil }
    server.rollBack(to: 2)
    for sequence in 1...9 as ClosedRange<UInt64> {
      server.append(device: 4, sequence: sequence, id: UInt128(40 + sequence))
    }
    try sync(storage, server)
    #expect(storage.log == server.log)
    #expect(ids(server).isSuperset(of: Self.own.union(41...49)))
  }
}
