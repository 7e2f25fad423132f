#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension RawSpan {
  /// A copy of the bytes.
  public var copied: [UInt8] {
    unsafe withUnsafeBytes { unsafe [UInt8]($0) }
  }

  /// Whether both have the same bytes.
  ///
  /// - Complexity: O(*n*).
  public func isEqual(to other: RawSpan) -> Bool {
    guard byteCount == other.byteCount else { return false }
    return unsafe withUnsafeBytes { bytes in
      unsafe other.withUnsafeBytes { other in
        guard let start = bytes.baseAddress, let otherStart = other.baseAddress else { return true }
        return unsafe memcmp(start, otherStart, bytes.count) == 0
      }
    }
  }

  /// The text whose UTF-8 those bytes are; nil where they are none, or not all there.
  ///
  /// - Complexity: O(*n*); texts of ASCII, which nearly all are, are looked at eight bytes a step.
  public func text(_ range: Range<Int>) -> String? {
    guard range.lowerBound >= 0, range.upperBound <= byteCount else { return nil }
    return unsafe withUnsafeBytes { bytes in
      let text = unsafe UnsafeRawBufferPointer(rebasing: bytes[range])
      if unsafe text.isASCII {
        // Those of up to 15 bytes stand in the String itself.
        if text.count > 15 { return unsafe String(decoding: text, as: UTF8.self) }
        return unsafe String(unsafeUninitializedCapacity: text.count) { buffer in
          unsafe UnsafeMutableRawBufferPointer(buffer).copyMemory(from: text)
          return text.count
        }
      }
      return unsafe String(validating: text, as: UTF8.self)
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Whether no byte is above 127.
  fileprivate var isASCII: Bool {
    var offset = 0
    while offset + 8 <= count {
      let word = unsafe loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      if word & 0x8080_8080_8080_8080 != 0 { return false }
      offset += 8
    }
    while offset < count {
      if unsafe self[offset] > 127 { return false }
      offset += 1
    }
    return true
  }
}

extension Array where Element == UInt8 {
  /// A view of the bytes.
  var raw: RawSpan {
    @_lifetime(borrow self)
    get { unsafe span.bytes }
  }
}
