public import FolioDomain

/// What can be subscribed to.
public enum Topic: String, Hashable, Sendable, CaseIterable {
  /// The account's log.
  case log
  /// Price tables.
  case prices
  /// The asset table.
  case assets
}

/// A request to be told of changes, in place of any earlier one.
public struct Subscription: Hashable, Sendable {
  /// What about.
  ///
  /// Names that this build does not know are dropped on reading.
  public var topics: [Topic]
  /// A subscription to `topics`.
  public init(topics: [Topic]) { self.topics = topics }
}

/// The answer to `subscribe`: how things stand.
public struct Heads: Hashable, Sendable {
  /// Where the log ends, where that was asked for.
  public var head: LogPosition?
  /// The market, where that was asked for.
  public var market: MarketState?
  /// The tag of the asset table, where that was asked for.
  public var assetsTag: Hash256?
  /// The state of what was subscribed to.
  public init(head: LogPosition? = nil, market: MarketState? = nil, assetsTag: Hash256? = nil) {
    self.head = head
    self.market = market
    self.assetsTag = assetsTag
  }
}

/// Word that something has changed.
///
/// It carries no data: asking is the only way that arrives.
public enum Note: Hashable, Sendable {
  /// The log ends there now.
  case log(LogPosition)
  /// The market is there now.
  case prices(MarketState)
  /// The asset table has that tag now.
  case assets(Hash256)
  /// Something else, of that name, that this build does not know.
  case other(String)
}
