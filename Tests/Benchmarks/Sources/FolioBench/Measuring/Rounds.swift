import Foundation

/// What several rounds of two sides came to, the sides alternating within one run.
struct Rounds {
  /// The time of each round, in nanoseconds for one unit of work.
  var ours: [Double] = []
  var peer: [Double] = []

  /// How many times as fast as the peer, round by round.
  var ratios: [Double] { zip(ours, peer).map { $1 / $0 } }

  /// Measures `count` rounds after one that does not count.
  ///
  /// The side that goes first changes with each round, so that neither always finds what the other
  /// left in the caches.
  static func alternating(
    _ count: Int, ours: () throws -> Double, peer: () throws -> Double
  ) rethrows -> Rounds {
    var rounds = Rounds()
    _ = try ours()
    _ = try peer()
    for round in 0..<count {
      if round.isMultiple(of: 2) {
        rounds.ours.append(try ours())
        rounds.peer.append(try peer())
      } else {
        rounds.peer.append(try peer())
        rounds.ours.append(try ours())
      }
    }
    return rounds
  }
}

extension [Double] {
  /// The middle value, or the mean of the two in the middle.
  var median: Double {
    guard !isEmpty else { return .nan }
    let sorted = self.sorted()
    let middle = count / 2
    return count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }

  var spread: ClosedRange<Double> {
    guard let least = self.min(), let most = self.max() else { return 0...0 }
    return least...most
  }
}

/// Nanoseconds of a clock of the system.
enum Stopwatch {
  /// The time that passed, whoever had the processor.
  static func wall() -> Int64 { read(CLOCK_MONOTONIC) }

  /// The time that this thread had a processor: for work that does nothing but compute, so that
  /// what else runs on the machine counts for neither side.
  static func processor() -> Int64 { read(CLOCK_THREAD_CPUTIME_ID) }

  /// Nanoseconds of processor time for one of `count` calls of `work`.
  static func processor(_ count: Int, _ work: () throws -> Void) rethrows -> Double {
    let begin = processor()
    for _ in 0..<count { try work() }
    return Double(processor() - begin) / Double(count)
  }

  /// The seconds of processor time of all processes that this one started and that have ended.
  static func children() -> Double {
    var usage = rusage()
    getrusage(RUSAGE_CHILDREN.rawValue, &usage)
    let micros = usage.ru_utime.tv_usec + usage.ru_stime.tv_usec
    return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) + Double(micros) / 1e6
  }

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
