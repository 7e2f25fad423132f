import FolioDomain
import FolioStore
import Foundation

/// Ten years of a portfolio: a price of every asset in every slot, and transactions spread over them.
///
/// Amounts have three decimal places and prices four, so that every sum of products fits into 64 bits
/// and SQLite adds as exactly as the store does.
struct TenYears {
  static let account = AccountID(Hash256(words: (1, 2, 3, 4)))
  static let first = Slot(containing: Timestamp(milliseconds: 1_577_836_800_000))

  let content: Content
  let slotCount: Int
  /// By slot, counted from the second, and asset: in ten-thousandths.
  let prices: [[Int32]]
  let changes: [Change]
  var last: Slot { Slot(index: Self.first.index + Int64(slotCount)) }

  /// A transaction of one asset.
  struct Change {
    var at: Timestamp
    var asset: Int
    /// In thousandths.
    var amount: Int
    var category: Int?
  }

  init(slotCount: Int, assetCount: Int, transactionCount: Int) throws {
    self.slotCount = slotCount
    content = try Content(assetCount: assetCount)
    prices = Self.prices(slotCount, assetCount)
    changes = Self.changes(
      slotCount, assetCount, transactionCount, categoryCount: content.categories.count)
  }

  /// Each goes up or down a little with each slot.
  private static func prices(_ slotCount: Int, _ assetCount: Int) -> [[Int32]] {
    var random = Seeded(seed: 101)
    var present = (0..<assetCount).map { _ in Int32(random.int(1_000...9_999_999)) }
    return (0..<slotCount).map { _ in
      for place in present.indices {
        let step = max(present[place] / 500, 10)
        let moved = present[place] + .random(in: -step...step, using: &random)
        present[place] = min(max(moved, 100), 99_999_999)
      }
      return present
    }
  }

  /// Every asset is bought within the first days; after that some is bought or sold, now and then all
  /// of it, and now and then it goes to another category.
  private static func changes(
    _ slotCount: Int, _ assetCount: Int, _ count: Int, categoryCount: Int
  ) -> [Change] {
    var random = Seeded(seed: 202)
    var held = [Int](repeating: 0, count: assetCount)
    let interval = Int64(slotCount) * Slot.milliseconds / Int64(count)
    return (0..<count).map { number in
      // The first one within the first slot, none on a slot's boundary.
      let at = first.start.adding(milliseconds: 60_001 + Int64(number) * interval)
      let asset = number < assetCount ? number : random.int(0...assetCount - 1)
      var change = Change(at: at, asset: asset, amount: random.int(1...99_999))
      if number < assetCount || random.int(0...19) == 0 {
        change.category = random.int(0...categoryCount - 1)
      }
      if held[asset] > 0, random.int(0...2) == 0 {
        change.amount = random.int(0...9) == 0 ? -held[asset] : -random.int(1...held[asset])
      }
      held[asset] += change.amount
      return change
    }
  }

  // MARK: The store

  /// Makes a store that was given all of it by its server, with its snapshots.
  func makeStore(_ folder: String) throws -> Store {
    let store = try Store.create(
      at: folder, StoreOptions(clock: FixedClock(last.start), random: Random(seed: 3)))
    for begin in stride(from: 0, to: slotCount, by: 64) {
      let tables = (begin..<min(begin + 64, slotCount)).map(table)
      let isLast = begin + 64 >= slotCount
      let position = MarketPosition(epoch: 1, revision: UInt64(begin + tables.count), through: last)
      _ = try store.write {
        try $0.apply(
          PriceTablesPage(position: position, base: "USD", tables: tables, isLast: isLast))
      }
    }
    var log = LogContent(content, account: Self.account, log: LogID(5), start: Self.first.start)
    for begin in stride(from: 0, to: changes.count, by: 1_000) {
      let entries = try changes[begin..<min(begin + 1_000, changes.count)].map { change in
        let entry = try log.next(
          after: change.at.milliseconds - log.acceptedAt.milliseconds,
          operations: operations(change))
        return ChainedEntry(entry, hash: log.head.hash)
      }
      _ = try store.write { try $0.apply(entries) }
    }
    _ = try store.makeDueSnapshots()
    return store
  }

