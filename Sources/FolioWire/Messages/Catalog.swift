public import FolioDomain

/// A request for the asset table.
public struct AssetsRequest: Hashable, Sendable {
  /// The tag of the table that the client holds.
  public var tag: Hash256?
  /// The last asset of the page before; nil to begin.
  public var after: AssetKey?
  /// A request of those members.
  public init(tag: Hash256? = nil, after: AssetKey? = nil) {
    self.tag = tag
    self.after = after
  }
}

/// The answer to `assets`.
public struct Catalog: Hashable, Sendable {
  /// The table's tag, which changes with it.
  public var tag: Hash256
  /// Whether the client holds that table already; then no rows follow.
  public var isSame: Bool
  /// Rows in byte order of type and id, after those of the page before.
  public var assets: [AssetInfo]
  /// Whether there are more; then there is at least one row here.
  public var more: Bool

  /// A page of those members.
  public init(tag: Hash256, isSame: Bool = false, assets: [AssetInfo] = [], more: Bool = false) {
    self.tag = tag
    self.isSame = isSame
    self.assets = assets
    self.more = more
  }
}

/// A request for assets by rank.
public struct LeaderboardRequest: Hashable, Sendable {
  /// How many rows the client has.
  public var after: Int
  /// The most rows wanted, from 1 to 1,000.
  public var limit: Int
  /// A request for `limit` rows behind the first `after`.
  public init(after: Int = 0, limit: Int) {
    self.after = after
    self.limit = limit
  }
}

/// The answer to `leaderboard`.
public struct Ranking: Hashable, Sendable {
  /// Rows, the best rank first.
  public var rows: [RankedAsset]
  /// Whether there are more; then there is at least one row here.
  public var more: Bool
  /// A page of those members.
  public init(rows: [RankedAsset], more: Bool) {
    self.rows = rows
    self.more = more
  }
}

/// An asset with its rank and latest price.
public struct RankedAsset: Hashable, Sendable {
  /// The asset.
  public var asset: AssetKey
  /// Its symbol.
  public var symbol: String
  /// Its name.
  public var name: String
  /// Its place in the market, from 1.
  public var rank: Int
  /// Its latest price, where there is one.
  public var price: Price?
  /// A row of those members.
  public init(asset: AssetKey, symbol: String, name: String, rank: Int, price: Price? = nil) {
    self.asset = asset
    self.symbol = symbol
    self.name = name
    self.rank = rank
    self.price = price
  }
}
