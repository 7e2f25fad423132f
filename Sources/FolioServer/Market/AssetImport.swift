package import FolioDomain

/// Puts assets into the asset table.
package struct ImportAssets: ServerChange {
  private let assets: [AssetInfo]
  private let replacing: Bool

  /// Adds `assets`, each once, or takes their data for those that the table has.
  ///
  /// Where `replacing` says so, assets that are not among them leave the table.
  package init(_ assets: [AssetInfo], replacing: Bool = false) {
    self.assets = assets
    self.replacing = replacing
  }

  /// What was done.
  package struct Answer: Hashable, Sendable {
    /// Assets that the table did not have.
    package var added = 0
    /// Assets whose data is another now.
    package var changed = 0
    /// Assets whose data is what it was.
    package var unchanged = 0
    /// Assets that left the table.
    package var removed = 0
    /// The table after it.
    package var table: AssetTableRow
  }

  package func apply<T: ServerWriting & ~Copyable & ~Escapable>(_ transaction: inout T) throws
    -> Answer
  {
    var answer = Answer(table: try transaction.assetTable())
    for info in assets {
      let key = TableKey.asset(info.asset)
      let row = AssetRow.row(info)
      if let old = try transaction.row(.assets, key) {
        if old == row {
          answer.unchanged += 1
          continue
        }
        try removeRank(of: AssetRow.info(info.asset, row: old.span.bytes), &transaction)
        answer.changed += 1
      } else {
        answer.added += 1
      }
      try transaction.put(.assets, key, row)
      if let rank = info.rank {
        try transaction.put(.leaderboard, AssetRow.rankKey(rank, info.asset), [1])
      }
    }
    if replacing { answer.removed = try removeOthers(&transaction) }
    if answer.added > 0 { try transaction.checkAssetTypes(in: .assets) }
    if answer.added + answer.changed + answer.removed > 0 {
      answer.table = try transaction.computedAssetTable()
      try transaction.put(.meta, AssetTableRow.key, answer.table.row)
    }
    return answer
  }

  private func removeRank<T: ServerWriting & ~Copyable & ~Escapable>(
    of info: AssetInfo, _ transaction: inout T
  ) throws {
    guard let rank = info.rank else { return }
    try transaction.delete(.leaderboard, AssetRow.rankKey(rank, info.asset))
  }

  private func removeOthers<T: ServerWriting & ~Copyable & ~Escapable>(_ transaction: inout T)
    throws -> Int
  {
    let kept = Set(assets.map(\.asset))
    var others: [AssetInfo] = []
    try transaction.scan(.assets, .all, .ascending) { key, row in
      let info = try AssetRow.info(key: key, row: row)
      if !kept.contains(info.asset) { others.append(info) }
      return .next
    }
    for info in others {
      try removeRank(of: info, &transaction)
      try transaction.delete(.assets, TableKey.asset(info.asset))
    }
    return others.count
  }
}
