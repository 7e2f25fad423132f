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

extension ReportError {
  /// The slots of a report.
  ///
  /// A range that begins before the first snapshot begins with it: before it there was nothing. One
  /// that ends later than the last closed snapshot is refused, since what it asks for is not known.
  /// - Parameters:
  ///   - from: The first slot; nil is the first snapshot's.
  ///   - to: The last slot, which belongs to the range; nil is the latest closed one.
  ///   - closed: The slots there is a snapshot of.
  public static func range(
    from: Slot?, to: Slot?, closed: ClosedRange<Slot>?
  ) throws(ReportError) -> ClosedRange<Slot> {
    if let from, let to, to < from { throw .rangeReversed(from: from, to: to) }
    guard let closed else { throw .noSnapshots }
    let latest = closed.upperBound
    for case let slot? in [from, to] where slot > latest {
      throw .notClosed(slot, latest: latest)
    }
    let last = to ?? latest
    guard last >= closed.lowerBound else { throw .noSnapshots }
    return max(from ?? closed.lowerBound, closed.lowerBound)...last
  }
}
