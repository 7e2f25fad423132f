/// Six hours of UTC, starting at 00, 06, 12 or 18: the unit of snapshots and price tables.
///
/// `Slot` n holds the moments from n x 21,600,000 ms up to, and without, the start of the next.
public struct Slot: Hashable, Sendable {
  /// The length of a slot in milliseconds; a constant of version 1.
  public static let milliseconds: Int64 = 21_600_000

  /// How many slots after the one that starts at 1970-01-01T00:00:00Z.
  public var index: Int64

  /// The slot of that index.
  public init(index: Int64) {
    self.index = index
  }

  /// The slot that `time` falls in.
  ///
  /// O(1).
  public init(containing time: Timestamp) {
    let (quotient, remainder) = time.milliseconds.quotientAndRemainder(
      dividingBy: Self.milliseconds)
    index = remainder < 0 ? quotient - 1 : quotient
  }

  /// The moment the slot begins; for an index that no moment has, the first or last moment.
  public var start: Timestamp {
    let (product, overflow) = index.multipliedReportingOverflow(by: Self.milliseconds)
    return Timestamp(milliseconds: overflow ? (index < 0 ? .min : .max) : product)
  }
}

extension Slot: Comparable {
  /// Whether `a` comes before `b`.
  public static func < (a: Slot, b: Slot) -> Bool { a.index < b.index }
}

extension Slot: Strideable {
  /// How many steps away the other is.
  public func distance(to other: Slot) -> Int { Int(other.index - index) }
  /// The one that many steps away.
  public func advanced(by n: Int) -> Slot { Slot(index: index + Int64(n)) }
}
