import FolioDomain
import FolioWire
import TestSupport
import Testing

@testable import FolioGateway

/// What becomes of transactions on their way to the log.
@Suite("Sending transactions")
struct PushTests {
  @Test("F01 The reply to a push is lost, ten times over: nothing is there twice")
  func lostReply() throws {
    let server = FakeServer()
    let storage = MemoryStorage(device: 1)
    for id in 1...3 as ClosedRange<UInt128> { storage.edit("{}", id: id) }
    var conversation = Conversation(storage, server)
    // A server that shows nothing of its log makes the store send everything again.
    server.lie = { request, reply in
      switch (request, reply) {
      case (_, .ready(var ready)):
        ready.head = server.start
        ready.acked = nil
        return .ready(ready)
      case (.pull(let pull), _): return .page(Page(entries: [], last: pull.after, more: false))
      case (.push, _):
        server.isCut = true
        return reply
      default: return reply
      }
    }
    for _ in 0..<10 { #expect(throws: Conversation.Cut.self) { try conversation.sync() } }
    #expect(server.pushes.count == 10)
    server.lie = { _, reply in reply }
    try conversation.sync()
    #expect(server.log.count == 3)
    #expect(storage.log == server.log)
  }

  @Test("F02 A batch is cut differently on a retry: identities are the transactions' own")
  func otherBatches() throws {
    let server = FakeServer()
    let storage = MemoryStorage(device: 1)
    for id in 1...10 as ClosedRange<UInt128> { storage.edit("{}", id: id) }
    server.limits.entries = 7
    server.limits.inFlight = 1
    server.hidesAcked = true
    var conversation = Conversation(storage, server)
    server.lie = { request, reply in
      if case .push = request { server.isCut = true }
      return reply
    }
    #expect(throws: Conversation.Cut.self) { try conversation.sync() }
    #expect(server.log.count == 7)
    server.lie = { _, reply in reply }
    server.limits.entries = 3
    try conversation.sync()
    #expect(server.log.count == 10)
    #expect(storage.log == server.log)
  }

  @Test(
    "F08 Errors that may pass take nothing from what is pending",
    arguments: [
      ErrorMessage(code: "busy", class: .retry, action: .backoff, message: "later"),
      ErrorMessage(code: "not_allowed", class: .auth, action: .reauth, message: "who are you"),
      ErrorMessage(code: "not_head", class: .state, action: .repush, message: "again"),
      ErrorMessage(code: "broken", class: .fatal, message: "no"),
      ErrorMessage(code: "unheard_of", class: .unknown("odd"), message: "what"),
    ])
  func passingErrors(error: ErrorMessage) throws {
    let server = FakeServer()
    let storage = MemoryStorage(device: 1)
    storage.edit("{}", id: 1)
    server.refusal = { request in
      guard case .push = request else { return nil }
      return error
    }
    #expect(throws: SyncError.refused(error)) { try sync(storage, server) }
    #expect(storage.pendingTransactions.count == 1)
    #expect(storage.rejected.isEmpty)
    server.refusal = { _ in nil }
    #expect(try sync(storage, server).pushed == 1)
  }

  @Test("F09 A rejected transaction is listed with its code, and the rest goes on")
  func rejected() throws {
    let server = FakeServer()
    let storage = MemoryStorage(device: 1)
    for id in 1...6 as ClosedRange<UInt128> { storage.edit("{}", id: id) }
    server.rejects[TransactionID(3)] = "body_too_long"
    server.rejects[TransactionID(5)] = "entry_version"
    let summary = try sync(storage, server)
    #expect(
      summary.rejected == [
        RejectedTransaction(id: TransactionID(3), sequence: 3, reason: "body_too_long"),
        RejectedTransaction(id: TransactionID(5), sequence: 5, reason: "entry_version"),
      ])
    #expect(
      server.log.map(\.entry.kind) == [.accepted, .accepted, .void, .accepted, .void, .accepted])
    #expect(storage.log == server.log)
    #expect(summary.pushed == 4)
  }

  @Test("F09 A push that is refused twice is sent one by one, and only the culprit is rejected")
  func oneByOne() throws {
    let server = FakeServer()
    let storage = MemoryStorage(device: 1)
    for id in 1...5 as ClosedRange<UInt128> { storage.edit("{}", id: id) }
    server.refusal = { request in
      guard case .push(let push) = request,
        push.transactions.contains(where: { $0.transaction.id.value == 4 && !$0.isVoid })
      else { return nil }
      return ErrorMessage(code: "bad_request", class: .request, message: "no")
    }
    let summary = try sync(storage, server)
    #expect(summary.rejected.map(\.sequence) == [4])
    #expect(summary.rejected.first?.reason == "bad_request")
    #expect(server.log.count == 5)
    #expect(storage.log == server.log)
    let batches = server.requests.compactMap { request in
      if case .push(let push) = request { push.transactions.count } else { nil }
    }
    #expect(batches.prefix(2) == [5, 5])
    #expect(batches.dropFirst(2).allSatisfy { $0 == 1 })
  }

  @Test("F22 A batch whose connection drops twice is sent one by one")
  func droppedTwice() throws {
    let server = FakeServer()
    let storage = MemoryStorage(device: 1)
    for id in 1...5 as ClosedRange<UInt128> { storage.edit("{}", id: id) }
    var conversation = Conversation(storage, server)
    server.refusal = { request in
      if case .push(let push) = request, push.transactions.count > 1 {
        server.isCut = true
        return ErrorMessage(code: "busy", class: .retry, message: "never arrives")
      }
      return nil
    }
    for _ in 0..<2 {
      #expect(throws: Conversation.Cut.self) { try conversation.sync() }
    }
    #expect(try conversation.sync().pushed == 5)
    #expect(storage.log == server.log)
  }

  @Test("A transaction that was not tried is tried again on a new connection")
  func retry() throws {
    let server = FakeServer()
    let storage = MemoryStorage(device: 1)
    storage.edit("{}", id: 1)
    server.lie = { request, reply in
      guard case .push = request else { return reply }
      return .ack(Ack(results: [.retry], head: server.start))
    }
    let error = #expect(throws: SyncError.self) { try sync(storage, server) }
    #expect(error?.isRetryable == true)
    #expect(storage.pendingTransactions.count == 1)
  }

  @Test("Gaps for ever are an error, and no loop")
  func gapForEver() throws {
    let server = FakeServer()
    let storage = MemoryStorage(device: 1)
    storage.edit("{}", id: 1)
    server.lie = { request, reply in
      guard case .push = request else { return reply }
      return .ack(Ack(results: [.gap], head: server.start))
    }
    #expect(throws: SyncError.violation(.wrongResults)) { try sync(storage, server) }
  }

  @Test("Many transactions go in batches within every limit")
  func batches() throws {
    let server = FakeServer()
    let storage = MemoryStorage(device: 1)
    server.pageEntries = 1_000
    for id in 1...1_200 as ClosedRange<UInt128> {
      storage.edit("{\"t\":\"\(String(repeating: "x", count: 1_000))\"}", id: id)
    }
    try sync(storage, server)
    #expect(server.log.count == 1_200)
    #expect(storage.log == server.log)
    #expect(server.pushes.allSatisfy { $0.count <= 500 })
  }
}
