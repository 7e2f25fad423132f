import FolioDomain
import FolioWire
import TestSupport

extension MessageSource {
  mutating func request(_ type: MessageType) -> Request {
    switch type {
    case .hello: .hello(hello())
    case .auth: .auth(authentication())
    case .push:
      .push(
        Push(
          transactions: list(1...4) { source in
            let isVoid = source.random.one(in: 4)
            return PushedTransaction(source.envelope(), isVoid: isVoid)
          }))
    case .refill:
      .refill(
        Refill(
          account: AccountID(hash()), after: position(),
          entries: list(1...4) { $0.entry(canBeStub: false) }))
    case .pull:
      .pull(
        Pull(
          after: position(), maxEntries: Int(number(1)), maxBytes: Int(number(1)),
          own: maybe { OwnEntries(device: DeviceID($0.id()), upTo: $0.number()) }))
    case .prices:
      .prices(
        PricesRequest(
          after: maybe { TableCursor(epoch: $0.random.next(), revision: $0.number()) },
          types: maybe { $0.list(0...3) { $0.assetType() } }, maxBytes: maybe { Int($0.number(1)) })
      )
    case .assets: .assets(AssetsRequest(tag: maybe { $0.hash() }, after: maybe { $0.asset() }))
    case .leaderboard:
      .leaderboard(LeaderboardRequest(after: Int(number()), limit: count(1...1_000)))
    case .subscribe:
      .subscribe(Subscription(topics: list(0...3) { $0.random.pick(Topic.allCases) }))
    case .verify: .verify(seq: number())
    default: .ping
    }
  }

  mutating func reply(_ type: MessageType) -> Reply {
    switch type {
    case .welcome: .welcome(welcome())
    case .ready: .ready(ready())
    case .ack:
      .ack(Ack(results: list(0...7) { $0.result() }, acked: maybe { $0.acked() }, head: position()))
    case .page:
      .page(Page(entries: list(0...4) { $0.entry() }, last: position(), more: random.one(in: 2)))
    case .tables: .tables(tables())
    case .catalog:
      .catalog(
        Catalog(
          tag: hash(), isSame: random.one(in: 2), assets: list(0...3) { $0.assetInfo() },
          more: random.one(in: 2)))
    case .ranking:
      .ranking(Ranking(rows: list(0...3) { $0.rankedAsset() }, more: random.one(in: 2)))
    case .heads:
      .heads(
        Heads(
          head: maybe { $0.position() }, market: maybe { $0.market() },
          assetsTag: maybe { $0.hash() }))
    case .hash: .hash(position())
    default: .pong
    }
  }

  private mutating func hello() -> Hello {
    Hello(
      versions: list(1...16) { Int($0.number(1)) }, capabilities: list(0...3) { $0.code() },
      client: software(), nonce: id())
  }

  private mutating func authentication() -> Authentication {
    Authentication(
      account: text(1...20), accountID: maybe { AccountID($0.hash()) },
      device: DeviceIdentity(
        id: DeviceID(id()), instance: InstanceID(id()), key: maybe { $0.bytes(0...40) },
        certificate: maybe { $0.bytes(0...40) }),
      proof: maybe {
        Proof(algorithm: $0.code(), key: $0.bytes(0...40), signature: $0.bytes(0...70))
      },
      enrol: maybe { $0.text(1...20) }, points: list(0...16) { $0.position() })
  }

  private mutating func welcome() -> Welcome {
    Welcome(
      version: Int(number(1)), capabilities: list(0...3) { $0.code() }, serverID: id(),
      server: software(), time: time(), nonce: id(),
      limits: Limits(
        lineBytes: count(Wire.lineByteLimit...Int(Wire.integerLimit)),
        bodyBytes: count(Wire.bodyByteLimit...Int(Wire.integerLimit)),
        transactionBytes: count(Wire.transactionByteLimit...Int(Wire.integerLimit)),
        inFlight: count(1...Wire.inFlightLimit), entries: count(1...Wire.entryLimit),
        pageBytes: count(1...Wire.lineByteLimit)),
      schedule: TableSchedule(everyMilliseconds: Int64(number(1)), next: time()))
  }

  private mutating func ready() -> Ready {
    Ready(
      account: AccountID(hash()), head: position(), common: maybe { $0.position() },
      acked: maybe { $0.acked() }, stable: number(), log: LogID(id()), market: market(),
      time: time())
  }

  private mutating func result() -> PushResult {
    let place = EntryPlace(seq: number(1), acceptedAt: time())
    return switch count(0...6) {
    case 0: .ok(place)
    case 1: .duplicate(place)
    case 2: .void(place, reason: code())
    case 3: .gap
    case 4: .forked
    case 5: .retry
    default: .rejected(reason: code())
    }
  }

  private mutating func tables() -> TablesPage {
    var tables = list(0...4) { $0.table() }
    if !tables.isEmpty, tables[0].isDelta { tables.removeFirst() }
    if !tables.isEmpty, tables[0].isDelta { tables = [] }
    return TablesPage(market: market(), last: number(), tables: tables, more: random.one(in: 2))
  }

  private mutating func table() -> WireTable {
    let isDelta = random.one(in: 2)
    return WireTable(
      slot: slot(), revision: number(1), isDelta: isDelta,
      groups: Set(list(0...3) { $0.assetType() }).sorted().map { type in
        let ids = Set(list(0...5) { $0.assetID() }).sorted()
        return PriceGroup(
          type: type,
          rows: ids.map { id in
            PriceRow(id: id, price: isDelta && random.one(in: 3) ? nil : price())
          })
      })
  }

  private mutating func assetInfo() -> AssetInfo {
    AssetInfo(
      asset: asset(), symbol: text(0...10), name: text(0...20), rank: maybe { Int($0.number(1)) },
      successor: maybe { Successor(id: $0.assetID(), factor: $0.price(), fromSlot: $0.slot()) })
  }

  private mutating func rankedAsset() -> RankedAsset {
    RankedAsset(
      asset: asset(), symbol: text(0...10), name: text(0...20), rank: Int(number(1)),
      price: maybe { $0.price() })
  }

  mutating func note() -> Note {
    switch count(0...3) {
    case 0: .log(position())
    case 1: .prices(market())
    case 2: .assets(hash())
    default: .other("x." + code().prefix(50))
    }
  }

  mutating func errorMessage() -> ErrorMessage {
    ErrorMessage(
      code: code(),
      class: random.pick([.retry, .auth, .request, .state, .fatal, .unknown("later")]),
      action: random.pick([
        .none, .backoff, .reauth, .restore, .repush, .newDevice, .upgrade, .unknown("later"),
      ]), message: text(0...40), retryAfter: maybe { Int64($0.number()) },
      supported: maybe { $0.list(1...4) { Int($0.number(1)) } },
      limit: maybe { Int64($0.number()) }, offset: maybe { Int64($0.number()) })
  }
}
