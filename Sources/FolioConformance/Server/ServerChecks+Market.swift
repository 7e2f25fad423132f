import FolioDomain
import FolioWire

extension ServerCheck {
  /// Prices, assets and ranks.
  static let market = [
    ServerCheck(
      "pages of price tables", "price-2", "price-3", "price-6", "price-7", "price-8", "market-1"
    ) { server in
      let session = try server.logIn()
      let market = session.ready.market.position
      var cursor: TableCursor?
      var newest: UInt64 = 0
      while true {
        let page = try tables(session, PricesRequest(after: cursor, maxBytes: 20_000))
        let before = cursor?.revision ?? 0
        var last = before
        for (index, table) in page.tables.enumerated() {
          try expect(table.revision > last, "revisions do not ascend")
          try expect(table.revision <= page.last, "a revision is beyond `last`")
          try expect(index > 0 || !table.isDelta, "the first table of a page is a delta")
          try expect(
            table.slot.start <= session.ready.time.adding(milliseconds: 3_600_000),
            "a table is told before its slot has begun")
          last = table.revision
        }
        try expect(
          page.priceCount <= Wire.pagePriceLimit, "a page comes to \(page.priceCount) prices")
        newest = max(newest, page.last)
        cursor = TableCursor(epoch: page.market.position.epoch, revision: page.last)
        if !page.more { break }
        try expect(page.last > before, "there is more, and `last` does not move")
      }
      try expect(newest >= market.revision, "the pages end before the market's revision")
      let end = try tables(session, PricesRequest(after: cursor))
      try expect(end.tables.isEmpty && !end.more, "tables come after the last")
    },
    ServerCheck("an epoch that is not the server's begins anew", "price-4") { server in
      let session = try server.logIn()
      let epoch = session.ready.market.position.epoch ^ 1
      let first = try tables(session, PricesRequest())
      let other = try tables(
        session, PricesRequest(after: TableCursor(epoch: epoch, revision: 1 << 40)))
      try expect(other.tables, is: first.tables, "the tables after another epoch")
    },
    ServerCheck("a revision that there has not been begins anew", "price-4") { server in
      let session = try server.logIn()
      let epoch = session.ready.market.position.epoch
      let first = try tables(session, PricesRequest())
      let other = try tables(
        session, PricesRequest(after: TableCursor(epoch: epoch, revision: 1 << 40)))
      try expect(other.tables, is: first.tables, "the tables after a revision that is lost")
    },
    ServerCheck("tables narrowed to types", "price-5") { server in
      let session = try server.logIn()
      let type = try AssetType(validating: "x.nothing-has-this-type")
      let page = try tables(session, PricesRequest(types: [type]))
      try expect(
        page.tables.allSatisfy { $0.groups.allSatisfy { $0.type == type } },
        "prices of other types came")
    },
    ServerCheck("pages of the asset table", "asset-1", "asset-2") { server in
      let session = try server.logIn()
      var last: AssetKey?
      var tag: Hash256?
      while true {
        guard
          case .catalog(let page) = try session.dialogue.ask(
            .assets(AssetsRequest(after: last)))
        else { return }
        try expect(!page.isSame, "a table is called the same, and no tag was named")
        for info in page.assets {
          try expect(last.map { $0 < info.asset } ?? true, "assets do not ascend")
          last = info.asset
        }
        tag = page.tag
        if !page.more { break }
        try expect(!page.assets.isEmpty, "there is more, and no asset")
      }
      guard case .catalog(let page) = try session.dialogue.ask(.assets(AssetsRequest(tag: tag)))
      else { return }
      try expect(page.isSame && page.assets.isEmpty && page.tag == tag, "the tag is not known")
    },
    ServerCheck("assets by rank", "asset-1") { server in
      let session = try server.logIn()
      guard
        case .ranking(let ranking) = try session.dialogue.ask(
          .leaderboard(LeaderboardRequest(limit: 10)))
      else { return }
      let ranks = ranking.rows.map(\.rank)
      try expect(ranks == ranks.sorted() && ranks.count <= 10, "the ranks are \(ranks)")
    },
  ]

  private static func tables(_ session: LoggedIn, _ request: PricesRequest) throws -> TablesPage {
    guard case .tables(let page) = try session.dialogue.ask(.prices(request)) else {
      throw CheckFailure("prices was answered with something else")
    }
    return page
  }
}
