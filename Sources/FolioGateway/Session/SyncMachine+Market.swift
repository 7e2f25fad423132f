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
    let tables: [PriceTable]
    do throws(ProtocolViolation) {
      tables = try TableUnfolding.tables(of: page)
    } catch {
      throw SyncError.violation(error)
    }
    let stored = PriceTablesPage(
      position: MarketPosition(
        epoch: last.epoch, revision: last.revision, through: position.through),
      base: page.market.base.text, tables: tables, beginsAnew: beginsAnew, isLast: !page.more)
    if !tables.isEmpty || stored.position != state.market {
      memory.summary.priceTables += try storage.storeTables(stored)
      state.market = stored.position
    }
    if !tables.isEmpty {
      memory.progressCount += 1
      show(.tables(memory.summary.priceTables))
    }
    if !page.more { askForAssets() }
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
