import FolioDomain

extension VerifyStorage {
  func verifyTables<T: ServerReading & ~Copyable & ~Escapable>(
    _ transaction: borrowing T, _ verification: inout StorageVerification
  ) throws {
    let market = try transaction.market()
    let names = try AssetNumbers(transaction, last: market.lastAssetNumber)
    verification.require(
      names.keys.allSatisfy { $0 != nil }, .assetNumber, "a number of an asset is missing")
    verification.require(
      try transaction.count(.assetNumbers) <= names.keys.count, .assetNumber,
      "two assets have one number")
    var published = 0
    var heldBack = 0
    try transaction.scan(.tables, .all, .ascending) { key, row in
      verification.checked += 1
      let slot = try TableKey.slot(ofKey: key, in: .tables)
      let table = try TableRow(row)
      verification.require(
        Self.isOrdered(table, names), .tableOrder, "table of \(slot): its prices are not in order")
      if table.revision == 0 {
        heldBack += 1
        let mark = try transaction.row(.heldBack, TableKey.slot(slot))
        verification.require(
          mark != nil, .heldBack, "table of \(slot): without a revision, and not held back")
      } else {
        published += 1
        let index = try transaction.row(.revisions, TableKey.revision(table.revision))
        verification.require(
          index == TableKey.slot(slot) && table.revision <= market.revision, .revision,
          "table of \(slot): its revision")
      }
      return .next
    }
    let revisions = try transaction.count(.revisions)
    let marks = try transaction.count(.heldBack)
    verification.checked += revisions + marks
    verification.require(
      revisions == published && marks == heldBack, .tableIndex,
      "price tables: an index has rows without a table")
  }

  private static func isOrdered(_ table: TableRow, _ names: AssetNumbers) -> Bool {
    var last: AssetKey?
    for price in table.prices {
      guard let key = names[price.asset], last.map({ $0 < key }) ?? true else { return false }
      last = key
    }
    return true
  }

  func verifyAssets<T: ServerReading & ~Copyable & ~Escapable>(
    _ transaction: borrowing T, _ verification: inout StorageVerification
  ) throws {
    var ranked = 0
    try transaction.scan(.assets, .all, .ascending) { key, row in
      verification.checked += 1
      let info = try AssetRow.info(key: key, row: row)
      if let rank = info.rank {
        ranked += 1
        let mark = try transaction.row(.leaderboard, AssetRow.rankKey(rank, info.asset))
        verification.require(
          mark != nil, .leaderboard, "asset \(info.asset): missing in the leaderboard")
      }
      return .next
    }
    let count = try transaction.count(.leaderboard)
    verification.require(
      count == ranked, .leaderboard, "the leaderboard has \(count) rows for \(ranked) assets")
    verification.require(
      try transaction.assetTable() == transaction.computedAssetTable(), .assetTag,
      "the asset table's tag is not that of its content")
  }
}
