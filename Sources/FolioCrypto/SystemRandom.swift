public import FolioDomain
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Cryptographically secure randomness, from the system's generator.
///
/// Not from that of libcrypto, which takes a program longer to set up than a list of what is held
/// takes it to show.
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
  /// As many as the system gives at once: 256 bytes.
  private static let wordCount = 32
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
      guard let start = bytes.baseAddress, getentropy(start, bytes.count) == 0 else {
        fatalError("the system has no randomness")
      }
    }
    usedCount = 0
  }
}
