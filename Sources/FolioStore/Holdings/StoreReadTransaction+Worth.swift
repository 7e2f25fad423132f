public import FolioDomain

extension StoreReadTransaction {
  /// What a sum of money buys of an asset at the latest prices, or sells where it is below 0.
  ///
  /// - Parameters:
  ///   - asset: The asset.
  ///   - money: The sum.
  ///   - currency: Its currency; nil is the base currency of prices.
  /// - Throws: `WorthError`.
  /// - Complexity: O(log n).
  public func amount(of asset: AssetKey, worth money: Amount, in currency: AssetKey? = nil) throws
    -> Amount
  {
    let slot = try presentSlot()
    let rules = try pricingRules()
    let currency = currency ?? rules.base
    return try Amount(
      worth: money, in: (currency, try latestQuote(of: currency, at: slot, rules)),
      of: (asset, try latestQuote(of: asset, at: slot, rules)))
  }
}

extension StoreReadTransaction {
  /// The price that counts for an asset at present; nil where it is unpriced.
  ///
  /// - Complexity: O(log n).
  public func presentQuote(of asset: AssetKey) throws -> Quote? {
    try latestQuote(of: asset, at: presentSlot(), pricingRules())
  }
}
