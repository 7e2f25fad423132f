import FolioCrypto
import FolioDomain
import FolioWire

@testable import FolioGateway

/// An honest server in memory, that speaks in messages; tests make it lie by changing its replies.
final class FakeServer {
  var account: AccountID
  var id: UInt128 = 0x5e
  var logID = LogID(0x109)
  var log: [VerifiedEntry] = []
  var stable: UInt64 = 0
  var time = Timestamp(milliseconds: 1_700_000_100_000)
  var epoch: UInt64 = 0xe
  var tables: [WireTable] = []
  var assets: [AssetInfo] = []
  var tag = Hash256(words: (7, 7, 7, 7))
  var limits = Limits()
  /// Entries in a page, whatever a client asks for.
  var pageEntries = 3
  /// Tables in a page.
  var pageTables = 2
  /// Transactions that are rejected, with the reason.
  var rejects: [TransactionID: String] = [:]
  /// Pushes that were received: the sequences in each.
  var pushes: [[UInt64]] = []
  /// Requests received, in order.
  var requests: [Request] = []
  /// Changes a reply before it is sent.
  var lie: (Request, Reply) -> Reply = { _, reply in reply }
  /// Whether what is sent is no JSON.
  var garbles = false
  /// Set to have the connection cut before the next answer is sent.
  var isCut = false
  /// Whether `ready` tells nothing of what was acknowledged, so that all is sent again.
  var hidesAcked = false
  /// Refuses a request instead of answering it.
  var refusal: (Request) -> ErrorMessage? = { _ in nil }
  private var device: DeviceID?

  init(account: UInt64 = 0xa) {
    self.account = AccountID(Hash256(words: (account, 0, 0, 0)))
  }

  var start: LogPosition {
    LogPosition(seq: 0, hash: LogChain.start(account: account, using: SHA256.self))
  }
  var head: LogPosition { log.last?.position ?? start }

  /// Takes everything away, as a lost disk would; the account is made anew.
  func empty(account: UInt64) {
    log = []
    self.account = AccountID(Hash256(words: (account, 0, 0, 0)))
    logID = LogID(logID.value + 1)
  }

  /// Goes back to the first `count` entries, as a backup would.
  func rollBack(to count: Int) {
    log = Array(log.prefix(count))
    logID = LogID(logID.value + 1)
  }

  var framer = LineFramer(lineByteLimit: Wire.lineByteLimit)

  /// Takes bytes, cut anywhere, and gives the answers to the lines that they complete.
  func answer(_ bytes: [UInt8]) -> [UInt8] {
    framer.append(bytes)
    var answers: [UInt8] = []
    while let line = try? framer.next() {
      guard let message = try? Message(line: line), let answer = answer(message) else { continue }
      answers += answer.line
    }
    if garbles, !answers.isEmpty { answers[answers.count - 3] = 0xff }
    return answers
  }

  private func answer(_ message: Message) -> Message? {
    guard case .request(let id, let request) = message else { return nil }
    requests.append(request)
    if let error = refusal(request) { return .error(id, error) }
    do {
      return .reply(id, lie(request, try reply(to: request)))
    } catch let error as ErrorMessage {
      return .error(id, error)
    } catch {
      return nil
    }
  }

  private func reply(to request: Request) throws -> Reply {
    switch request {
    case .hello:
      return .welcome(
        Welcome(
          serverID: id, server: Software(name: "fake", version: "1"), time: time, nonce: 1,
          limits: limits, schedule: TableSchedule(next: Timestamp(milliseconds: 0))))
    case .auth(let auth): return .ready(ready(auth))
    case .push(let push): return .ack(take(push))
    case .refill(let refill): return .ack(try take(refill))
    case .pull(let pull): return .page(try page(pull))
    case .prices(let prices): return .tables(page(prices))
    case .assets(let assets): return .catalog(page(assets))
    case .verify(let seq):
      guard seq <= log.count else { throw ErrorMessage.positionUnknown }
      return .hash(seq == 0 ? start : log[Int(seq) - 1].position)
    case .ping: return .pong
    case .leaderboard, .subscribe:
      throw ErrorMessage(code: "unsupported", class: .request, message: "not here")
    }
  }

  private func ready(_ auth: Authentication) -> Ready {
    device = auth.device.id
    let common = auth.points.first { point in
      point.seq <= log.count && point.seq > 0 && log[Int(point.seq) - 1].position == point
    }
    return Ready(
      account: account, head: head, common: common, acked: hidesAcked ? nil : acked(auth.device.id),
      stable: stable,
      log: logID, market: market, time: time)
  }

  var market: MarketState {
    MarketState(
      position: MarketPosition(
        epoch: epoch, revision: tables.last?.revision ?? 0, through: Slot(containing: time)),
      base: AssetID(unchecked: "USD"))
  }

