import FolioDomain
import FolioWire

extension ClientCheck {
  /// Price tables, right and wrong.
  static let market = [
    ClientCheck("pages of prices that go nowhere", "price-6") { trial in
      trial.server.answerPrices { trial.server.tables([], last: 0, more: true) }
      try trial.runBadly("there are always more tables, and none comes")
    },
    ClientCheck("tables of which some only say what differs", "price-2", "price-3") { trial in
      trial.server.answerPrices { trial.server.tables(trial.server.threeTables) }
      try trial.runWell("a page has a whole table, a delta, and a delta of nothing")
    },
    ClientCheck("tables that break their rules", "price-2", "price-6", "price-8") { trial in
      for (name, tables, last) in trial.server.wrongTables {
        trial.server.answerPrices { trial.server.tables(tables, last: last) }
        try trial.runBadly(name)
      }
      trial.server.script = { _ in }
      try trial.runWell("the server has no tables any more")
    },
    ClientCheck("a page that stands for more prices than a page may have", "price-7") { trial in
      // 1,000 prices, and tables that do not differ: a line of 200 KB stands for 3 million prices.
      let slot = Slot(containing: trial.server.time).index - 4_000
      let rows = (1_000..<2_000).map { PriceRow(id: AssetID(unchecked: "\($0)"), price: .one) }
      let whole = WireTable(
        slot: Slot(index: slot), revision: 1,
        groups: [PriceGroup(type: AssetType(unchecked: "stock"), rows: rows)])
      let deltas = (2...3_000 as ClosedRange<UInt64>).map {
        WireTable(slot: Slot(index: slot + Int64($0)), revision: $0, isDelta: true, groups: [])
      }
      trial.server.answerPrices { trial.server.tables([whole] + deltas) }
      try trial.runBadly("a page of tables comes to 3,000,000 prices")
    },
  ]
}

extension ModelServer {
  /// Answers each `prices` with a page.
  func answerPrices(_ page: @escaping () -> TablesPage) {
    script = { exchange in
      if case .prices = exchange.request { exchange.reply(.tables(page())) }
    }
  }

  /// A page of those tables, with a market that has their revisions.
  func tables(_ tables: [WireTable], last: UInt64? = nil, more: Bool = false) -> TablesPage {
    var market = market
    let newest = tables.map(\.revision).max() ?? 0
    market.position.revision = max(newest, last ?? 0)
    return TablesPage(market: market, last: last ?? newest, tables: tables, more: more)
  }

  private func table(
    _ revision: UInt64, isDelta: Bool = false, _ groups: [(String, [(String, Price?)])]
  ) -> WireTable {
    WireTable(
      slot: Slot(index: Slot(containing: time).index - 10 + Int64(revision)), revision: revision,
      isDelta: isDelta,
      groups: groups.map { type, rows in
        PriceGroup(
          type: AssetType(unchecked: type),
          rows: rows.map { PriceRow(id: AssetID(unchecked: $0), price: $1) })
      })
  }

  fileprivate var threeTables: [WireTable] {
    [
      table(1, [("forex", [("EUR", .one)]), ("stock", [("A", .one), ("B", .one)])]),
      table(2, isDelta: true, [("crypto", [("x", .one)]), ("stock", [("A", nil)])]),
      table(3, isDelta: true, []),
    ]
  }

  /// Pages that a server must not send: what is wrong, the tables, and `last`.
  fileprivate var wrongTables: [(String, [WireTable], UInt64)] {
    let row: [(String, Price?)] = [("A", .one)]
    return [
      ("the first table is a delta", [table(1, isDelta: true, [("stock", row)])], 1),
      ("a revision is beyond `last`", [table(2, [("stock", row)])], 1),
      (
        "revisions do not ascend", [table(2, [("stock", row)]), table(1, [("stock", row)])], 2
      ),
      ("a whole table has a null", [table(1, [("stock", [("A", nil)])])], 1),
      ("rows do not ascend", [table(1, [("stock", [("B", .one), ("A", .one)])])], 1),
      ("a row is there twice", [table(1, [("stock", row + row)])], 1),
      ("groups do not ascend", [table(1, [("stock", row), ("forex", row)])], 1),
      ("a group is there twice", [table(1, [("stock", row), ("stock", row)])], 1),
    ]
  }
}
