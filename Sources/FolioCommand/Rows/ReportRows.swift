import FolioDomain
import FolioJSON

extension JSONValue {
  /// A report at its levels.
  static func report(_ report: Report) -> JSONValue {
    row([
      "from": .string(report.range.lowerBound.text), "to": .string(report.range.upperBound.text),
      "currency": .string(report.currency.id.text), "start": .string(report.whole.start.text),
      "end": .string(report.whole.end.text), "deposits": .string(report.whole.deposits.text),
      "withdrawals": .string(report.whole.withdrawals.text),
      "profit": .string(report.whole.profit.text), "rate": text(report.whole.rate?.text),
      "categories": .array(
        report.categories.map { figures($0.category.spelling.text, $0.figures) }),
      "types": .array(report.types.map { figures($0.type.text, $0.figures) }),
      "assets": .array(report.assets.map(asset)), "gainers": .array(report.gainers.map(asset)),
      "losers": .array(report.losers.map(asset)), "sold": .array(report.sold.map(asset)),
      "series": .array(report.series.map(point)),
    ])
  }

  private static func figures(_ key: String, _ figures: ReportFigures) -> JSONValue {
    row([
      "key": .string(key), "start": .string(figures.start.text), "end": .string(figures.end.text),
      "deposits": .string(figures.deposits.text),
      "withdrawals": .string(figures.withdrawals.text), "profit": .string(figures.profit.text),
      "rate": text(figures.rate?.text),
    ])
  }

  private static func asset(_ report: AssetReport) -> JSONValue {
    row([
      "key": .string(report.asset.text), "amount": .string(report.amount.decimalText),
      "start": text(report.start?.text), "end": text(report.end?.text),
      "deposits": .string(report.figures.deposits.text),
      "withdrawals": .string(report.figures.withdrawals.text),
      "profit": text(report.profit?.text), "rate": text(report.rate?.text),
      "category": .string(report.category.spelling.text),
      "pricedAt": text(report.pricedAt?.text),
      "stale": flag(report.pricedAt == nil ? nil : report.isStaleAtEnd),
    ])
  }

  private static func point(_ point: SeriesPoint) -> JSONValue {
    row([
      "slot": .string(point.slot.text), "value": .string(point.value.text),
      "deposits": .string(point.deposits.text), "withdrawals": .string(point.withdrawals.text),
      "unpricedCount": count(point.unpricedCount), "staleCount": count(point.staleCount),
    ])
  }
}
