import FolioDomain
import FolioWire
import TestSupport
import Testing

@testable import FolioServer

/// Each lie of a client has its own answer, and leaves what the server stores as it was, row for row.
@Suite("A client that lies")
struct LyingClientTests {
  /// What a client sends after it has logged in as device 1, whose first two the server has.
  struct Lie: Sendable, CustomTestStringConvertible {
    var what: String
    /// The code of the error, or of the result of the transaction.
    var answer: String
    var request: @Sendable (Facts) -> Request
    /// A part of the request's line, and what stands there instead.
    var spoil: (part: String, instead: String)?
    init(
      _ what: String, _ answer: String, spoil: (part: String, instead: String)? = nil,
      _ request: @escaping @Sendable (Facts) -> Request
    ) {
      self.what = what
      self.answer = answer
      self.spoil = spoil
      self.request = request
    }
    var testDescription: String { what }
  }

  /// What it knows of the log.
  struct Facts: Sendable {
    var account: AccountID
    var foreign: AccountID
    var head: LogPosition
    var log: [LogEntry]
  }

  private static func push(_ pushed: PushedTransaction) -> Request {
    .push(Push(transactions: [pushed]))
  }

  /// A refill of the log's own entries after its first, changed.
  private static func refill(
    _ facts: Facts, after: LogPosition? = nil, account: AccountID? = nil,
    _ change: (inout LogEntry) -> Void = { _ in }
  ) -> Request {
    var entry = facts.log[0]
    entry.seq = facts.head.seq + 1
    entry.transaction.id = TransactionID(900)
    entry.transaction.deviceSequence = 3
    entry.acceptedAt = facts.log[1].acceptedAt
    change(&entry)
    return .refill(
      Refill(
        account: account ?? facts.account, after: after ?? facts.head, entries: [WireEntry(entry)]))
  }

  static let lies: [Lie] = [
    Lie("F01: what the server has, again", "duplicate") { _ in push(transaction(2, sequence: 2)) },
    Lie("another transaction in a place that is taken", "forked") { _ in
      push(transaction(77, sequence: 2))
    },
    Lie("a sequence that leaves a gap", "gap") { _ in push(transaction(9, sequence: 9)) },
    Lie("F23: a body that is too long", "too_long") { _ in
      let text = String(repeating: "x", count: Wire.bodyByteLimit)
      return push(transaction(9, sequence: 3, body: #"{"operations":["\#(text)"]}"#))
    },
    Lie("an entry of a version that is none", "entry_version") { _ in
      var pushed = transaction(9, sequence: 3)
      pushed.transaction.version = 200
      return push(pushed)
    },
    Lie(
      "a plain body under a key", "bad_value",
      spoil: (#""recordedAt":"#, #""keyId":4,"recordedAt":"#)
    ) { _ in push(transaction(9, sequence: 3)) },
    Lie("a place that is not in the log", "position_unknown") { facts in
      .pull(Pull(after: LogPosition(seq: facts.head.seq, hash: .zero), maxEntries: 1, maxBytes: 1))
    },
    Lie("a hash beyond the log", "position_unknown") { _ in .verify(seq: 99) },
    Lie("a refill after another place than the head", "head_moved") { facts in
      refill(facts, after: LogPosition(seq: 1, hash: .zero))
    },
    Lie("a refill of another account's id", "account_mismatch") { facts in
      refill(facts, account: AccountID(Hash256(words: (9, 9, 9, 9))))
    },
    Lie("a refill of the account of another client", "account_mismatch") { facts in
      refill(facts, account: facts.foreign)
    },
    Lie("a refill that leaves a gap", "does_not_follow") { facts in
      refill(facts) { $0.seq += 1 }
    },
    Lie("a refill that goes back in time", "does_not_follow") { facts in
      refill(facts) { $0.acceptedAt = Timestamp(milliseconds: 0) }
    },
    Lie("a refill with a gap in a device", "does_not_follow") { facts in
      refill(facts) { $0.transaction.deviceSequence = 7 }
    },
    Lie("a refill of an id that is known", "does_not_follow") { facts in
      refill(facts) { $0.transaction.id = TransactionID(1) }
    },
  ]

  @Test("each lie", arguments: lies)
  func lie(_ lie: Lie) throws {
    let fixture = try HubFixture()
    try fixture.server.push(transaction(1, sequence: 1), transaction(2, sequence: 2), to: "ann")
    try fixture.server.push(transaction(5, sequence: 1), to: "bob")
    let client = try fixture.logIn("ann")
    let facts = Facts(
      account: try fixture.server.account("ann").id, foreign: try fixture.server.account("bob").id,
      head: try fixture.server.account("ann").head, log: try fixture.server.entries("ann"))
    let before = try fixture.server.storage.read(AllRows())
    #expect(try answer(to: lie, facts, client) == lie.answer)
    #expect(try fixture.server.storage.read(AllRows()) == before)
    #expect(try fixture.server.storage.read(VerifyStorage()).problems == [])
    // An honest one goes on.
    let honest = try fixture.logIn("ann", device: 8)
    let ack = try honest.push(transaction(50, device: 8, sequence: 1))
    #expect(ack.head.seq == facts.head.seq + 1)
  }

  /// The code of a refusal, or the name of the one result.
  private func answer(to lie: Lie, _ facts: Facts, _ client: HubClient) throws -> String {
    var line = client.conversation.send(lie.request(facts)).line
    if let spoil = lie.spoil {
      let text = String(decoding: line, as: UTF8.self)
      try #require(text.contains(spoil.part))
      line = Array(text.replacing(spoil.part, with: spoil.instead, maxReplacements: 1).utf8)
    }
    let events = try client.send(line)
    switch events.first {
    case .refused(_, _, let error), .failed(.refused(let error)): return error.code
    case .reply(_, _, .ack(let ack)):
      switch ack.results.first {
      case .ok: return "ok"
      case .duplicate: return "duplicate"
      case .void(_, let reason): return reason
      case .gap: return "gap"
      case .forked: return "forked"
      case .retry: return "retry"
      case .rejected(let reason): return reason
      case nil: return "taken"
      }
    default: return "\(events)"
    }
  }
}
