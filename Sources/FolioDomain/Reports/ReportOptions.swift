/// What a report is made of, beside its snapshots.
public struct ReportOptions: Hashable, Sendable {
  /// By which category an asset counts in a snapshot of the past.
  public enum Categories: Hashable, Sendable {
    /// By the one it had then.
    ///
    /// A move leaves the one and enters the other.
    case then
    /// By the one it has today.
    ///
    /// An asset that is not named here counts by its type's name.
    case today([AssetKey: Category])
  }

  /// The currency that figures are in; nil is the base currency.
  ///
  /// Any asset with a price serves.
  public var currency: AssetKey?
  /// By which category an asset counts.
  public var categories: Categories
  /// How many gainers, and how many losers, are listed at most.
  public var rankedMax: Int

  /// Options of those members.
  public init(currency: AssetKey? = nil, categories: Categories = .then, rankedMax: Int = 5) {
    self.currency = currency
    self.categories = categories
    self.rankedMax = rankedMax
  }
}
