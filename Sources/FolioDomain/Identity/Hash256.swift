/// A SHA-256 value: 32 bytes, compared and written as such.
public struct Hash256: Hashable, Sendable {
  /// The bytes as four big-endian words, so that comparing words compares bytes.
  public var words: (UInt64, UInt64, UInt64, UInt64)

  /// The hash of those big-endian words, first bytes first.
  public init(words: (UInt64, UInt64, UInt64, UInt64)) {
    self.words = words
  }

  /// Thirty-two zero bytes.
  public static let zero = Hash256(words: (0, 0, 0, 0))

  /// Whether both are the same.
  public static func == (a: Hash256, b: Hash256) -> Bool {
    a.words.0 == b.words.0 && a.words.1 == b.words.1 && a.words.2 == b.words.2
      && a.words.3 == b.words.3
  }

  /// Hashes what equality compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(words.0)
    hasher.combine(words.1)
    hasher.combine(words.2)
    hasher.combine(words.3)
  }
}

/// A running SHA-256, passed in where the domain writes canonical bytes that are to be hashed.
public protocol HashFunction {
  /// Starts with nothing hashed.
  init()
  /// Adds bytes.
  mutating func update(_ bytes: UnsafeRawBufferPointer)
  /// The hash of all bytes added; the function starts anew.
  mutating func finalize() -> Hash256
  /// The hash of `bytes`; a function that is dear to begin does better here than one anew each time.
  static func hash(of bytes: UnsafeRawBufferPointer) -> Hash256
}

extension HashFunction {
  /// The hash of `bytes`, by a function of their own.
  public static func hash(of bytes: UnsafeRawBufferPointer) -> Hash256 {
    var function = Self()
    function.update(bytes)
    return function.finalize()
  }
}
