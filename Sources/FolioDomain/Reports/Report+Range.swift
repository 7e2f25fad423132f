extension Report {
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
