public import FolioDomain
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Random numbers that a printed seed brings back (SplitMix64).
public struct SeededRandom: RandomNumberGenerator, Sendable {
  /// What the numbers follow from.
  public let seed: UInt64
  private var state: UInt64

  /// Numbers that follow from `seed`.
  public init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  /// Numbers of a test of that name, whose seed is printed.
  ///
  /// The seed is new each time, and the one in the environment's `FOLIO_SEED` where there is one.
  public init(_ test: String = #function) {
    let given = getenv("FOLIO_SEED").flatMap { UInt64(String(cString: $0)) }
    self.init(seed: given ?? UInt64.random(in: 0 ... .max))
    print("seed of \(test): FOLIO_SEED=\(seed)")
  }

  /// The next 64 bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  /// A number of the range.
  public mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

  /// True once in `count` times.
  public mutating func one(in count: Int) -> Bool { int(1...count) == 1 }

  /// An element.
  public mutating func pick<C: Collection>(_ elements: C) -> C.Element {
    guard let element = elements.randomElement(using: &self) else {
      fatalError("nothing to pick from")
    }
    return element
  }
}

/// Identities that a seed brings back, for everything that takes a source of randomness.
public final class SeededSource: RandomSource {
  private let random: Mutex<SeededRandom>

  /// A source that follows from `seed`.
  public init(seed: UInt64) { random = Mutex(SeededRandom(seed: seed)) }

  /// The next 64 bits.
  public func next() -> UInt64 { random.withLock { $0.next() } }
}

/// A wall clock that stands where a test puts it.
public final class ManualClock: WallClock {
  private let time: Mutex<Timestamp>

  /// A clock that stands at `time`.
  public init(_ time: Timestamp) { self.time = Mutex(time) }

  /// The moment it stands at.
  public func now() -> Timestamp { time.withLock { $0 } }

  /// Puts it to `time`.
  public func set(_ time: Timestamp) { self.time.withLock { $0 = time } }

  /// Moves it on by that many milliseconds, or back.
  public func advance(milliseconds: Int64) {
    time.withLock { $0 = $0.adding(milliseconds: milliseconds) }
  }
}
