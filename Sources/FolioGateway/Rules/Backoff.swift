package import FolioDomain

/// How long to wait before connecting again: from half a second, doubling to a minute, with full
/// jitter; and when to stop.
package struct Backoff: Sendable {
  /// The bound of the first wait, in milliseconds.
  package static let firstMilliseconds: Int64 = 500
  /// The bound of every wait, in milliseconds.
  package static let lastMilliseconds: Int64 = 60_000

  /// How many attempts in a row may end without progress; nil without a bound.
  package var attemptsMax: Int?
  /// Attempts in a row that ended without progress.
  package private(set) var failedAttempts = 0

  /// Starts with no attempt made.
  package init(attemptsMax: Int?) { self.attemptsMax = attemptsMax }

  /// Notes that something durable came of an attempt.
  ///
  /// A login alone is no progress.
  package mutating func noteProgress() { failedAttempts = 0 }

  /// Notes an attempt that ended early, and says how long to wait before the next.
  ///
  /// - Parameters:
  ///   - retryAfter: What the server asked for, in milliseconds; never undercut.
  ///   - isLongest: Whether to wait the whole of the longest wait, since the error is of no known class.
  /// - Returns: Milliseconds to wait, or nil where the bound on attempts is reached.
  package mutating func next(
    retryAfter: Int64? = nil, isLongest: Bool = false, random: some RandomSource
  ) -> Int64? {
    failedAttempts += 1
    if let attemptsMax, failedAttempts >= attemptsMax { return nil }
    if isLongest { return max(Self.lastMilliseconds, retryAfter ?? 0) }
    let doublings = min(failedAttempts - 1, 7)
    let bound = min(Self.firstMilliseconds << doublings, Self.lastMilliseconds)
    let wait = Int64(random.next() % UInt64(bound + 1))
    return max(wait, retryAfter ?? 0)
  }
}
