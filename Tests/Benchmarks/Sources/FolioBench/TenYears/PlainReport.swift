import FolioDomain
import Foundation

/// A report in numbers that both sides can give: values in units of 10^-7.
struct PlainReport: Equatable {
  var whole = Flows()
  var categories: [String: Flows] = [:]
  var types: [String: Flows] = [:]
  var assets: [String: Flows] = [:]
  /// By slot: value, deposits, withdrawals.
  var series: [[Int]] = []

  struct Flows: Equatable {
    var start = 0
    var end = 0
    var deposits = 0
    var withdrawals = 0
  }

  init() {}

  init(_ report: Report) {
    whole = Flows(report.whole)
    for category in report.categories {
      categories[category.category.key.text] = Flows(category.figures)
    }
    for type in report.types { types[type.type.text] = Flows(type.figures) }
    for asset in report.assets { assets[asset.asset.text] = Flows(asset.figures) }
    series = report.series.map { point in
      [
        Int(point.slot.index), plain(point.value), plain(point.deposits), plain(point.withdrawals),
      ]
    }
  }

  /// What is first found to differ.
  func difference(_ other: PlainReport) -> String {
    if whole != other.whole { return "the whole, \(whole) and \(other.whole)" }
    for (name, mine, its) in [
      ("categories", categories, other.categories), ("types", types, other.types),
      ("assets", assets, other.assets),
    ] where mine != its {
      let key = Set(mine.keys).union(its.keys).first { mine[$0] != its[$0] } ?? ""
      return
        "\(name) at \(key), \(String(describing: mine[key])) and \(String(describing: its[key]))"
    }
    let place = zip(series, other.series).first { $0 != $1 }
    return "the series, \(series.count) and \(other.series.count): \(String(describing: place))"
  }
}

extension PlainReport.Flows {
  fileprivate init(_ figures: ReportFigures) {
    start = plain(figures.start)
    end = plain(figures.end)
    deposits = plain(figures.deposits)
    withdrawals = plain(figures.withdrawals)
  }
}

/// A value in units of 10^-7; `Int.min` where it is none of that form.
private func plain(_ value: Value) -> Int {
  let (quotient, rest) = Int128(truncatingIfNeeded: value.units.low).quotientAndRemainder(
    dividingBy: 100_000_000_000)
  return rest == 0 ? Int(quotient) : .min
}
