import FolioCrypto
import FolioDomain
import FolioWire

/// An honest server in memory, to whose answers a check adds what the client is to be tried with.
final class ModelServer {
  /// What the client sent, in order, over all connections.
  struct Received {
    var connection: Int
    var message: Message
    var line: [UInt8]
  }

  /// A request, and what it will be answered with unless the check decides otherwise.
  struct Exchange {
    let connection: Int
    let id: RequestID
    let request: Request
    /// What is sent, in order.
    var lines: [[UInt8]]
    /// Whether the connection is closed once that is sent.
    var closes = false
    /// Whether each byte is sent by itself.
    var isTrickled = false

    /// Adds a member `x` at the end of each line, whose value and closing bracket are `rest`.
    mutating func addMember(_ rest: [UInt8]) {
      for index in lines.indices {
        lines[index].removeLast(2)
        lines[index] += Array(#","x":"#.utf8) + rest + [0x0A]
      }
    }

    /// Answers with `reply` instead.
    mutating func reply(_ reply: Reply) { lines = [Message.reply(id, reply).line] }

    /// Refuses the request instead.
    mutating func refuse(_ error: ErrorMessage) { lines = [Message.error(id, error).line] }

    /// Sends lines of text before the answer.
    mutating func precede(_ texts: String...) {
      lines = texts.map { Array($0.utf8) + [0x0A] } + lines
    }
  }

  var account: AccountID
  var logID: LogID
  let epoch: UInt64 = 0xf0110
  /// The log, entry by entry, and the place after each.
  var log: [(entry: LogEntry, position: LogPosition)] = []
  /// Entries of a page, at most.
  var pageEntries = 3
  /// Changes what is sent.
  var script: (inout Exchange) -> Void = { _ in }
  private(set) var received: [Received] = []
  /// What a client must not do, whatever is checked, and did.
  private(set) var violations: [String] = []
  private(set) var connections: [ModelConnection] = []
  private let clock: any WallClock

  init(ids: Ids, clock: any WallClock) {
    account = AccountID(SHA256.hash(ofUTF8: "\(ids.nonce())"))
    logID = LogID(ids.nonce())
    self.clock = clock
  }

  var time: Timestamp {
    let now = clock.now()
    return max(now, log.last?.entry.acceptedAt ?? now)
  }

  var start: LogPosition { .start(of: account) }
  var head: LogPosition { log.last?.position ?? start }

  /// The requests received, in order.
  var requests: [Request] {
    received.compactMap { received -> Request? in
      if case .request(_, let request) = received.message { request } else { nil }
    }
  }

  /// The transactions received in pushes, in order.
  var pushed: [PushedTransaction] {
    requests.flatMap { request -> [PushedTransaction] in
      if case .push(let push) = request { push.transactions } else { [] }
    }
  }

  // MARK: Connections

  func connect() -> ModelConnection {
    let connection = ModelConnection(number: connections.count, server: self)
    connections.append(connection)
    return connection
  }

  func note(_ message: Message, _ line: [UInt8], on connection: Int) {
    received.append(Received(connection: connection, message: message, line: line))
  }

  func violate(_ text: String) { violations.append(text) }

  // MARK: Answers

  func answer(_ request: Request, _ connection: ModelConnection) throws(ErrorMessage) -> Reply {
    switch request {
    case .hello: return .welcome(welcome)
    case .auth(let authentication): return .ready(ready(authentication))
    case .push(let push):
      let results = push.transactions.map { take($0) }
      return .ack(Ack(results: results, acked: acked(connection.device), head: head))
    case .refill(let refill):
      try take(refill)
      return .ack(Ack(acked: acked(connection.device), head: head))
    case .pull(let pull): return .page(try page(pull))
    case .verify(let seq):
      guard seq <= log.count else { throw .positionUnknown }
      return .hash(seq == 0 ? start : log[Int(seq) - 1].position)
    case .prices: return .tables(TablesPage(market: market, last: 0, tables: [], more: false))
    case .assets(let request):
      let tag = SHA256.hash(of: [])
      return .catalog(Catalog(tag: tag, isSame: request.tag == tag))
    case .leaderboard: return .ranking(Ranking(rows: [], more: false))
    case .subscribe(let subscription):
      return .heads(Heads(head: subscription.topics.contains(.log) ? head : nil))
    case .ping: return .pong
    }
  }

  var welcome: Welcome {
    Welcome(
      serverID: 0x5e7, server: Software(name: "folio-conformance", version: "1"), time: time,
      nonce: UInt128(connections.count), schedule: TableSchedule(next: time))
  }

  var market: MarketState {
    MarketState(
      position: MarketPosition(epoch: epoch, revision: 0, through: Slot(containing: time)),
      base: AssetID(unchecked: "USD"))
  }

  private func ready(_ authentication: Authentication) -> Ready {
    let common = authentication.points.first { point in
      point.seq >= 1 && point.seq <= log.count && log[Int(point.seq) - 1].position == point
    }
    return Ready(
      account: account, head: head, common: common, acked: acked(authentication.device.id),
      log: logID, market: market, time: time)
  }

  private func page(_ pull: Pull) throws(ErrorMessage) -> Page {
    let after = pull.after
    let isKnown =
      after.seq == 0
      ? after == start
      : after.seq <= log.count && log[Int(after.seq) - 1].position == after
    guard isKnown else { throw .positionUnknown }
    let rest = log.dropFirst(Int(after.seq))
    let part = rest.prefix(min(pageEntries, pull.maxEntries))
    return Page(
      entries: part.map { WireEntry($0.entry) }, last: part.last?.position ?? after,
      more: part.count < rest.count)
  }
}
