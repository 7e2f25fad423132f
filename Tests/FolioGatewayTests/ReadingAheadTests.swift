import FolioDomain
import FolioSystem
import FolioWire
import TestSupport
import Testing

@testable import FolioGateway

/// The server is asked for more before what came is stored, and several pages are stored at once.
@Suite("Sync: reading ahead of what is stored")
struct ReadingAheadTests {
  private let now = MonotonicTime(nanoseconds: 0)

  /// A server with a log of that many entries, all of one device, and that many tables.
  private func server(entries: Int, tables: Int = 0) -> FakeServer {
    let server = FakeServer()
    for sequence in 0..<UInt64(entries) {
      server.append(device: 9, sequence: sequence + 1, id: UInt128(sequence + 1))
    }
    for revision in 0..<UInt64(tables) {
      server.tables.append(
        WireTable(slot: Slot(index: Int64(revision)), revision: revision + 1, groups: []))
    }
    return server
  }

  private func session(_ storage: MemoryStorage) throws -> SyncSession {
    try SyncSession(
      storage: storage, options: SyncOptions(account: "me"),
      clock: ManualClock(Timestamp(milliseconds: 1_700_000_000_000)),
      random: SeededSource(seed: 1), at: now)
  }

  private func answers(_ outputs: [SyncSession.Output], _ server: FakeServer) -> [UInt8] {
    var answers: [UInt8] = []
    for case .send(let bytes) in outputs { answers += server.answer(bytes) }
    return answers
  }

  @Test("The next page is asked for before the one that arrived is checked or stored")
  func asksAhead() throws {
    let server = server(entries: 7, tables: 5)
    let storage = MemoryStorage(device: 1)
    var session = try session(storage)
    var arrived = answers(session.start(), server)
    // How much was stored whenever something was asked for ahead.
    var stored: [Int] = []
    while session.outcome == nil {
      try #require(!arrived.isEmpty, "neither side has anything to say")
      var next: [UInt8] = []
      let outputs = session.receive(arrived, at: now) { ahead in
        next += answers(ahead, server)
        if !next.isEmpty { stored.append(storage.log.count + storage.tables.count) }
        ahead = []
      }
      arrived = next + answers(outputs, server)
    }
    // After each page of three entries and of two tables but the last, and none of them was stored.
    #expect(stored == [0, 0, 7, 7])
    #expect(storage.log == server.log)
    #expect(storage.tables.count == 5)
  }

  @Test(
    "Pages are stored together: a few thousand entries at once, and more where there is nothing yet",
    arguments: [(0, 20_000, 2), (1, 9_500, 2)])
  func storesTogether(known: Int, more: Int, stored: Int) throws {
    let server = server(entries: known)
    server.pageEntries = 1_000
    let storage = MemoryStorage(device: 1)
    try sync(storage, server)
    let before = storage.pagesStored
    for number in 0..<UInt64(more) {
      server.append(device: 8, sequence: number + 1, id: UInt128(1_000_000 + number))
    }
    #expect(try sync(storage, server).pulled == more)
    #expect(storage.log == server.log)
    #expect(storage.pagesStored - before == stored)
  }

  @Test("F22 What was read before a connection ends is stored, and reading goes on there")
  func storesAtTheEnd() throws {
    let server = server(entries: 12, tables: 9)
    let storage = MemoryStorage(device: 1)
    var pulls = 0
    server.refusal = { request in
      guard case .pull = request else { return nil }
      pulls += 1
      return pulls == 3 ? ErrorMessage(code: "busy", class: .retry, message: "later") : nil
    }
    #expect(throws: SyncError.self) { try sync(storage, server) }
    #expect(storage.log == Array(server.log.prefix(6)))
    #expect(storage.state.cursor?.seq == 6)

    var asked = 0
    server.refusal = { request in
      guard case .prices = request else { return nil }
      asked += 1
      return asked == 3 ? ErrorMessage(code: "busy", class: .retry, message: "later") : nil
    }
    server.requests = []
    #expect(throws: SyncError.self) { try sync(storage, server) }
    let firstPull = server.requests.lazy.compactMap { request in
      if case .pull(let pull) = request { pull.after.seq } else { nil }
    }.first
    #expect(firstPull == UInt64(6))
    #expect(storage.log == server.log)
    #expect(storage.tables.count == 4)
    #expect(storage.state.market?.revision == UInt64(4))

    server.refusal = { _ in nil }
    try sync(storage, server)
    #expect(storage.tables.count == 9)
  }

  @Test("A storage that fails as the connection ends is what the sync ends with")
  func failsAtTheEnd() throws {
    let server = server(entries: 12)
    let storage = MemoryStorage(device: 1)
    var pulls = 0
    server.refusal = { request in
      guard case .pull = request else { return nil }
      pulls += 1
      if pulls == 3 { storage.callsUntilFailure = 0 }
      return pulls == 3 ? ErrorMessage(code: "busy", class: .retry, message: "later") : nil
    }
    #expect(throws: MemoryStorage.Failure.self) { try sync(storage, server) }
    #expect(storage.log.isEmpty)
  }
}
