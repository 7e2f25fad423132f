internal import CCrypto
public import FolioDomain
internal import Synchronization

/// Cryptographically secure randomness, from libcrypto's generator.
///
/// Any number of threads may draw from one source. Bits are drawn in blocks, and each is wiped as
/// it is given out.
public final class SystemRandom: RandomSource {
  private let buffer = Mutex(RandomBuffer())

  /// A source with a buffer of its own.
  public init() {}

  /// The next 64 random bits.
  ///
  /// The process ends where the system has no randomness: nothing may go on with guessable ids.
  public func next() -> UInt64 {
    buffer.withLock { $0.next() }
  }
}

private struct RandomBuffer {
  private static let wordCount = 64
  private var words = [UInt64](repeating: 0, count: wordCount)
  private var usedCount = wordCount

  mutating func next() -> UInt64 {
    if usedCount == Self.wordCount { refill() }
    let word = words[usedCount]
    words[usedCount] = 0
    usedCount += 1
    return word
  }

  private mutating func refill() {
    words.withUnsafeMutableBytes { bytes in
      let base = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
      if RAND_bytes(base, Int32(bytes.count)) != 1 {
        fatalError("libcrypto has no randomness")
      }
    }
    usedCount = 0
  }
}
