import FolioDomain
import FolioWire

/// How far the reading of market data is.
struct MarketProgress {
  /// The epoch and revision up to which tables have been read.
  var cursor: TableCursor?
  /// The tag of the asset table that is being read.
  var tag: Hash256?
  /// How often the asset table changed while it was being read.
  var assetsRestarts = 0
  /// Tables that were read, and are not given to be stored.
  private(set) var unstored: PriceTablesPage?
  private var unstoredCount = 0

  /// How many prices are stored at once, but for the page that goes beyond.
  private static let storedCount = 100_000

  /// Whether enough is read to be stored.
  var isFull: Bool { unstoredCount >= Self.storedCount }

  /// Whether a page can be stored in one with those before it.
  func goesOn(in page: PriceTablesPage) -> Bool {
    guard let unstored else { return true }
    return !page.beginsAnew && page.position.epoch == unstored.position.epoch
      && page.base.utf8.elementsEqual(unstored.base.utf8)
  }

  /// Adds a page that goes on to those that are to be stored.
  mutating func add(_ page: PriceTablesPage) {
    unstoredCount += page.tables.reduce(0) { $0 + $1.prices.count }
    unstored?.tables += page.tables
    unstored?.position = page.position
    unstored?.isLast = page.isLast
    if unstored == nil { unstored = page }
  }

  /// Gives out those that are to be stored.
  mutating func takeUnstored() -> PriceTablesPage? {
    defer {
      unstored = nil
      unstoredCount = 0
    }
    return unstored
  }
}

extension SyncMachine {
  /// Reads price tables, and then the asset table.
  mutating func beginMarket() throws {
    if options.extent == .log { return finish(.finished) }
    enter(.readingTables)
    market.cursor = state.market.map { TableCursor(epoch: $0.epoch, revision: $0.revision) }
    askForTables()
  }

  private mutating func askForTables() {
    send(.prices(PricesRequest(after: market.cursor, maxBytes: limits.pageBytes)))
  }

  mutating func receive(_ page: TablesPage, to request: PricesRequest) throws {
    guard phase == .readingTables else { throw unexpected("tables") }
    let position = page.market.position
    let beginsAnew = page.beginsAnew(after: request.after)
    let before = beginsAnew ? 0 : request.after?.revision ?? 0
    guard page.last >= before, page.last > before || !page.more,
      page.tables.allSatisfy({ $0.revision > before && $0.revision <= page.last })
    else { throw SyncError.violation(.wrongTables) }
    let last = TableCursor(epoch: position.epoch, revision: page.last)
    market.cursor = last
    if page.more { askForTables() }
    hold(.tables(page, request))
  }

  /// Makes a page's tables whole, and stores them once there is enough to store.
  mutating func take(_ page: TablesPage, after request: PricesRequest) throws {
    let tables: [PriceTable]
    do throws(ProtocolViolation) {
      tables = try TableUnfolding.tables(of: page)
    } catch {
      throw SyncError.violation(error)
    }
    let position = page.market.position
    try add(
      PriceTablesPage(
        position: MarketPosition(
          epoch: position.epoch, revision: page.last, through: position.through),
        base: page.market.base.text, tables: tables,
        beginsAnew: page.beginsAnew(after: request.after), isLast: !page.more))
    guard page.more else {
      try storeRead()
      return askForAssets()
    }
    if market.isFull { try beginStoringTables() }
  }

  /// Adds a page to those that are to be stored, in one with those before it where it goes on there.
  private mutating func add(_ page: PriceTablesPage) throws {
    if !market.goesOn(in: page) { try beginStoringTables() }
    if market.unstored == nil, page.tables.isEmpty, page.position == state.market { return }
    market.add(page)
  }

  /// Gives the tables that were read to be stored, once what was given before is.
  mutating func beginStoringTables() throws {
    let page = market.takeUnstored()
    try finishStoring()
    guard let page else { return }
    let changedCount = try storage.beginStoringTables(page)
    whenStored { machine in
      machine.memory.summary.priceTables += try changedCount()
      machine.state.market = page.position
      if page.tables.isEmpty { return }
      machine.memory.progressCount += 1
      machine.show(.tables(machine.memory.summary.priceTables))
    }
  }

  // MARK: The asset table

  private mutating func askForAssets() {
    enter(.readingAssets)
    market.tag = nil
    send(.assets(AssetsRequest(tag: state.assetsTag)))
  }

  mutating func receive(_ page: Catalog, to request: AssetsRequest) throws {
    guard phase == .readingAssets else { throw unexpected("catalog") }
    if page.isSame {
      guard request.after == nil, page.tag == request.tag, !page.more else {
        throw SyncError.violation(.wrongAssets)
      }
      return try makeSnapshots()
    }
    if request.after != nil, page.tag != market.tag { return try readAssetsAnew() }
    market.tag = page.tag
    guard follow(page.assets, request.after), !page.more || !page.assets.isEmpty else {
      throw SyncError.violation(.wrongAssets)
    }
    try storage.storeAssets(
      AssetsPage(
        tag: page.tag, assets: page.assets, isFirst: request.after == nil, isLast: !page.more))
    memory.progressCount += 1
    guard page.more, let last = page.assets.last else { return try makeSnapshots() }
    send(.assets(AssetsRequest(after: last.asset)))
  }

  /// Begins with the table's first page, since it is another one than when it was begun.
  private mutating func readAssetsAnew() throws {
    market.assetsRestarts += 1
    guard market.assetsRestarts <= 3 else { throw SyncError.violation(.wrongAssets) }
    send(.assets(AssetsRequest()))
  }

  private func follow(_ assets: [AssetInfo], _ last: AssetKey?) -> Bool {
    var last = last
    for info in assets {
      if let last, info.asset <= last { return false }
      last = info.asset
    }
    return true
  }

  // MARK: The end

  private mutating func makeSnapshots() throws {
    show(.makingSnapshots)
    let outcome = try storage.makeDueSnapshots()
    memory.summary.snapshots += outcome.made
    memory.summary.remade += outcome.remade
    finish(.finished)
  }
}
