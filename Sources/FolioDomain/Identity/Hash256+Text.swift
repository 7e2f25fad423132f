extension Hash256 {
  /// The hash of 64 lower-case hexadecimal digits.
  public init(_ text: String) throws(IdentityError) {
    var text = text
    guard let hash = text.withUTF8({ Hash256(utf8: UnsafeRawBufferPointer($0)) }) else {
      throw .hexadecimal(digitCount: 64)
    }
    self = hash
  }

  /// The hash of 64 lower-case hexadecimal digits in UTF-8, or nil.
  ///
  /// O(1), without allocation.
  public init?(utf8 bytes: UnsafeRawBufferPointer) {
    guard bytes.count == 64, let a = Hexadecimal.word(bytes, at: 0),
      let b = Hexadecimal.word(bytes, at: 16), let c = Hexadecimal.word(bytes, at: 32),
      let d = Hexadecimal.word(bytes, at: 48)
    else { return nil }
    self.init(words: (a, b, c, d))
  }

  /// The hash of exactly 32 bytes, or nil.
  ///
  /// O(1), without allocation.
  public init?(bytes: UnsafeRawBufferPointer) {
    guard bytes.count == 32 else { return nil }
    self.init(
      words: (
        UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
        UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)),
        UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self)),
        UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 24, as: UInt64.self))
      ))
  }

  /// The hash of exactly 32 bytes, or nil.
  public init?(_ bytes: [UInt8]) {
    guard let hash = bytes.withUnsafeBytes({ Hash256(bytes: $0) }) else { return nil }
    self = hash
  }

  /// The 32 bytes.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(32)
    append(to: &bytes)
    return bytes
  }

  /// Appends the 32 bytes.
  ///
  /// O(1).
  public func append(to bytes: inout [UInt8]) {
    let bigEndian = (
      words.0.bigEndian, words.1.bigEndian, words.2.bigEndian, words.3.bigEndian
    )
    withUnsafeBytes(of: bigEndian) { bytes.append(contentsOf: $0) }
  }

  /// Thirty-two new random bytes.
  public init(random source: some RandomSource) {
    self.init(words: (source.next(), source.next(), source.next(), source.next()))
  }

  /// The hash as 64 lower-case hexadecimal digits.
  public var text: String {
    var bytes: [UInt8] = []
    appendText(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the text in UTF-8.
  ///
  /// O(1).
  public func appendText(to bytes: inout [UInt8]) {
    Hexadecimal.append(words.0, to: &bytes)
    Hexadecimal.append(words.1, to: &bytes)
    Hexadecimal.append(words.2, to: &bytes)
    Hexadecimal.append(words.3, to: &bytes)
  }
}

extension Hash256: Comparable {
  /// Whether `a` comes before `b`.
  public static func < (a: Hash256, b: Hash256) -> Bool {
    a.words < b.words
  }
}

extension Hash256: CustomStringConvertible {
  /// The text form.
  public var description: String { text }
}

extension AccountID: CustomStringConvertible {
  /// The account of 64 lower-case hexadecimal digits.
  public init(_ text: String) throws(IdentityError) { self.init(try Hash256(text)) }

  /// A new account's.
  public init(random source: some RandomSource) { self.init(Hash256(random: source)) }

  /// The id as 64 lower-case hexadecimal digits.
  public var text: String { value.text }

  /// The text form.
  public var description: String { text }
}
