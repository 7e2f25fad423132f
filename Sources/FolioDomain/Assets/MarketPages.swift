/// A page of price tables, complete.
public struct PriceTablesPage: Hashable, Sendable {
  /// Where the tables end, to ask from next.
  ///
  /// Its `through` holds once the last page is there.
  public var position: MarketPosition
  /// The code of the currency that prices are in.
  public var base: String
  /// The tables, each whole, in the order of their revisions.
  public var tables: [PriceTable]
  /// Whether the tables begin anew here and those known before are void, though their epoch may be
  /// the same; those of another epoch are void in any case.
  public var beginsAnew: Bool
  /// Whether there is nothing after this page.
  public var isLast: Bool
  /// A page of those members.
  public init(
    position: MarketPosition, base: String, tables: [PriceTable], beginsAnew: Bool = false,
    isLast: Bool
  ) {
    self.position = position
    self.base = base
    self.tables = tables
    self.beginsAnew = beginsAnew
    self.isLast = isLast
  }
}

/// A page of the asset table.
public struct AssetsPage: Hashable, Sendable {
  /// The table's tag, the same on each of its pages.
  public var tag: Hash256
  /// Rows; of an asset that comes twice the first counts.
  public var assets: [AssetInfo]
  /// Whether this is the table's first page.
  public var isFirst: Bool
  /// Whether this is the table's last page.
  public var isLast: Bool
  /// A page of those members.
  public init(tag: Hash256, assets: [AssetInfo], isFirst: Bool, isLast: Bool) {
    self.tag = tag
    self.assets = assets
    self.isFirst = isFirst
    self.isLast = isLast
  }
}
