extension RawSpan {
  /// A copy of the bytes.
  public var copied: [UInt8] {
    unsafe withUnsafeBytes { unsafe [UInt8]($0) }
  }

  /// Whether both have the same bytes.
  ///
  /// - Complexity: O(*n*), eight bytes a step.
  @inlinable
  public func isEqual(to other: RawSpan) -> Bool {
    guard byteCount == other.byteCount else { return false }
    guard byteCount >= 8 else {
      for offset in 0..<byteCount {
        let byte = unsafe unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self)
        if unsafe other.unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self) != byte {
          return false
        }
      }
      return true
    }
    // The last word goes over bytes of the one before it.
    let last = byteCount - 8
    var offset = 0
    while offset < last {
      if !hasEqualWord(other, offset) { return false }
      offset += 8
    }
    return hasEqualWord(other, last)
  }

  @inlinable
  func hasEqualWord(_ other: RawSpan, _ offset: Int) -> Bool {
    word(at: offset) == other.word(at: offset)
  }

  /// The text whose UTF-8 those bytes are; nil where they are none, or not all there.
  ///
  /// - Complexity: O(*n*); texts of ASCII, which nearly all are, are looked at eight bytes a step.
  public func text(_ range: Range<Int>) -> String? {
    guard range.lowerBound >= 0, range.upperBound <= byteCount else { return nil }
    let bytes = Span<UInt8>(_bytes: extracting(range))
    if unsafe bytes.bytes.isASCII {
      return unsafe String(copying: UTF8Span(unchecked: bytes, isKnownASCII: true))
    }
    guard let text = try? UTF8Span(validating: bytes) else { return nil }
    return String(copying: text)
  }

  /// Whether no byte is above 127.
  @inline(__always)
  private var isASCII: Bool {
    let high: UInt64 = 0x8080_8080_8080_8080
    guard byteCount >= 8 else {
      var bits: UInt8 = 0
      for offset in 0..<byteCount {
        bits |= unsafe unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self)
      }
      return bits < 128
    }
    // The last word goes over bytes of the one before it.
    let last = byteCount - 8
    var bits = unsafe unsafeLoadUnaligned(fromUncheckedByteOffset: last, as: UInt64.self)
    var offset = 0
    while offset < last {
      bits |= unsafe unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self)
      offset += 8
    }
    return bits & high == 0
  }
}

extension Array where Element == UInt8 {
  /// A view of the bytes.
  var raw: RawSpan {
    @_lifetime(borrow self)
    get { unsafe span.bytes }
  }
}