  private func table(_ place: Int) -> PriceTable {
    var rows: [PricedAsset] = []
    for (asset, price) in zip(content.assets, prices[place]) {
      guard let price = Price(mantissa: Int64(price), scale: 4) else { continue }
      rows.append(PricedAsset(asset: asset, price: price))
    }
    rows.sort { $0.asset < $1.asset }
    return PriceTable(slot: Slot(index: Self.first.index + 1 + Int64(place)), prices: rows)
  }

  func operations(_ change: Change) -> [FolioDomain.Operation] {
    let asset = content.assets[change.asset]
    var operations: [FolioDomain.Operation] = []
    if let amount = Amount(units: Int128(change.amount) * Self.amountUnit) {
      operations.append(.adjust(asset, amount))
    }
    if let category = change.category {
      operations.append(.categorize(asset, content.categories[category]))
    }
    return operations
  }

  static let amountUnit: Int128 = 1_000_000_000_000_000

  // MARK: SQLite

  /// Makes the same in SQLite: a row for each slot and asset.
  func makeDatabase(_ path: String) throws -> SQLite {
    let database = try SQLite(path)
    try fill(database)
    return database
  }

  /// Gives them to an empty database, a hundred slots to a transaction.
  func fill(_ database: SQLite) throws {
    try database.execute(
      """
      CREATE TABLE category(
        id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, name TEXT NOT NULL) STRICT;
      CREATE TABLE asset(
        id INTEGER PRIMARY KEY, type TEXT NOT NULL, code TEXT NOT NULL, UNIQUE(type, code)) STRICT;
      CREATE TABLE holding(
        slot INTEGER NOT NULL, asset INTEGER NOT NULL REFERENCES asset,
        category INTEGER NOT NULL REFERENCES category, amount INTEGER NOT NULL,
        price INTEGER NOT NULL, PRIMARY KEY(slot, asset)) STRICT, WITHOUT ROWID;
      """)
    try insertNames(database)
    let row = try database.prepare("INSERT INTO holding VALUES(?,?,?,?,?)")
    var state = content.assets.map { _ in (amount: 0, category: 0) }
    var next = changes.startIndex
    for begin in stride(from: 0, to: slotCount, by: 100) {
      try database.transaction {
        for place in begin..<min(begin + 100, slotCount) {
          let slot = Slot(index: Self.first.index + 1 + Int64(place))
          while next < changes.endIndex, changes[next].at < slot.start {
            state[changes[next].asset].amount += changes[next].amount
            if let category = changes[next].category {
              state[changes[next].asset].category = category
            }
            next += 1
          }
          try insert(slot, prices[place], state, row)
        }
      }
    }
    row.finalize()
  }

  private func insertNames(_ database: SQLite) throws {
    let category = try database.prepare("INSERT INTO category VALUES(?,?,?)")
    let asset = try database.prepare("INSERT INTO asset VALUES(?,?,?)")
    try database.transaction {
      for (place, one) in content.categories.enumerated() {
        category.bind(1, place + 1)
        category.bind(2, one.key.text)
        category.bind(3, one.spelling.text)
        try category.run()
      }
      for (place, one) in content.assets.enumerated() {
        asset.bind(1, place + 1)
        asset.bind(2, one.type.text)
        asset.bind(3, one.id.text)
        try asset.run()
      }
    }
  }

  private func insert(
    _ slot: Slot, _ prices: [Int32], _ state: [(amount: Int, category: Int)], _ row: Statement
  ) throws {
    row.bind(1, Int(slot.index))
    for place in state.indices {
      row.bind(2, place + 1)
      row.bind(3, state[place].category + 1)
      row.bind(4, state[place].amount)
      row.bind(5, Int(prices[place]))
      try row.run()
    }
  }
}
