#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension UnsafeRawBufferPointer {
  /// Whether these bytes come before `other` in the engine's order.
  @inline(__always)
  func isBelow(_ other: borrowing [UInt8]) -> Bool {
    guard !other.isEmpty else { return false }
    guard let start = baseAddress else { return true }
    let order = unsafe other.withUnsafeBytes { other in
      guard let otherStart = other.baseAddress else { return Int32(0) }
      return unsafe memcmp(start, otherStart, Swift.min(count, other.count))
    }
    return order != 0 ? order < 0 : count < other.count
  }

  /// Whether these bytes come before `other` in the engine's order.
  func isBelow(_ other: UnsafeRawBufferPointer) -> Bool {
    guard let otherStart = other.baseAddress, other.count > 0 else { return false }
    guard let start = baseAddress else { return true }
    let order = unsafe memcmp(start, otherStart, Swift.min(count, other.count))
    return order != 0 ? order < 0 : count < other.count
  }

  /// Whether these bytes begin with `prefix`.
  @inline(__always)
  func starts(withBytes prefix: borrowing [UInt8]) -> Bool {
    guard count >= prefix.count else { return false }
    guard let start = baseAddress else { return true }
    return unsafe prefix.withUnsafeBytes { prefix in
      guard let prefixStart = prefix.baseAddress else { return true }
      return unsafe memcmp(start, prefixStart, prefix.count) == 0
    }
  }
}
