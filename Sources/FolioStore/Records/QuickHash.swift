extension RawSpan {
  /// A hash for tables that are small and bounded, where strangers' keys can do no harm.
  ///
  /// The hash that dictionaries use takes more time than reading what is looked up.
  @inline(__always)
  var quickHash: UInt64 {
    var hash = UInt64(byteCount)
    var offset = 0
    while offset + 8 <= byteCount {
      hash = Self.mix(
        hash, unsafe unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self))
      offset += 8
    }
    var rest: UInt64 = 0
    while offset < byteCount {
      let byte = unsafe unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self)
      rest = rest << 8 | UInt64(byte)
      offset += 1
    }
    return Self.mix(hash, rest)
  }

  /// Both halves of the product count, so that each bit of a word tells on the lowest.
  @inline(__always)
  private static func mix(_ hash: UInt64, _ word: UInt64) -> UInt64 {
    let (high, low) = (hash ^ word ^ 0x9e37_79b9_7f4a_7c15).multipliedFullWidth(
      by: 0xbf58_476d_1ce4_e5b9)
    return high ^ low
  }
}