  func acked(_ device: DeviceID?) -> AckedTransaction? {
    log.last { $0.entry.transaction.device == device }.map {
      AckedTransaction(
        sequence: $0.entry.transaction.deviceSequence, id: $0.entry.transaction.id)
    }
  }

  // MARK: The log

  func append(_ transaction: Envelope, kind: EntryKind = .accepted) {
    let entry = LogEntry(
      seq: head.seq + 1, acceptedAt: time, kind: kind, transaction: transaction,
      bodyHash: SHA256.hash(of: transaction.body))
    let hash = LogChain.next(after: head.hash, entry, using: SHA256.self)
    log.append(VerifiedEntry(entry, hash: hash))
  }

  /// A transaction that another device made.
  func append(device: UInt128, sequence: UInt64, id: UInt128, body: String = "{}") {
    append(
      Envelope(
        id: TransactionID(id), device: DeviceID(device), deviceSequence: sequence,
        recordedAt: time, body: Array(body.utf8)))
  }

  private func take(_ push: Push) -> Ack {
    pushes.append(push.transactions.map(\.transaction.deviceSequence))
    let results = push.transactions.map(take)
    return Ack(results: results, acked: acked(device), head: head)
  }

  private func take(_ pushed: PushedTransaction) -> PushResult {
    let transaction = pushed.transaction
    let known = log.first {
      $0.entry.transaction.device == transaction.device
        && $0.entry.transaction.deviceSequence == transaction.deviceSequence
    }
    if let known {
      guard known.entry.transaction.id == transaction.id else { return .forked }
      let place = EntryPlace(seq: known.entry.seq, acceptedAt: known.entry.acceptedAt)
      return known.entry.kind == .void ? .void(place, reason: "placeholder") : .duplicate(place)
    }
    let last = acked(transaction.device)?.sequence ?? 0
    guard transaction.deviceSequence == last + 1 else { return .gap }
    if let reason = rejects[transaction.id], !pushed.isVoid { return .rejected(reason: reason) }
    let first = log.first {
      $0.entry.transaction.id == transaction.id && $0.entry.kind == .accepted
    }
    if let first {
      var void = transaction
      void.body = Array(#"{"first":\#(first.entry.seq),"reason":"duplicate"}"#.utf8)
      append(void, kind: .void)
      return .void(EntryPlace(seq: head.seq, acceptedAt: time), reason: "duplicate")
    }
    append(transaction, kind: pushed.isVoid ? .void : .accepted)
    let place = EntryPlace(seq: head.seq, acceptedAt: time)
    return pushed.isVoid ? .void(place, reason: "placeholder") : .ok(place)
  }

  private func take(_ refill: Refill) throws -> Ack {
    if refill.account != account {
      guard log.isEmpty else {
        throw ErrorMessage(code: "account_mismatch", class: .state, message: "another account")
      }
      account = refill.account
    }
    guard refill.after == head else {
      throw ErrorMessage(code: "not_head", class: .state, message: "not the head")
    }
    for entry in refill.entries {
      let entry = entry.logEntry(using: SHA256.self)
      let hash = LogChain.next(after: head.hash, entry, using: SHA256.self)
      log.append(VerifiedEntry(entry, hash: hash))
    }
    return Ack(acked: acked(device), head: head)
  }

  private func page(_ pull: Pull) throws -> Page {
    let isKnown =
      pull.after == start
      || (pull.after.seq > 0 && pull.after.seq <= log.count
        && log[Int(pull.after.seq) - 1].position == pull.after)
    guard isKnown else {
      throw ErrorMessage(code: "unknown_position", class: .state, message: "not in the log")
    }
    let rest = log.dropFirst(Int(pull.after.seq))
    let entries = rest.prefix(min(pageEntries, pull.maxEntries))
    return Page(
      entries: entries.map { entry in
        let transaction = entry.entry.transaction
        guard let own = pull.own, transaction.device == own.device,
          transaction.deviceSequence <= own.upTo
        else { return WireEntry(entry.entry) }
        var stub = entry.entry
        stub.transaction.body = []
        stub.isStub = true
        return WireEntry(stub)
      }, last: entries.last?.position ?? pull.after, more: rest.count > entries.count)
  }

  // MARK: The market

  private func page(_ request: PricesRequest) -> TablesPage {
    let after = request.after?.epoch == epoch ? request.after?.revision ?? 0 : 0
    let rest = tables.filter { $0.revision > after }
    let page = Array(rest.prefix(pageTables))
    return TablesPage(
      market: market, last: page.last?.revision ?? after, tables: page,
      more: rest.count > page.count)
  }

  private func page(_ request: AssetsRequest) -> Catalog {
    if request.tag == tag { return Catalog(tag: tag, isSame: true) }
    let rest = assets.filter { info in request.after.map { info.asset > $0 } ?? true }
    let page = Array(rest.prefix(2))
    return Catalog(tag: tag, assets: page, more: rest.count > page.count)
  }
}
