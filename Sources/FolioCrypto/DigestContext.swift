internal import CCrypto
internal import FolioDomain
internal import Synchronization

/// The algorithm as OpenSSL hands it out; looking it up costs more than hashing a short text.
private struct Algorithm: @unchecked Sendable {
  // Never freed and never changed, so that every thread may use it.
  let pointer: OpaquePointer

  static let sha256 = Algorithm()

  private init() {
    guard let fetched = EVP_MD_fetch(nil, "SHA256", nil) else {
      fatalError("this libcrypto has no SHA-256")
    }
    pointer = fetched
  }
}

/// One EVP context, always between a start and a finish.
///
/// The owner sees to it that one thread at a time uses it: `SHA256` copies before it changes a
/// shared one, and `DigestPool` hands each to one caller.
final class DigestContext: @unchecked Sendable {
  private let pointer: OpaquePointer

  init() {
    pointer = Self.allocate()
    check(EVP_DigestInit_ex2(pointer, Algorithm.sha256.pointer, nil))
  }

  init(copying other: DigestContext) {
    pointer = Self.allocate()
    check(EVP_MD_CTX_copy_ex(pointer, other.pointer))
  }

  deinit {
    EVP_MD_CTX_free(pointer)
  }

  private static func allocate() -> OpaquePointer {
    guard let pointer = EVP_MD_CTX_new() else {
      fatalError("libcrypto has no memory for a digest")
    }
    return pointer
  }

  func update(_ bytes: UnsafeRawBufferPointer) {
    check(EVP_DigestUpdate(pointer, bytes.baseAddress, bytes.count))
  }

  func finalize() -> Hash256 {
    var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    withUnsafeMutableBytes(of: &words) { buffer in
      check(
        EVP_DigestFinal_ex(
          pointer, buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), nil))
    }
    // Without an algorithm named it keeps the one it has, which is the quick way.
    check(EVP_DigestInit_ex2(pointer, nil, nil))
    return Hash256(
      words: (
        UInt64(bigEndian: words.0), UInt64(bigEndian: words.1), UInt64(bigEndian: words.2),
        UInt64(bigEndian: words.3)
      ))
  }
}

/// Contexts that wait for the next one-shot hash.
final class DigestPool: Sendable {
  static let shared = DigestPool()
  /// As many as threads may hash at once; more are freed when they come back.
  private static let countMax = 64
  private let contexts = Mutex<[DigestContext]>([])

  func take() -> DigestContext {
    contexts.withLock { $0.popLast() } ?? DigestContext()
  }

  func give(_ context: DigestContext) {
    contexts.withLock { contexts in
      if contexts.count < Self.countMax { contexts.append(context) }
    }
  }
}

/// A digest that fails without a reason of its own has lost its memory; no hash can be trusted then.
private func check(_ result: Int32) {
  if result != 1 { fatalError("libcrypto failed to hash") }
}
