public import FolioDomain

/// The system's wall clock.
public struct SystemClock: WallClock {
  /// The clock; all instances tell the same time.
  public init() {}

  /// The present moment by this clock.
  public func now() -> Timestamp {
    // Whole milliseconds, cut: the system has no moments before 1970 to round the other way.
    Timestamp(milliseconds: systemWallNanoseconds() / 1_000_000)
  }
}

/// A wall clock that was set to a given moment when it was made and runs on from there.
public struct OffsetClock: WallClock {
  /// The moment that the clock told first.
  public let start: Timestamp
  private let startedAt: MonotonicTime
  private let monotonic: any MonotonicClock

  /// A clock that tells `start` now, and then as much more as `monotonic` moves on.
  public init(startingAt start: Timestamp, monotonic: any MonotonicClock = SystemMonotonicClock()) {
    self.start = start
    self.monotonic = monotonic
    startedAt = monotonic.now()
  }

  /// The present moment by this clock.
  public func now() -> Timestamp {
    let elapsed = (monotonic.now() - startedAt).wholeMilliseconds
    return Timestamp(milliseconds: start.milliseconds.addingClamped(elapsed))
  }
}

extension Int64 {
  fileprivate func addingClamped(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }
}
