import FolioDomain

@testable import FolioReportPage

/// The first slot of these tests.
let first = Slot(containing: Timestamp(milliseconds: 1_767_225_600_000))

/// A point of a series.
func point(_ place: Int, _ value: String, in deposits: String = "0", out withdrawals: String = "0")
  throws -> SeriesPoint
{
  SeriesPoint(
    slot: first.advanced(by: place), value: Value(try Amount(value)),
    deposits: Value(try Amount(deposits)), withdrawals: Value(try Amount(withdrawals)),
    unpricedCount: 0, staleCount: 0)
}

/// A report of one asset, made by the domain from snapshots.
func report(_ asset: AssetKey, in category: FolioDomain.Category, prices: [String]) throws -> Report
{
  let rules = PricingRules(base: "USD")
  var walker = SnapshotWalker(at: first, rules: rules)
  var builder = ReportBuilder(options: ReportOptions(), rules: rules)
  try walker.walk(
    through: first.advanced(by: prices.count - 1),
    changes: [
      HoldingChange(
        slot: Slot(index: first.index - 1), asset: asset, sum: Int256(try Amount("2")),
        category: category)
    ],
    tables: prices.enumerated().map { place, price in
      PriceTable(
        slot: first.advanced(by: place),
        prices: [PricedAsset(asset: asset, price: try Price(price))])
    }
  ) { try builder.add(&$0) }
  return try builder.finish(walker)
}

extension ReportPage {
  /// The document as text.
  var text: String { String(decoding: html, as: UTF8.self) }
}
