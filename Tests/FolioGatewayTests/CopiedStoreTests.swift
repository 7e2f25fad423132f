import FolioDomain
import FolioWire
import TestSupport
import Testing

@testable import FolioGateway

@Suite("F14 A store that was copied")
struct CopiedStoreTests {
  /// A store, and a copy of it made while one transaction was pending.
  private func copied() throws -> (MemoryStorage, MemoryStorage, FakeServer) {
    let server = FakeServer()
    let original = MemoryStorage(device: 1)
    for id in 1...3 as ClosedRange<UInt128> { original.edit("{}", id: id) }
    try sync(original, server)
    original.edit("{}", id: 4)
    let copy = MemoryStorage(device: 1)
    copy.state = original.state
    copy.log = original.log
    copy.pendingTransactions = original.pendingTransactions
    return (original, copy, server)
  }

  @Test("The server has more of this device than it made: it takes an identity of its own")
  func more() throws {
    let (original, copy, server) = try copied()
    original.edit("{}", id: 5)
    try sync(original, server)
    copy.edit("{}", id: 6)
    copy.edit("{}", id: 7)
    copy.edit("{}", id: 8)
    let summary = try sync(copy, server)
    #expect(summary.newDevice == copy.state.device)
    #expect(copy.state.device != DeviceID(1))
    #expect(copy.log == server.log)
    try sync(original, server)
    #expect(original.log == server.log)
    #expect(original.state.device == DeviceID(1))
    // The pending one that both had is in the log once with effect, and once without.
    let accepted = server.log.filter { $0.entry.kind == .accepted }.map(
      \.entry.transaction.id.value)
    #expect(accepted.sorted() == [1, 2, 3, 4, 5, 6, 7, 8])
    #expect(Set(accepted).count == accepted.count)
  }

  @Test("The server has another transaction in this device's place")
  func other() throws {
    let (original, copy, server) = try copied()
    try sync(original, server)
    copy.pendingTransactions = []
    copy.state.lastSequence = 3
    copy.edit("{}", id: 9)
    let summary = try sync(copy, server)
    #expect(summary.newDevice != nil)
    #expect(copy.log == server.log)
    #expect(server.log.count == 5)
  }

  @Test("A server that asks for a new identity is obeyed once, and not again")
  func asked() throws {
    let (_, copy, server) = try copied()
    server.refusal = { request in
      guard case .auth = request else { return nil }
      return ErrorMessage(
        code: "device_in_use", class: .state, action: .newDevice, message: "a copy")
    }
    #expect(throws: SyncError.identityContested) { try sync(copy, server) }
    #expect(copy.pendingTransactions.count == 1)
  }

  @Test("A pending transaction that arrives under the old identity only uses up its sequence")
  func numberedAnew() throws {
    let (original, copy, server) = try copied()
    original.edit("{}", id: 5)
    try sync(original, server)
    copy.edit("{}", id: 6)
    try sync(copy, server)
    let own = server.log.filter { $0.entry.transaction.device == copy.state.device }
    #expect(own.map(\.entry.transaction.deviceSequence) == [1, 2])
    #expect(own.map(\.entry.kind) == [.void, .accepted])
    #expect(copy.pendingTransactions.isEmpty)
  }
}
