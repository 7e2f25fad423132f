import FolioCrypto
import FolioDomain
import FolioStore
import Foundation

/// Many assets in categories, each with a latest price, in a store and in SQLite.
struct Holdings {
  static let now = Timestamp(milliseconds: 1_772_348_400_000)
  static let accountID = AccountID(Hash256(words: (1, 2, 3, 4)))

  let assets: [AssetKey]
  let categories: [Category]
  private let rows: [Row]

  private struct Row {
    var category: Int
    /// In thousandths.
    var amount: Int
    /// In ten-thousandths.
    var price: Int
  }

  init(assetCount: Int, categoryCount: Int) throws {
    let content = try Content(assetCount: assetCount, categoryCount: categoryCount)
    assets = content.assets
    categories = content.categories
    var random = Seeded(seed: 99)
    rows = assets.indices.map { _ in
      Row(
        category: random.int(0...categoryCount - 1), amount: random.int(1...999_999),
        price: random.int(1_000...9_999_999))
    }
  }

  // MARK: The store

  /// Makes a store that was given them by its server.
  func makeStore(_ folder: String) throws -> Store {
    let store = try Store.create(
      at: folder, StoreOptions(clock: FixedClock(Self.now), random: Random(seed: 3)))
    try store.write { try $0.apply(try entries()) }
    let slot = Slot(containing: Self.now)
    var table = PriceTable(slot: slot, prices: [])
    for (asset, row) in zip(assets, rows) {
      guard let price = Price(mantissa: Int64(row.price), scale: 4) else { continue }
      table.prices.append(PricedAsset(asset: asset, price: price))
    }
    table.prices.sort { $0.asset < $1.asset }
    let position = MarketPosition(epoch: 1, revision: 1, through: slot)
    let page = PriceTablesPage(position: position, base: "USD", tables: [table], isLast: true)
    _ = try store.write { try $0.apply(page) }
    return store
  }

  private func entries() throws -> [ChainedEntry] {
    var log = LogContent(
      Content(assets: assets, categories: categories), account: Self.accountID, log: LogID(5),
      start: Self.now.adding(milliseconds: -Slot.milliseconds))
    var entries: [ChainedEntry] = []
    for begin in stride(from: 0, to: assets.count, by: 500) {
      let end = min(begin + 500, assets.count)
      var operations: [FolioDomain.Operation] = []
      for place in begin..<end {
        guard let amount = Amount(units: Int128(rows[place].amount) * 1_000_000_000_000_000) else {
          continue
        }
        operations.append(.adjust(assets[place], amount))
        operations.append(.categorize(assets[place], categories[rows[place].category]))
      }
      let entry = try log.next(after: 1, operations: operations)
      entries.append(ChainedEntry(entry, hash: log.head.hash))
    }
    return entries
  }

  // MARK: SQLite

  /// Makes the same in SQLite: an asset's row refers to its category and its price by their numbers.
  func makeDatabase(_ path: String) throws -> SQLite {
    let database = try SQLite(path)
    try database.execute(
      """
      CREATE TABLE category(
        id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, name TEXT NOT NULL) STRICT;
      CREATE TABLE asset(
        id INTEGER PRIMARY KEY, type TEXT NOT NULL, code TEXT NOT NULL,
        category INTEGER NOT NULL REFERENCES category, amount INTEGER NOT NULL,
        UNIQUE(type, code)) STRICT;
      CREATE INDEX asset_category ON asset(category, type, code);
      CREATE TABLE price(
        asset INTEGER PRIMARY KEY REFERENCES asset, slot INTEGER NOT NULL, price INTEGER NOT NULL
      ) STRICT;
      """)
    let category = try database.prepare("INSERT INTO category VALUES(?,?,?)")
    let asset = try database.prepare("INSERT INTO asset VALUES(?,?,?,?,?)")
    let price = try database.prepare("INSERT INTO price VALUES(?,?,?)")
    let slot = Int(Slot(containing: Self.now).index)
    try database.transaction {
      for (place, one) in categories.enumerated() {
        category.bind(1, place + 1)
        category.bind(2, one.key.text)
        category.bind(3, one.spelling.text)
        try category.run()
      }
      for place in assets.indices.sorted(by: { assets[$0] < assets[$1] }) {
        asset.bind(1, place + 1)
        asset.bind(2, assets[place].type.text)
        asset.bind(3, assets[place].id.text)
        asset.bind(4, rows[place].category + 1)
        asset.bind(5, rows[place].amount)
        try asset.run()
        price.bind(1, place + 1)
        price.bind(2, slot)
        price.bind(3, rows[place].price)
        try price.run()
      }
    }
    try database.execute("ANALYZE")
    _ = try database.byteCount()
    return database
  }
}

/// A clock that stands still.
struct FixedClock: WallClock {
  private let time: Timestamp
  init(_ time: Timestamp) { self.time = time }
  func now() -> Timestamp { time }
}

/// What both sides give of an asset.
struct HeldRow: Equatable {
  var type: String
  var code: String
  var categoryKey: String
  var category: String
  /// In thousandths.
  var amount: Int
  /// In ten-thousandths.
  var price: Int
  var slot: Int

  init(_ row: Statement) {
    type = row.text(0)
    code = row.text(1)
    categoryKey = row.text(2)
    category = row.text(3)
    amount = row.integer(4)
    price = row.integer(5)
    slot = row.integer(6)
  }

  init?(_ held: PricedHolding) {
    guard let quote = held.quote, let amount = held.holding.amount.amount else { return nil }
    let asset = held.holding.asset
    type = asset.type.text
    code = asset.id.text
    categoryKey = held.holding.category.key.text
    category = held.holding.category.spelling.text
    self.amount = Int(amount.units / 1_000_000_000_000_000)
    var scaled = Int(quote.price.mantissa)
    for _ in quote.price.scale..<4 { scaled *= 10 }
    price = scaled
    slot = Int(quote.pricedAt.index)
  }

  static let columns = """
    SELECT a.type, a.code, c.key, c.name, a.amount, p.price, p.slot
    FROM asset a JOIN category c ON c.id = a.category JOIN price p ON p.asset = a.id
    """
}
