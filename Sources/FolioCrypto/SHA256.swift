internal import CCrypto
public import FolioDomain

/// SHA-256, by OpenSSL's EVP.
///
/// The algorithm is fetched once in a process, and a function that has given its hash is used
/// again for the next: keep one where many are needed. A value has value semantics: a copy goes on
/// by itself from where the original stood.
public struct SHA256: HashFunction, Sendable {
  private var context: DigestContext

  /// Starts with nothing hashed.
  public init() {
    context = DigestContext()
  }

  /// Adds bytes.
  ///
  /// - Complexity: O(n) in their number.
  public mutating func update(_ bytes: UnsafeRawBufferPointer) {
    makeUnique()
    context.update(bytes)
  }

  /// The hash of all bytes added; the function starts anew.
  public mutating func finalize() -> Hash256 {
    makeUnique()
    return context.finalize()
  }

  private mutating func makeUnique() {
    if !isKnownUniquelyReferenced(&context) {
      context = DigestContext(copying: context)
    }
  }
}

extension SHA256 {
  /// The hash of `bytes`, by a context that is kept for the next such call.
  ///
  /// - Complexity: O(n) in their number; for 64 bytes a fraction of a microsecond.
  public static func hash(of bytes: UnsafeRawBufferPointer) -> Hash256 {
    let context = DigestPool.shared.take()
    context.update(bytes)
    let hash = context.finalize()
    DigestPool.shared.give(context)
    return hash
  }

  /// The hash of `bytes`, by a context that is kept for the next such call.
  ///
  /// - Complexity: O(n) in their number; for 64 bytes a fraction of a microsecond.
  public static func hash(of bytes: [UInt8]) -> Hash256 {
    bytes.withUnsafeBytes { hash(of: $0) }
  }

  /// The hash of the UTF-8 bytes of `text`.
  ///
  /// - Complexity: O(n) in their number.
  public static func hash(ofUTF8 text: String) -> Hash256 {
    var text = text
    return text.withUTF8 { hash(of: UnsafeRawBufferPointer($0)) }
  }
}
