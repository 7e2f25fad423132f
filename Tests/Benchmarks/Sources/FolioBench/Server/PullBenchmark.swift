import CBaseline
import FolioDomain
import FolioWire
import Foundation

/// 64 devices that restore at once, each a log of its own, against the same one after the other.
///
/// Each pulls its account's log from the first entry to the last, in pages of 500 entries. What a
/// server can give is bound by its processor; those who come together are not to slow each other.
enum PullBenchmark: Benchmark {
  static let name = "pull"
  static let title = "64 accounts restored from one server at once, beside one after the other"
  static let bar = "at least 0.9 of its entries a second"
  static let size = Size(1_500, long: 10_000, "entries of each account")
  static let accounts = 64
  static let pageCount = 500
  static let rounds = 5
  static let ratioBar = 0.9

  static func measure(_ run: Run) throws {
    try run.inFolder("pull") { root in
      let server = try OurServer(run.programs(), root + "/server", accounts: accounts) { $0 }
      defer { server.stop() }
      let count = run.count(size)
      run.output.note("giving the server \(accounts * count) entries")
      let content = try Content(assetCount: 200)
      var logs: [Log] = []
      for account in 0..<accounts {
        logs.append(try Log(server, account, content, count))
      }
      var bytes: [Int] = []
      let measured = try Rounds.alternating(
        rounds,
        ours: {
          let outcome = try pull(server, logs)
          bytes.append(outcome.answerBytes)
          return outcome.seconds * 1e9 / Double(accounts * count)
        },
        peer: {
          let outcomes = try logs.map { try pull(server, [$0]) }
          bytes.append(outcomes.reduce(0) { $0 + $1.answerBytes })
          return outcomes.reduce(0) { $0 + $1.seconds } * 1e9 / Double(accounts * count)
        })
      try demand(Set(bytes).count == 1, "the answers were not the same each time: \(bytes)")
      try run.output.add(
        .ratio(
          "pull, 64 accounts at once / one after the other", measured, atLeast: ratioBar,
          note: "\(count) entries each; the same bytes both ways"))
      try run.output.add(
        .plain("pull, 64 accounts at once", measured.ours.map { 1e9 / $0 }, "a second"))
      try run.output.add(
        .plain("pull, one after the other", measured.peer.map { 1e9 / $0 }, "a second"))
    }
  }

  /// Each log is pulled by one client, all of them at once.
  private static func pull(_ server: OurServer, _ logs: [Log]) throws -> LoadOutcome {
    let sockets = try logs.map { try server.connect($0.account) }
    return try LoadOutcome(
      server.speech, mark: "\"type\":\"page\"}\n", sockets, logs.map(\.requests))
  }

  /// A log on the server, and what it takes to pull all of it.
  private struct Log {
    let account: Int
    private(set) var requests = Requests()

    /// Gives the server a log of `count` entries, as a client that kept them would, and looks whether
    /// the server gives it back.
    init(_ server: OurServer, _ account: Int, _ content: Content, _ count: Int) throws {
      self.account = account
      let socket = try LoadSocket(port: server.port)
      let ready = try server.logIn(socket, account)
      var log = LogContent(
        content, account: ready.account, log: ready.log,
        start: Timestamp(milliseconds: 1_577_836_800_000))
      for begin in stride(from: 0, to: count, by: PullBenchmark.pageCount) {
        let after = log.head
        let entries = try (begin..<min(begin + PullBenchmark.pageCount, count)).map { _ in
          WireEntry(try log.next(after: 60_000))
        }
        let refill = Refill(account: ready.account, after: after, entries: entries)
        let number = UInt64(requests.ends.count)
        try socket.send(Message.request(RequestID(3 + 2 * number), .refill(refill)).line)
        guard case .reply(_, .ack(let ack)) = try Message(line: try socket.line()),
          ack.head == log.head
        else { throw Command.Failed(description: "the server did not take the log") }
        let pull = Pull(after: after, maxEntries: PullBenchmark.pageCount, maxBytes: 1 << 20)
        try socket.send(Message.request(RequestID(4 + 2 * number), .pull(pull)).line)
        guard case .reply(_, .page(let page)) = try Message(line: try socket.line()),
          page.entries == entries, page.last == log.head
        else { throw Command.Failed(description: "the server gives another log back") }
        requests.add(Message.request(RequestID(3 + number), .pull(pull)).line)
      }
    }
  }
}
