/// A price table: the last price of each asset seen in the six hours up to a slot's boundary.
public struct PriceTable: Hashable, Sendable {
  /// The slot at whose start the table stands.
  public var slot: Slot
  /// The prices, in byte order of type and id.
  ///
  /// An asset without one is absent; nothing is carried.
  public var prices: [PricedAsset]
  /// The table of `slot`.
  public init(slot: Slot, prices: [PricedAsset]) {
    self.slot = slot
    self.prices = prices
  }
}

/// A row of a price table.
public struct PricedAsset: Hashable, Sendable {
  /// The asset.
  public var asset: AssetKey
  /// Its price in the server's base currency.
  public var price: Price
  /// `asset` at `price`.
  public init(asset: AssetKey, price: Price) {
    self.asset = asset
    self.price = price
  }
}

/// A row of the asset table: what an asset is called, and what follows it.
public struct AssetInfo: Hashable, Sendable {
  /// The asset.
  public var asset: AssetKey
  /// Its symbol, which is no identity: several assets may share one, and it may be empty.
  public var symbol: String
  /// Its name.
  public var name: String
  /// Its place in the market, from 1, where known.
  public var rank: Int?
  /// The asset that follows it, where it was renamed or redenominated.
  public var successor: Successor?
  /// A row of those members.
  public init(
    asset: AssetKey, symbol: String, name: String, rank: Int? = nil, successor: Successor? = nil
  ) {
    self.asset = asset
    self.symbol = symbol
    self.name = name
    self.rank = rank
    self.successor = successor
  }
}

/// What an asset became: from a slot on, one unit is `factor` units of another asset's type.
public struct Successor: Hashable, Sendable {
  /// The asset that follows, of the same type.
  public var id: AssetID
  /// How many units of it one unit of the old asset is.
  public var factor: Price
  /// The first slot in which the old asset is valued so.
  public var fromSlot: Slot
  /// A succession of those members.
  public init(id: AssetID, factor: Price, fromSlot: Slot) {
    self.id = id
    self.factor = factor
    self.fromSlot = fromSlot
  }
}

/// How far a device knows the server's market data.
public struct MarketPosition: Hashable, Sendable {
  /// The market: its base currency and the history of its revisions.
  ///
  /// 64 random bits.
  public var epoch: UInt64
  /// The number of the last change of a table.
  public var revision: UInt64
  /// The slot that the server's clock was in when it last told.
  public var through: Slot
  /// A position of those members.
  public init(epoch: UInt64, revision: UInt64, through: Slot) {
    self.epoch = epoch
    self.revision = revision
    self.through = through
  }
}
