package import FolioDomain
package import FolioWire

/// What a server answers, from its storage and its clock: no connections, no I/O of its own.
package final class ServerService: Sendable {
  /// Where everything is kept.
  package let storage: any ServerStorage
  /// The server's wall clock.
  package let clock: any WallClock
  /// The program, as it calls itself.
  package let software: Software
  /// What is announced to clients.
  package let limits: Limits

  private let serverID: UInt128
  private let random: any RandomSource
  private let names = AssetNumberCache()

  /// A service on a storage that has been prepared.
  package init(
    storage: any ServerStorage, clock: any WallClock, random: any RandomSource,
    software: Software = Software(name: "folio-server", version: "1"), limits: Limits = Limits()
  ) throws {
    self.storage = storage
    self.clock = clock
    self.random = random
    self.software = software
    self.limits = limits
    serverID = try storage.read(ServerFacts()).id
  }

  /// The answer to a greeting.
  package func welcome() -> Welcome {
    let now = clock.now()
    return Welcome(
      serverID: serverID, server: software, time: now, nonce: random.next128(), limits: limits,
      schedule: TableSchedule(next: Slot(index: Slot(containing: now).index + 1).start))
  }

  /// The facts for a device that has named its account; it is trusted.
  ///
  /// - Throws: ``LogError/unknownAccount`` where the account is unknown or disabled.
  package func ready(_ authentication: Authentication) throws -> Ready {
    try publishDueTables()
    let facts = try storage.read(
      LogFacts(
        account: authentication.account, device: authentication.device.id,
        points: authentication.points))
    let account = facts.account
    return Ready(
      account: account.id, head: account.head, common: facts.common, acked: facts.acked,
      stable: account.stable, log: account.log, market: try market(), time: clock.now())
  }

  /// Gives a revision to the tables that were held back and are due.
  package func publishDueTables() throws {
    let now = clock.now()
    guard try storage.read(AreTablesDue(now: now)) else { return }
    _ = try storage.write(PublishDueTables(now: now))
  }

  /// Whether nobody may use the account any more.
  package func isClosed(_ account: String) throws -> Bool {
    try !storage.read(IsAccountOpen(account))
  }

  /// Adds what several requests ask for in one commit, durable when it returns.
  package func submit(_ submissions: [LogSubmission]) throws -> [Result<LogReceipt, LogError>] {
    try storage.write(SubmitToLogs(submissions, now: clock.now()))
  }

  private func market() throws -> MarketState {
    try marketState(storage.read(MarketFacts()).market)
  }

  private func marketState(_ market: MarketRow) -> MarketState {
    MarketState(
      position: MarketPosition(
        epoch: market.epoch, revision: market.revision, through: Slot(containing: clock.now())),
      base: AssetID(unchecked: market.base))
  }
}

extension ServerService {
  /// What a request asks to add to the log of `account`; nil for one that only reads.
  package func submission(_ request: Request, account: String, device: DeviceID)
    -> LogSubmission?
  {
    switch request {
    case .push(let push):
      LogSubmission(account: account, device: device, action: .push(push.transactions))
    case .refill(let refill):
      LogSubmission(
        account: account, device: device,
        action: .refill(
          account: refill.account, after: refill.after,
          entries: refill.entries.map(logEntry)))
    default: nil
    }
  }

  /// The answer to a request that only reads.
  ///
  /// - Throws: ``LogError``, and errors of the storage.
  package func answer(_ request: Request, account: String) throws -> Reply {
    switch request {
    case .pull(let pull): return .page(try page(pull, account))
    case .verify(let seq):
      let hash = try storage.read(LogHashQuery(account: account, seq: seq))
      return .hash(LogPosition(seq: seq, hash: hash))
    case .prices(let request): return .tables(try tables(request))
    case .assets(let request): return .catalog(try catalog(request))
    case .leaderboard(let request): return .ranking(try ranking(request))
    case .subscribe(let subscription): return .heads(try heads(subscription, account))
    case .hello, .auth, .push, .refill, .ping:
      preconditionFailure("requests of type \(request.type.rawValue) are answered elsewhere")
    }
  }

  private func page(_ pull: Pull, _ account: String) throws -> Page {
    let page = try storage.read(
      LogPageQuery(
        account: account, after: pull.after, entryLimit: min(pull.maxEntries, limits.entries),
        byteLimit: min(pull.maxBytes, limits.pageBytes), own: pull.own))
    return Page(entries: page.entries, last: page.last, more: page.more)
  }

  private func tables(_ request: PricesRequest) throws -> TablesPage {
    try publishDueTables()
    let page = try storage.read(
      TablePageQuery(
        after: request.after, types: request.types.map(Set.init),
        byteLimit: min(request.maxBytes ?? .max, limits.pageBytes), names: names))
    return TablesPage(
      market: marketState(page.market), last: page.last, tables: page.tables, more: page.more)
  }

  private func catalog(_ request: AssetsRequest) throws -> Catalog {
    let page = try storage.read(
      AssetPageQuery(tag: request.tag, after: request.after, byteLimit: limits.pageBytes))
    return Catalog(tag: page.tag, isSame: page.same, assets: page.assets, more: page.more)
  }

  private func ranking(_ request: LeaderboardRequest) throws -> Ranking {
    try publishDueTables()
    let page = try storage.read(
      LeaderboardQuery(offset: request.after, limit: request.limit, byteLimit: limits.pageBytes))
    let rows = zip(page.assets, page.prices).map { info, price in
      RankedAsset(
        asset: info.asset, symbol: info.symbol, name: info.name, rank: info.rank ?? 0,
        price: price)
    }
    return Ranking(rows: rows, more: page.more)
  }

  private func heads(_ subscription: Subscription, _ account: String) throws -> Heads {
    var heads = Heads()
    for topic in subscription.topics {
      switch topic {
      case .log:
        heads.head = try storage.read(
          LogFacts(account: account, device: DeviceID(0), points: [])
        ).account.head
      case .prices:
        try publishDueTables()
        heads.market = try market()
      case .assets: heads.assetsTag = try storage.read(MarketFacts()).assets.tag
      }
    }
    return heads
  }
}
