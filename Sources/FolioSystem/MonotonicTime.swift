/// A moment of a clock that never steps: nanoseconds since a start that means nothing by itself.
///
/// Deadlines and timers are in this time, whatever happens to the wall clock.
public struct MonotonicTime: Hashable, Sendable {
  /// Nanoseconds since the clock's start.
  public var nanoseconds: Int64

  /// The moment that many nanoseconds after the clock's start.
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// A moment that no clock reaches: a deadline that does not pass.
  public static let distantFuture = MonotonicTime(nanoseconds: .max)

  /// The moment `duration` later, or the last or first that can be told.
  ///
  /// - Complexity: O(1).
  public static func + (time: MonotonicTime, duration: Duration) -> MonotonicTime {
    let (sum, overflow) = time.nanoseconds.addingReportingOverflow(duration.wholeNanoseconds)
    if overflow {
      return MonotonicTime(nanoseconds: duration < .zero ? .min : .max)
    }
    return MonotonicTime(nanoseconds: sum)
  }

  /// The time from `b` to `a`; negative where `a` is the earlier.
  ///
  /// - Complexity: O(1).
  public static func - (a: MonotonicTime, b: MonotonicTime) -> Duration {
    .nanoseconds(Int128(a.nanoseconds) - Int128(b.nanoseconds))
  }
}

extension MonotonicTime: Comparable {
  /// Whether `a` comes before `b`.
  public static func < (a: MonotonicTime, b: MonotonicTime) -> Bool {
    a.nanoseconds < b.nanoseconds
  }
}

extension Duration {
  /// Nanoseconds, cut toward zero; the greatest or least Int64 where the duration is beyond it.
  public var wholeNanoseconds: Int64 {
    Int64(clamping: attoseconds / 1_000_000_000)
  }

  /// Milliseconds, cut toward zero; the greatest or least Int64 where the duration is beyond it.
  public var wholeMilliseconds: Int64 {
    Int64(clamping: attoseconds / 1_000_000_000_000_000)
  }

  private static func nanoseconds(_ count: Int128) -> Duration {
    Duration(attoseconds: count * 1_000_000_000)
  }
}

/// A clock that never steps, passed in so that a test or a simulation moves time itself.
public protocol MonotonicClock: Sendable {
  /// The present moment; never before one told earlier.
  func now() -> MonotonicTime
}

/// The system's own monotonic clock.
public struct SystemMonotonicClock: MonotonicClock {
  /// The clock; all instances tell the same time.
  public init() {}

  /// The present moment.
  public func now() -> MonotonicTime {
    MonotonicTime(nanoseconds: systemMonotonicNanoseconds())
  }
}
