import FolioDomain
import FolioJSON
import FolioStore

extension JSONValue {
  /// A holding in a list; symbol and name are unknown where the asset table does not have it.
  static func holding(
    _ priced: PricedHolding, _ info: AssetInfo?, _ display: Display
  ) -> JSONValue {
    let holding = priced.holding
    return row([
      "asset": .string(holding.asset.text), "type": .string(holding.asset.type.text),
      "id": .string(holding.asset.id.text), "symbol": text(info?.symbol), "name": text(info?.name),
      "amount": .string(holding.amount.decimalText), "price": text(priced.quote?.price.text),
      "pricedAt": text(priced.quote?.pricedAt.text),
      "stale": flag(priced.quote == nil ? nil : priced.isStale), "value": text(priced.value?.text),
      "shownValue": text(priced.value.flatMap(display.value)?.text),
      "shownCurrency": text(display.currencyCode),
      "category": .string(holding.category.spelling.text), "pending": .bool(priced.isPending),
      "outOfRange": .bool(holding.isOutOfRange), "overdrawn": .bool(holding.isOverdrawn),
    ])
  }

  /// An asset of the asset table.
  static func candidate(_ info: AssetInfo) -> JSONValue {
    row([
      "asset": .string(info.asset.text), "symbol": .string(info.symbol),
      "name": .string(info.name), "rank": count(info.rank),
    ])
  }

  /// A category in a list.
  static func category(_ summary: CategorySummary, _ display: Display) -> JSONValue {
    row([
      "category": .string(summary.category.spelling.text), "assets": count(summary.assetCount),
      "value": .string(summary.value.text), "shownValue": text(display.value(summary.value)?.text),
      "shownCurrency": text(display.currencyCode), "unpricedCount": count(summary.unpricedCount),
    ])
  }
}
