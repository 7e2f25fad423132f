import FolioDomain
import FolioWire
import Testing

@testable import FolioServer

/// What is said on one connection.
struct ConversationTests {
  @Test func greetsAndLetsAKnownAccountIn() throws {
    let fixture = try HubFixture()
    let client = try fixture.connect()
    let welcome = try client.greet()
    #expect(welcome.version == 1)
    #expect(welcome.schedule.next == (try Timestamp("2026-03-01T12:00:00Z")))
    let events = try client.send(
      client.conversation.authenticate(
        Authentication(
          account: "ann", device: DeviceIdentity(id: DeviceID(1), instance: InstanceID(1)))))
    guard case .ready(let ready)? = events.first else {
      Issue.record("\(events)")
      return
    }
    let account = try fixture.server.account("ann")
    #expect(ready.account == account.id && ready.log == account.log)
    #expect(ready.head == account.head && ready.stable == 0 && ready.acked == nil)
    #expect(ready.market.base.text == "USD")
    #expect(ready.market.position.through.text == "2026-03-01T06Z")
  }

  @Test func anUnknownADisabledAndAForeignAccountGetTheSameAnswer() throws {
    let fixture = try HubFixture(onlyAccount: "ann")
    try fixture.server.createAccount("eve")
    _ = try fixture.server.storage.write(SetAccountDisabled("eve", true))
    var answers: [[UInt8]] = []
    for name in ["nobody", "eve", "bob", "../ann", ""] {
      let client = try fixture.connect()
      _ = try client.greet()
      let before = client.received.count
      _ = try client.send(
        client.conversation.authenticate(
          Authentication(
            account: name.isEmpty ? "x" : name,
            device: DeviceIdentity(id: DeviceID(1), instance: InstanceID(1)))))
      #expect(client.isFinished)
      answers.append(Array(client.received[before...]))
    }
    #expect(Set(answers).count == 1)
    #expect(String(decoding: answers[0], as: UTF8.self).contains(#""class":"auth""#))
  }

