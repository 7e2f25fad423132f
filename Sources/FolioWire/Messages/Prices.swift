public import FolioDomain

/// A request for price tables.
public struct PricesRequest: Hashable, Sendable {
  /// Where the last page ended; nil to begin.
  ///
  /// An epoch that is not the server's begins anew.
  public var after: TableCursor?
  /// Only assets of these types, at most 64 of them; all where nil.
  public var types: [AssetType]?
  /// The most bytes wanted; one table comes even where it is longer.
  public var maxBytes: Int?

  /// A request of those members.
  public init(after: TableCursor? = nil, types: [AssetType]? = nil, maxBytes: Int? = nil) {
    self.after = after
    self.types = types
    self.maxBytes = maxBytes
  }
}

/// How far price tables have been read.
public struct TableCursor: Hashable, Sendable {
  /// The market's epoch.
  public var epoch: UInt64
  /// The last revision read; 0 before the first.
  public var revision: UInt64
  /// The place after `revision` of `epoch`.
  public init(epoch: UInt64, revision: UInt64) {
    self.epoch = epoch
    self.revision = revision
  }
}

/// The answer to `prices`.
public struct TablesPage: Hashable, Sendable {
  /// The market.
  public var market: MarketState
  /// The revision to ask from next.
  public var last: UInt64
  /// Tables in the order of their revisions.
  public var tables: [WireTable]
  /// Whether there are more; then `last` is beyond the revision asked from.
  public var more: Bool

  /// A page of those members.
  public init(market: MarketState, last: UInt64, tables: [WireTable], more: Bool) {
    self.market = market
    self.last = last
    self.tables = tables
    self.more = more
  }

  /// Whether the tables begin anew for a client that asked from `cursor`: it named none, or one of
  /// another epoch, or a revision that this market has not had.
  public func beginsAnew(after cursor: TableCursor?) -> Bool {
    guard let cursor, cursor.epoch == market.position.epoch else { return true }
    return cursor.revision > market.position.revision
  }
}

/// A price table as it travels: whole, or as what differs from the table before it in the page.
public struct WireTable: Hashable, Sendable {
  /// The slot.
  public var slot: Slot
  /// The number of the change that made it what it is.
  public var revision: UInt64
  /// Whether prices that are not named are those of the table before it in the page.
  public var isDelta: Bool
  /// Prices, by type.
  public var groups: [PriceGroup]

  /// A table of those members.
  public init(slot: Slot, revision: UInt64, isDelta: Bool = false, groups: [PriceGroup]) {
    self.slot = slot
    self.revision = revision
    self.isDelta = isDelta
    self.groups = groups
  }
}

/// Prices of assets of one type.
public struct PriceGroup: Hashable, Sendable {
  /// The type.
  public var type: AssetType
  /// The prices, in byte order of the ids, each id once.
  public var rows: [PriceRow]
  /// Those prices of that type.
  public init(type: AssetType, rows: [PriceRow]) {
    self.type = type
    self.rows = rows
  }
}

/// An asset's price in a table.
public struct PriceRow: Hashable, Sendable {
  /// The asset's id.
  public var id: AssetID
  /// Its price; nil, in a delta alone, where the table before it has one and this has none.
  public var price: Price?
  /// `price` for `id`.
  public init(id: AssetID, price: Price?) {
    self.id = id
    self.price = price
  }
}
