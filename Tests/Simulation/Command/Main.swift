import Simulation
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Runs courses of the simulation, and prints the seed of each that breaks a promise.
///
///     folio-simulate [--seeds COUNT] [--first SEED] [--seed SEED] [--flaw NAME]
///
/// With `--seed` one course is run and told in lines. Ends with 1 where a course failed.
@main
struct Main {
  static func main() async {
    let words = CommandLine.arguments.dropFirst()
    guard let options = Options(Array(words)) else {
      print("usage: folio-simulate [--seeds COUNT] [--first SEED] [--seed SEED] [--flaw NAME]")
      exit(64)
    }
    if let seed = options.seed {
      exit(tell(Course(seed: seed, flaw: options.flaw, tellsStory: true)) ? 0 : 1)
    }
    exit(await runAll(options) ? 0 : 1)
  }

  /// Runs one course and prints what happened.
  private static func tell(_ course: Course) -> Bool {
    let verdict = course.run()
    for line in verdict.story { print(line) }
    print(verdict.failure.map { "FAILED: \($0)" } ?? "all that is promised holds")
    print("digest \(verdict.digest), \(verdict.counts)")
    return verdict.failure == nil
  }

  /// Runs all courses, two at a time.
  private static func runAll(_ options: Options) async -> Bool {
    let clock = ContinuousClock()
    let start = clock.now
    let tally = Tally()
    await withTaskGroup { group in
      for _ in 0..<2 {
        group.addTask {
          while true {
            let index = tally.next.add(1, ordering: .relaxed).oldValue
            if index >= options.count { return }
            let seed = options.first &+ UInt64(index)
            let verdict = Course(seed: seed, flaw: options.flaw).run()
            tally.total.withLock { $0.add(verdict, seed) }
          }
        }
      }
    }
    let seconds = max(0.001, (clock.now - start) / .seconds(1))
    return tally.total.withLock { total in
      print(
        """
        \(options.count) seeds from \(options.first), \(total.failed) failed, \
        \(Int(Double(options.count) / seconds)) a second; digest \(total.digest)
        \(total.counts)
        """)
      return total.failed == 0
    }
  }
}

/// What the words of the command line say.
private struct Options {
  var count = 2_000
  var first = UInt64.random(in: 1...(1 << 48))
  var seed: UInt64?
  var flaw: Flaw?

  init?(_ words: [String]) {
    var words = words[...]
    while let name = words.popFirst() {
      guard let value = words.popFirst() else { return nil }
      switch name {
      case "--seeds":
        guard let number = Int(value) else { return nil }
        count = number
      case "--first":
        guard let number = UInt64(value) else { return nil }
        first = number
      case "--seed":
        guard let number = UInt64(value) else { return nil }
        seed = number
      case "--flaw":
        guard let flaw = Flaw(rawValue: value) else { return nil }
        self.flaw = flaw
      default: return nil
      }
    }
  }
}

/// Which course is next, and what those so far came to.
private final class Tally: Sendable {
  let next = Atomic<Int>(0)
  let total = Mutex(Total())
}

/// What all courses so far came to.
private struct Total: Sendable {
  var failed = 0
  var digest: UInt64 = 0
  var counts = Counts()

  mutating func add(_ verdict: Verdict, _ seed: UInt64) {
    // A sum, since courses end in any order.
    digest &+= verdict.digest
    counts.add(verdict.counts)
    guard let failure = verdict.failure else { return }
    failed += 1
    if failed <= 20 { print("seed \(seed) FAILED: \(failure)\n  make simulate SEED=\(seed)") }
  }
}
