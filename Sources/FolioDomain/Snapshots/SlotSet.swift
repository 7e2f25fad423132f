/// A set of slots, kept as runs: what a correction concerns is mostly one run or a few.
public struct SlotSet: Hashable, Sendable {
  /// The runs, in order; between two of them at least one slot is missing.
  public private(set) var runs: [ClosedRange<Slot>] = []

  /// No slots.
  public init() {}

  /// The slots of one run.
  public init(_ run: ClosedRange<Slot>) { runs = [run] }

  /// Whether there is no slot.
  public var isEmpty: Bool { runs.isEmpty }

  /// How many slots there are.
  ///
  /// O(runs).
  public var count: Int { runs.reduce(0) { $0 + $1.count } }

  /// Whether a slot is in the set.
  ///
  /// O(log runs).
  public func contains(_ slot: Slot) -> Bool {
    var low = 0
    var high = runs.count
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].upperBound < slot { low = middle + 1 } else { high = middle }
    }
    return low < runs.count && runs[low].lowerBound <= slot
  }

  /// Adds the slots of a run.
  ///
  /// O(runs).
  public mutating func insert(_ run: ClosedRange<Slot>) {
    var merged = run
    var others: [ClosedRange<Slot>] = []
    for other in runs {
      let touches =
        other.lowerBound.index <= merged.upperBound.index + 1
        && merged.lowerBound.index <= other.upperBound.index + 1
      if touches {
        merged =
          min(other.lowerBound, merged.lowerBound)...max(other.upperBound, merged.upperBound)
      } else {
        others.append(other)
      }
    }
    let place = others.firstIndex { merged.upperBound < $0.lowerBound } ?? others.endIndex
    others.insert(merged, at: place)
    runs = others
  }

  /// Adds the slots of another set.
  ///
  /// O(runs x runs).
  public mutating func formUnion(_ other: SlotSet) {
    for run in other.runs { insert(run) }
  }
}
