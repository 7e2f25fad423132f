/// Why it cannot be said how much of an asset a sum of money buys.
@nonexhaustive
public enum WorthError: DomainError, Hashable {
  /// The asset has no price.
  case assetUnpriced(AssetKey)
  /// The currency has no price.
  case currencyUnpriced(AssetKey)
  /// The asset, or the currency, is worth nothing.
  case priceZero(AssetKey)
  /// The sum buys less than the smallest amount there is.
  case buysNothing
  /// The sum buys more than an amount can be.
  case outOfRange

  /// The stable name of the rule.
  public var code: String {
    switch self {
    case .assetUnpriced: "assetUnpriced"
    case .currencyUnpriced: "currencyUnpriced"
    case .priceZero: "priceZero"
    case .buysNothing: "worthBuysNothing"
    case .outOfRange: "worthOutOfRange"
    }
  }

  /// What is wrong, where, and which limit is passed.
  public var message: String {
    switch self {
    case .assetUnpriced(let asset): "\(asset.text) has no price, so no sum of money says how much"
    case .currencyUnpriced(let currency): "\(currency.text) has no price to convert the sum by"
    case .priceZero(let asset): "\(asset.text) is worth nothing"
    case .buysNothing: "the sum buys less than 0.000000000000000001"
    case .outOfRange:
      "the sum buys an amount with more than \(Amount.integerDigitLimit) digits before the point"
    }
  }

  /// What to do about it.
  public var hint: String {
    switch self {
    case .assetUnpriced: "sync for prices, or give the amount itself"
    case .currencyUnpriced: "sync for prices, or name a currency that has one"
    case .priceZero: "give the amount itself"
    case .buysNothing: "name a larger sum"
    case .outOfRange: "name a smaller sum"
    }
  }
}

extension Amount {
  /// What a sum of money buys of an asset, or sells where it is below 0, rounded towards 0 at 18
  /// places, so that it is never worth more than the money.
  ///
  /// - Parameters:
  ///   - money: The sum.
  ///   - currency: Its currency, with the price that counts for it; nil where it has none.
  ///   - asset: The asset, with the price that counts for it, in the same currency as the other.
  /// - Throws: `WorthError`.
  public init(
    worth money: Amount, in currency: (key: AssetKey, quote: Quote?),
    of asset: (key: AssetKey, quote: Quote?)
  ) throws(WorthError) {
    guard let cost = currency.quote else { throw .currencyUnpriced(currency.key) }
    guard let price = asset.quote else { throw .assetUnpriced(asset.key) }
    if cost.isZero { throw .priceZero(currency.key) }
    if price.isZero { throw .priceZero(asset.key) }
    guard
      let amount = Amount(
        worth: money, costing: cost.factors + [cost.price], at: price.factors + [price.price])
    else { throw .outOfRange }
    if amount == .zero { throw .buysNothing }
    self = amount
  }
}
