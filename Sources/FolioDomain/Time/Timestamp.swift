/// A moment: whole milliseconds since 1970-01-01T00:00:00Z.
///
/// There is no local time below the user interface.
public struct Timestamp: Hashable, Sendable {
  /// Milliseconds since 1970-01-01T00:00:00Z; negative before it.
  public var milliseconds: Int64

  /// The moment that many milliseconds after 1970-01-01T00:00:00Z.
  public init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }
}

extension Timestamp: Comparable {
  /// Whether `a` comes before `b`.
  public static func < (a: Timestamp, b: Timestamp) -> Bool { a.milliseconds < b.milliseconds }
}