  @Test func nothingButHelloComesFirstAndNothingButAuthSecond() throws {
    let requests: [Request] = [
      .push(Push(transactions: [transaction(1, sequence: 1)])),
      .pull(Pull(after: LogPosition(seq: 0, hash: .zero), maxEntries: 1, maxBytes: 1)),
      .prices(PricesRequest()), .assets(AssetsRequest()), .verify(seq: 0),
      .leaderboard(LeaderboardRequest(limit: 1)), .subscribe(Subscription(topics: [])),
      .refill(
        Refill(
          account: AccountID(.zero), after: LogPosition(seq: 0, hash: .zero),
          entries: [
            WireEntry(
              LogEntry(
                seq: 1, acceptedAt: Timestamp(milliseconds: 0), kind: .accepted,
                transaction: transaction(1, sequence: 1).transaction, bodyHash: .zero))
          ])),
    ]
    for request in requests {
      for isGreeted in [false, true] {
        let fixture = try HubFixture()
        let client = try fixture.connect()
        if isGreeted { _ = try client.greet() }
        let before = try fixture.server.storage.read(AllRows())
        _ = try client.send(Message.request(RequestID(9), request).line)
        #expect(client.isFinished, "\(request.type) \(isGreeted)")
        #expect(
          String(decoding: client.received, as: UTF8.self)
            .contains(isGreeted ? "auth_expected" : "hello_expected"))
        #expect(try fixture.server.storage.read(AllRows()) == before)
      }
    }
  }

  @Test func nobodyGreetsOrLogsInTwice() throws {
    let greeting = Request.hello(Hello(client: Software(name: "t", version: "1"), nonce: 1))
    let naming = Request.auth(
      Authentication(
        account: "bob", device: DeviceIdentity(id: DeviceID(9), instance: InstanceID(1))))
    for request in [greeting, naming] {
      let fixture = try HubFixture()
      let client = try fixture.logIn()
      let other = try fixture.logIn("bob", device: 9)
      _ = try client.send(Message.request(RequestID(50), request).line)
      #expect(client.isFinished && !other.isFinished)
      #expect(String(decoding: client.received, as: UTF8.self).contains("unexpected_message"))
    }
  }

  @Test func pushesPullsAndVerifies() throws {
    let fixture = try HubFixture()
    let client = try fixture.logIn()
    let ack = try client.push(transaction(11, sequence: 1), transaction(12, sequence: 2))
    #expect(ack.head.seq == 2)
    #expect(ack.acked == AckedTransaction(sequence: 2, id: TransactionID(12)))
    let start = LogPosition(seq: 0, hash: startHash(of: try fixture.server.account().id))
    let other = try fixture.logIn(device: 2)
    guard
      case .page(let page) = try other.ask(
        .pull(Pull(after: start, maxEntries: 10, maxBytes: 1 << 20)))
    else { return }
    #expect(page.entries.map(\.transaction.id.value) == [11, 12])
    #expect(page.last == ack.head && !page.more)
    #expect(try other.ask(.verify(seq: 2)) == .hash(ack.head))
    #expect(try other.ask(.verify(seq: 0)) == .hash(start))
    #expect(try other.refusal(of: .verify(seq: 3)).code == "position_unknown")
    let wrong = LogPosition(seq: 1, hash: .zero)
    let refusal = try other.refusal(of: .pull(Pull(after: wrong, maxEntries: 1, maxBytes: 1)))
    #expect(refusal.code == "position_unknown" && refusal.errorClass == .state)
  }

  @Test func ownEntriesComeAsStubsAndChainAsWholeOnes() throws {
    let fixture = try HubFixture()
    let client = try fixture.logIn()
    _ = try client.push(transaction(11, sequence: 1), transaction(12, sequence: 2))
    _ = try client.push(transaction(21, device: 2, sequence: 1), transaction(13, sequence: 3))
    let start = LogPosition(seq: 0, hash: startHash(of: try fixture.server.account().id))
    let own = OwnEntries(device: DeviceID(1), upTo: 2)
    guard
      case .page(let page) = try client.ask(
        .pull(Pull(after: start, maxEntries: 10, maxBytes: 1 << 20, own: own)))
    else { return }
    #expect(page.entries.map { $0.stubHash != nil } == [true, true, false, false])
    #expect(page.entries.map(\.transaction.body.isEmpty) == [true, true, false, false])
    var hash = start.hash
    for entry in page.entries { hash = nextHash(after: hash, logEntry(entry)) }
    #expect(hash == page.last.hash)
  }

  @Test func pagesAreCutByEntriesAndBytesButHoldOneEntry() throws {
    let fixture = try HubFixture()
    let client = try fixture.logIn()
    let body = #"{"a":"\#(String(repeating: "x", count: 50_000))"}"#
    for n in 1...10 {
      _ = try client.push(transaction(UInt128(n), sequence: UInt64(n), body: body))
    }
    for (maxEntries, maxBytes) in [(3, 1 << 20), (100, 120_000), (100, 1), (1, 1)] {
      var position = LogPosition(seq: 0, hash: startHash(of: try fixture.server.account().id))
      var pages = 0
      while true {
        let pull = Pull(after: position, maxEntries: maxEntries, maxBytes: maxBytes)
        guard case .page(let page) = try client.ask(.pull(pull)) else { return }
        #expect(!page.entries.isEmpty && page.entries.count <= maxEntries)
        position = page.last
        pages += 1
        if !page.more { break }
      }
      #expect(position.seq == 10)
      #expect(pages >= 4)
    }
  }

  @Test func servesTablesAssetsRankingAndHeads() throws {
    let fixture = try HubFixture()
    var observations = PriceObservations()
    let bitcoin = AssetKey(
      type: AssetType(unchecked: "crypto"), id: AssetID(unchecked: "bitcoin"))
    observations.add(bitcoin, .one, at: try Timestamp("2026-03-01T05:00:00Z"))
    observations.add(bitcoin, .one, at: try Timestamp("2026-03-01T08:00:00Z"))
    let storage = fixture.server.storage
    _ = try storage.write(ImportPrices(observations, now: fixture.server.now))
    let info = AssetInfo(asset: bitcoin, symbol: "BTC", name: "Bitcoin", rank: 1)
    let tag = try storage.write(ImportAssets([info])).table.tag
    let client = try fixture.logIn()
    guard case .tables(let tables) = try client.ask(.prices(PricesRequest())) else { return }
    #expect(tables.tables.map(\.slot.text) == ["2026-03-01T06Z"] && !tables.more)
    guard case .catalog(let catalog) = try client.ask(.assets(AssetsRequest())) else { return }
    #expect(catalog.assets == [info] && catalog.tag == tag)
    guard case .catalog(let same) = try client.ask(.assets(AssetsRequest(tag: tag))) else {
      return
    }
    #expect(same.isSame && same.assets.isEmpty)
    guard
      case .ranking(let ranking) = try client.ask(.leaderboard(LeaderboardRequest(limit: 5)))
    else { return }
    #expect(ranking.rows.map(\.price) == [.one])
    // The table that was held back comes when its boundary has passed.
    fixture.server.advance(milliseconds: 5 * 3_600_000)
    guard
      case .heads(let heads) = try client.ask(
        .subscribe(Subscription(topics: [.log, .prices, .assets])))
    else { return }
    #expect(heads.market?.position.revision == 2)
    #expect(heads.market?.position.through.text == "2026-03-01T12Z")
    #expect(heads.assetsTag == tag)
    #expect(try heads.head == fixture.server.account().head)
    let after = TableCursor(epoch: tables.market.position.epoch, revision: tables.last)
    guard case .tables(let next) = try client.ask(.prices(PricesRequest(after: after))) else {
      return
    }
    #expect(next.tables.map(\.slot.text) == ["2026-03-01T12Z"])
  }

  @Test func readsWaitForThePushesBeforeThem() throws {
    let fixture = try HubFixture()
    let client = try fixture.logIn()
    let start = LogPosition(seq: 0, hash: startHash(of: try fixture.server.account().id))
    var lines: [UInt8] = []
    lines += client.conversation.send(.push(Push(transactions: [transaction(1, sequence: 1)]))).line
    lines += client.conversation.send(.push(Push(transactions: [transaction(2, sequence: 2)]))).line
    lines +=
      client.conversation.send(
        .pull(Pull(after: start, maxEntries: 10, maxBytes: 1 << 20))
      ).line
    lines += client.conversation.send(.push(Push(transactions: [transaction(3, sequence: 3)]))).line
    let replies = try client.send(lines).map { event -> String in
      guard case .reply(_, _, let reply) = event else { return "\(event)" }
      switch reply {
      case .ack(let ack): return "ack \(ack.head.seq)"
      case .page(let page): return "page \(page.last.seq)"
      default: return "\(reply.type)"
      }
    }
    // Both pushes are committed together; each acknowledgement tells the head after it.
    #expect(replies == ["ack 1", "ack 2", "page 2", "ack 3"])
  }

  @Test func refillsOverTheWire() throws {
    let old = try HubFixture()
    let client = try old.logIn()
    _ = try client.push(transaction(1, sequence: 1), transaction(2, sequence: 2))
    let account = try old.server.account()
    let entries = try old.server.entries().map { WireEntry($0) }
    let new = try HubFixture(seed: 2)
    let other = try new.connect()
    let start = LogPosition(seq: 0, hash: startHash(of: account.id))
    let ready = try other.logIn(points: [account.head, start])
    #expect(ready.common == nil && ready.head.seq == 0)
    guard
      case .ack(let ack) = try other.ask(
        .refill(Refill(account: account.id, after: start, entries: entries)))
    else { return }
    #expect(ack.head == account.head && ack.results.isEmpty)
    #expect(ack.acked == AckedTransaction(sequence: 2, id: TransactionID(2)))
    let again = Refill(account: account.id, after: start, entries: entries)
    #expect(try other.refusal(of: .refill(again)).code == "head_moved")
  }

  @Test func theNewestCommonPointIsTold() throws {
    let fixture = try HubFixture()
    let client = try fixture.logIn()
    var points: [LogPosition] = []
    for n in 1...5 {
      points.append(try client.push(transaction(UInt128(n), sequence: UInt64(n))).head)
    }
    let fork = LogPosition(seq: 5, hash: .zero)
    for offered in [[fork, points[2], points[0]], [points[0], points[2], fork]] {
      let other = try fixture.connect()
      #expect(try other.logIn(device: 2, points: offered).common == points[2])
    }
    let other = try fixture.connect()
    let ahead = LogPosition(seq: 9, hash: points[4].hash)
    #expect(try other.logIn(device: 2, points: [ahead, fork]).common == nil)
  }
}
