/// Why there is no report.
@nonexhaustive
public enum ReportError: DomainError, Hashable {
  /// No slot of the range has a closed snapshot.
  case noSnapshots
  /// The range ends before it begins.
  case rangeReversed(from: Slot, to: Slot)
  /// The range reaches a slot that is not closed; the latest that is.
  case notClosed(Slot, latest: Slot)
  /// At a slot of the range there is something to convert and no rate to do it by.
  case noRate(AssetKey, at: Slot)
  /// A figure in that currency passes the limit.
  case outOfRange(AssetKey, at: Slot, digitLimit: Int)

  /// A stable name of what is in the way.
  public var code: String {
    switch self {
    case .noSnapshots: "reportNoSnapshots"
    case .rangeReversed: "reportRangeReversed"
    case .notClosed: "reportNotClosed"
    case .noRate: "reportNoRate"
    case .outOfRange: "reportOutOfRange"
    }
  }

  /// What is in the way, and where.
  public var message: String {
    switch self {
    case .noSnapshots: "there is no closed snapshot in the range"
    case .rangeReversed(let from, let to): "the range ends at \(to), before it begins at \(from)"
    case .notClosed(let slot, let latest):
      "there is no snapshot of \(slot): the latest that is closed is \(latest)"
    case .noRate(let currency, let slot): "there is no rate of \(currency) at \(slot), nor earlier"
    case .outOfRange(let currency, let slot, let limit):
      "a figure in \(currency) at \(slot) has more than \(limit) digits before the point"
    }
  }

  /// What to do about it.
  public var hint: String {
    switch self {
    case .noSnapshots: "snapshots close when the server's clock has passed them: run sync"
    case .rangeReversed: "name the earlier slot first"
    case .notClosed: "end the range at the latest closed slot, or run sync"
    case .noRate: "begin the range later, or report in the base currency"
    case .outOfRange: "report in a currency of greater worth"
    }
  }
}
