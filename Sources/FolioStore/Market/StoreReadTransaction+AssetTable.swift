public import FolioDomain
internal import LMDB

extension StoreReadTransaction {
  /// A row of the asset table; nil where it does not have the asset.
  ///
  /// - Complexity: O(log n).
  public func info(of asset: AssetKey) throws -> AssetInfo? {
    guard let span = try base.get(spaces.marketAssets, try Keys.asset(asset)) else { return nil }
    var reader = RecordReader(span, of: spaces.marketAssets.name)
    return try AssetInfo(asset, &reader)
  }

  /// The tag of the asset table that is held; nil before the first.
  public func assetsTag() throws -> Hash256? {
    try single(MarketRecord.self).assetsTag
  }

  /// How many rows the asset table has.
  ///
  /// - Complexity: O(1).
  public func assetTableCount() throws -> Int {
    try base.count(spaces.marketAssets)
  }

  /// All assets whose symbol, name or id has a text in it, whatever the case.
  ///
  /// Those of which it is the whole symbol, name or id come first, then those that begin with it,
  /// each by rank. None is left out: symbols are no identities.
  /// - Parameters:
  ///   - text: A symbol, a name or an id, or how it begins.
  ///   - type: Where only assets of one type are wanted.
  /// - Complexity: O(rows of the asset table, or of the type in it).
  public func searchAssets(_ text: String, type: AssetType? = nil) throws -> [AssetInfo] {
    let wanted = Array(text.lowercased().utf8)
    var found: [(match: Match, info: AssetInfo)] = []
    let range = try type.map { try Keys.type($0).prefix } ?? .all
    try base.scan(spaces.marketAssets, range) { key, value in
      var keyReader = KeyReader(key)
      var reader = RecordReader(value, of: spaces.marketAssets.name)
      let info = try AssetInfo(try keyReader.readAsset(), &reader)
      let matches = [info.symbol, info.name, info.asset.id.text].compactMap {
        Match(of: wanted, in: $0)
      }
      if let match = matches.min() { found.append((match, info)) }
      return .next
    }
    return found.sorted(by: Self.isBetter).map(\.info)
  }

  private static func isBetter(
    _ a: (match: Match, info: AssetInfo), _ b: (match: Match, info: AssetInfo)
  ) -> Bool {
    if a.match != b.match { return a.match < b.match }
    let ranks = (a.info.rank ?? .max, b.info.rank ?? .max)
    return ranks.0 == ranks.1 ? a.info.asset < b.info.asset : ranks.0 < ranks.1
  }
}

/// How well a text fits what was looked for.
private enum Match: Int, Comparable {
  case whole, start, within

  init?(of wanted: [UInt8], in text: String) {
    let bytes = Array(text.lowercased().utf8)
    guard bytes.count >= wanted.count else { return nil }
    if bytes.starts(with: wanted) {
      self = bytes.count == wanted.count ? .whole : .start
      return
    }
    let isWithin = (0...(bytes.count - wanted.count)).contains { start in
      bytes[start...].starts(with: wanted)
    }
    if !isWithin { return nil }
    self = .within
  }

  static func < (a: Match, b: Match) -> Bool { a.rawValue < b.rawValue }
}
