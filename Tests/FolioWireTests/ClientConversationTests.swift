import FolioJSON
import FolioDomain
import FolioWire
import Testing

@Suite struct ClientConversationTests {
  private static let hello = Hello(client: .test, nonce: 5)
  private static let auth = Authentication(
    account: "alice", device: DeviceIdentity(id: DeviceID(1), instance: InstanceID(2)))
  private static let origin = LogPosition(seq: 0, hash: .zero)

  private func text(_ message: Message) -> [UInt8] { Array(message.line.dropLast()) }

  private func opened(inFlight: Int = 2) -> ClientConversation {
    var client = ClientConversation(hello: Self.hello, at: .zero)
    _ = client.start()
    _ = client.receive(
      text(.reply(RequestID(1), .welcome(.plain(limits: Limits(inFlight: inFlight))))), at: .zero)
    _ = client.authenticate(Self.auth)
    _ = client.receive(text(.reply(RequestID(2), .ready(.empty))), at: .zero)
    return client
  }

  private func failure(_ event: ClientConversation.Event) -> ConversationFailure? {
    guard case .failed(let failure) = event else { return nil }
    return failure
  }

  @Test func handshake() throws {
    var client = ClientConversation(hello: Self.hello, at: .zero)
    #expect(client.lineByteLimit == 4_096)
    #expect(client.start() == Message.request(RequestID(1), .hello(Self.hello)).line)
    let welcome = Welcome.plain(limits: Limits(inFlight: 3))
    #expect(
      client.receive(text(.reply(RequestID(1), .welcome(welcome))), at: .zero) == .welcome(welcome))
    #expect(!client.canSend)
    #expect(client.authenticate(Self.auth) == Message.request(RequestID(2), .auth(Self.auth)).line)
    #expect(client.receive(text(.reply(RequestID(2), .ready(.empty))), at: .zero) == .ready(.empty))
    #expect(client.canSend)
    #expect(client.lineByteLimit == Wire.lineByteLimit)
    let sent = client.send(.verify(seq: 4))
    #expect(sent.id == RequestID(3))
    #expect(sent.line == Message.request(RequestID(3), .verify(seq: 4)).line)
    let hash = ChainHash(seq: 4, hash: .zero)
    #expect(
      client.receive(text(.reply(RequestID(3), .hash(hash))), at: .zero)
        == .reply(RequestID(3), .verify(seq: 4), .hash(hash)))
  }

  @Test func repliesMayComeInAnyOrderButOnce() {
    var client = opened(inFlight: 2)
    let first = client.send(.verify(seq: 1)).id
    let second = client.send(.verify(seq: 2)).id
    #expect(!client.canSend)
    let hash = ChainHash(seq: 2, hash: .zero)
    #expect(
      client.receive(text(.reply(second, .hash(hash))), at: .zero)
        == .reply(second, .verify(seq: 2), .hash(hash)))
    #expect(client.canSend)
    #expect(
      failure(client.receive(text(.reply(second, .hash(hash))), at: .zero)) == .unexpectedReply)
    #expect(client.receive(text(.reply(first, .hash(hash))), at: .zero) == .nothing)
    #expect(!client.canSend)
  }

  @Test func repliesThatDoNotBelong() {
    let hash = ChainHash(seq: 1, hash: .zero)
    var client = opened()
    #expect(
      failure(client.receive(text(.reply(RequestID(3), .hash(hash))), at: .zero))
        == .unexpectedReply)
    client = opened()
    _ = client.send(.subscribe(Subscription(topics: [.log])))
    #expect(
      failure(client.receive(text(.reply(RequestID(3), .hash(hash))), at: .zero))
        == .wrongReply(to: .subscribe))
    client = opened()
    _ = client.send(.verify(seq: 2))
    #expect(
      failure(client.receive(text(.reply(RequestID(3), .hash(hash))), at: .zero))
        == .wrongReply(to: .verify))
    client = opened()
    _ = client.send(.verify(seq: 2))
    #expect(
      failure(client.receive(Array(#"{"re":3,"type":"later"}"#.utf8), at: .zero))
        == .wrongReply(to: .verify))
    client = opened()
    #expect(
      failure(client.receive(text(.reply(RequestID(1), .pong)), at: .zero)) == .unexpectedReply)
    client = opened()
    #expect(
      failure(client.receive(text(.request(RequestID(1), .verify(seq: 1))), at: .zero))
        == .unexpectedMessage)
    client = ClientConversation(hello: Self.hello, at: .zero)
    _ = client.start()
    #expect(failure(client.receive(text(.note(.assets(.zero))), at: .zero)) == .unexpectedMessage)
  }

  @Test func anAckAnswersEachTransaction() {
    let push = Push(transactions: [
      PushedTransaction(
        Envelope(
          id: TransactionID(1), device: DeviceID(1), deviceSequence: 1,
          recordedAt: Timestamp(milliseconds: 0), body: Array("{}".utf8)))
    ])
    for (results, isRight) in [([PushResult.gap], true), ([], false), ([.gap, .gap], false)] {
      var client = opened()
      _ = client.send(.push(push))
      let event = client.receive(
        text(.reply(RequestID(3), .ack(Ack(results: results, head: Self.origin)))), at: .zero)
      #expect((failure(event) == .wrongReply(to: .push)) == !isRight)
    }
  }

  @Test func F12_pagesFollowTheCursor() {
    func entry(_ seq: UInt64, stub: Bool = false) -> WireEntry {
      WireEntry(
        seq: seq, acceptedAt: Timestamp(milliseconds: 0), kind: .accepted,
        transaction: Envelope(
          id: TransactionID(1), device: DeviceID(1), deviceSequence: seq,
          recordedAt: Timestamp(milliseconds: 0), body: stub ? [] : Array("{}".utf8)),
        stubHash: stub ? .zero : nil)
    }
    func answer(_ page: Page, own: OwnEntries? = nil) -> ConversationFailure? {
      var client = opened()
      let after = LogPosition(seq: 4, hash: .zero)
      _ = client.send(.pull(Pull(after: after, maxEntries: 9, maxBytes: 9, own: own)))
      return failure(client.receive(text(.reply(RequestID(3), .page(page))), at: .zero))
    }
    func last(_ seq: UInt64) -> LogPosition { LogPosition(seq: seq, hash: .zero) }
    #expect(answer(Page(entries: [entry(5), entry(6)], last: last(6), more: true)) == nil)
    #expect(answer(Page(entries: [], last: last(4), more: false)) == nil)
    #expect(answer(Page(entries: [], last: last(4), more: true)) == .noProgress)
    #expect(
      answer(Page(entries: [entry(6)], last: last(6), more: false))
        == .gapInLog(expected: 5, got: 6))
    #expect(
      answer(Page(entries: [entry(5), entry(7)], last: last(7), more: false))
        == .gapInLog(expected: 6, got: 7))
    #expect(answer(Page(entries: [entry(5)], last: last(6), more: false)) == .brokenPage)
    #expect(answer(Page(entries: [], last: last(5), more: false)) == .brokenPage)
    let moved = LogPosition(seq: 4, hash: Hash256(words: (1, 0, 0, 0)))
    #expect(answer(Page(entries: [], last: moved, more: false)) == .brokenPage)
    let stub = Page(entries: [entry(5, stub: true)], last: last(5), more: false)
    #expect(answer(stub) == .bodyLeftOut(seq: 5))
    #expect(answer(stub, own: OwnEntries(device: DeviceID(1), upTo: 5)) == nil)
    #expect(answer(stub, own: OwnEntries(device: DeviceID(1), upTo: 4)) == .bodyLeftOut(seq: 5))
    #expect(answer(stub, own: OwnEntries(device: DeviceID(2), upTo: 5)) == .bodyLeftOut(seq: 5))
  }

  @Test func pagesOfTheMarketMakeProgress() {
    func tables(_ revisions: [UInt64], last: UInt64, more: Bool, epoch: UInt64 = 1) -> Reply {
      .tables(
        TablesPage(
          market: MarketState(
            position: MarketPosition(epoch: epoch, revision: 5, through: Slot(index: 1)),
            base: AssetID(unchecked: "USD")), last: last,
          tables: revisions.map { WireTable(slot: Slot(index: 1), revision: $0, groups: []) },
          more: more))
    }
    func answer(_ reply: Reply) -> ConversationFailure? {
      var client = opened()
      _ = client.send(.prices(PricesRequest(after: TableCursor(epoch: 1, revision: 2))))
      return failure(client.receive(text(.reply(RequestID(3), reply)), at: .zero))
    }
    #expect(answer(tables([3, 5], last: 5, more: false)) == nil)
    #expect(answer(tables([], last: 2, more: false)) == nil)
    #expect(answer(tables([], last: 4, more: true)) == nil)
    #expect(answer(tables([], last: 2, more: true)) == .noProgress)
    #expect(answer(tables([2], last: 2, more: false)) == .brokenPage)
    #expect(answer(tables([4, 3], last: 4, more: false)) == .brokenPage)
    #expect(answer(tables([4], last: 3, more: false)) == .brokenPage)
    #expect(answer(tables([], last: 6, more: false)) == .brokenPage)
    #expect(answer(tables([1], last: 1, more: true, epoch: 2)) == nil)
  }

  @Test func pagesOfTheAssetTableAreSorted() {
    func info(_ id: String) -> AssetInfo {
      AssetInfo(
        asset: AssetKey(type: AssetType(unchecked: "crypto"), id: AssetID(unchecked: id)),
        symbol: "", name: "")
    }
    func answer(_ page: Catalog, _ request: AssetsRequest = AssetsRequest()) -> ConversationFailure?
    {
      var client = opened()
      _ = client.send(.assets(request))
      return failure(client.receive(text(.reply(RequestID(3), .catalog(page))), at: .zero))
    }
    #expect(answer(Catalog(tag: .zero, assets: [info("a"), info("b")])) == nil)
    #expect(answer(Catalog(tag: .zero, assets: [info("b"), info("a")])) == .brokenPage)
    #expect(
      answer(Catalog(tag: .zero, assets: [info("a")]), AssetsRequest(after: info("a").asset))
        == .brokenPage)
    #expect(answer(Catalog(tag: .zero, more: true)) == .noProgress)
    #expect(answer(Catalog(tag: .zero, isSame: true)) == .brokenPage)
    #expect(answer(Catalog(tag: .zero, isSame: true), AssetsRequest(tag: .zero)) == nil)
  }

  @Test func refusals() {
    var client = opened()
    let request = Request.verify(seq: 9)
    for error in [
      ErrorMessage(code: "later_code", class: .request, message: ""),
      ErrorMessage(code: "later_code", class: .retry, action: .unknown("wait"), message: ""),
      .headMoved,
    ] {
      let id = client.send(request).id
      #expect(client.receive(text(.error(id, error)), at: .zero) == .refused(id, request, error))
    }
    for error in [
      ErrorMessage(code: "later_code", class: .fatal, message: ""), .accountDisabled,
      ErrorMessage(code: "later_code", class: .unknown("later"), message: ""),
    ] {
      client = opened()
      let id = client.send(request).id
      #expect(failure(client.receive(text(.error(id, error)), at: .zero)) == .refused(error))
    }
    client = opened()
    #expect(
      failure(client.receive(text(.error(nil, .shuttingDown)), at: .zero))
        == .refused(.shuttingDown))
    client = opened()
    #expect(
      failure(client.receive(text(.error(RequestID(9), .headMoved)), at: .zero)) == .unexpectedReply
    )
  }

  @Test func unknownCodesObeyTheirClass() {
    func response(_ errorClass: ErrorClass) -> ErrorResponse {
      ErrorMessage(code: "later", class: errorClass, message: "").response
    }
    #expect(response(.retry) == .backOff)
    #expect(response(.auth) == .stop)
    #expect(response(.request) == .giveUpRequest)
    #expect(response(.state) == .startOver)
    #expect(response(.fatal) == .stop)
    #expect(response(.unknown("later")) == .backOffLongest)
  }

  @Test func whatServersMayTellUnasked() {
    var client = opened()
    #expect(client.receive(text(.note(.assets(.zero))), at: .zero) == .note(.assets(.zero)))
    #expect(client.receive(text(.note(.other("later"))), at: .zero) == .note(.other("later")))
    #expect(client.receive(Array(#"{"type":"later"}"#.utf8), at: .zero) == .nothing)
    #expect(
      client.receive(Array(#"{"id":1,"type":"later"}"#.utf8), at: .zero)
        == .send(Message.error(RequestID(1), .unsupported).line))
    #expect(
      client.receive(Array(Line.ping(8).utf8), at: .zero)
        == .send(Message.reply(RequestID(8), .pong).line))
    #expect(client.receive([], at: .zero) == .nothing)
    #expect(client.receive(text(.bye), at: .zero) == .bye)
    client = opened()
    _ = client.send(.verify(seq: 1))
    #expect(failure(client.receive(text(.bye), at: .zero)) == .goodbye)
  }

  @Test func F18_silentServersArePingedAndGivenUp() {
    var client = opened()
    #expect(client.tick(at: .seconds(19)) == .nothing)
    #expect(client.tick(at: .seconds(20)) == .send(Message.request(RequestID(3), .ping).line))
    #expect(client.receive(text(.reply(RequestID(3), .pong)), at: .seconds(21)) == .nothing)
    #expect(client.send(.verify(seq: 1)).id == RequestID(4))
    #expect(client.tick(at: .seconds(41)) == .send(Message.request(RequestID(5), .ping).line))
    #expect(failure(client.tick(at: .seconds(66))) == .silence)
    #expect(client.tick(at: .seconds(67)) == .nothing)
    client = ClientConversation(hello: Self.hello, at: .zero)
    _ = client.start()
    #expect(failure(client.tick(at: .seconds(45))) == .silence)
  }

  @Test func F41_aLogLineInTheStreamIsNoMessage() {
    var client = opened()
    let event = client.receive(Array("2026-01-01 INFO started".utf8), at: .zero)
    #expect(failure(event) == .malformed(WireError(.json(.trailingBytes), at: 4)))
  }
}
