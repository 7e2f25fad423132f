internal import FolioDomain

/// Writes the members of a record one behind another, small numbers in few bytes.
///
/// `RecordReader` reads them back in the same order. A record carries no names of its members: what
/// it holds is said by its space and the store's format version.
struct RecordWriter {
  /// The bytes written.
  private(set) var bytes: [UInt8] = []

  init(reserving byteCount: Int = 64) {
    bytes.reserveCapacity(byteCount)
  }

  mutating func append(_ value: UInt8) {
    bytes.append(value)
  }

  /// Seven bits a byte, the least first; the high bit says that more follow.
  mutating func append(varint value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// How many bytes a number takes so.
  static func byteCount(varint value: UInt64) -> Int {
    max(1, (UInt64.bitWidth - value.leadingZeroBitCount + 6) / 7)
  }

  /// Two bytes, the least first.
  mutating func append(_ value: UInt16) {
    bytes.append(UInt8(truncatingIfNeeded: value))
    bytes.append(UInt8(value >> 8))
  }

  /// Numbers of at most 56 bits, each in as many bits as `width` says, the least first; what is left of
  /// the last byte is 0.
  mutating func append(packed values: [UInt64], width: Int) {
    var bits: UInt64 = 0
    var count = 0
    for value in values {
      bits |= value << UInt64(count)
      count += width
      while count >= 8 {
        bytes.append(UInt8(truncatingIfNeeded: bits))
        bits >>= 8
        count -= 8
      }
    }
    if count > 0 { bytes.append(UInt8(truncatingIfNeeded: bits)) }
  }

  /// A signed number whose sign is in its lowest bit, so that small ones of either sign are short.
  mutating func append(signed value: Int64) {
    append(varint: UInt64(bitPattern: (value << 1) ^ (value >> 63)))
  }

  mutating func append(_ value: UInt128) {
    unsafe withUnsafeBytes(of: value.bigEndian) { unsafe bytes.append(contentsOf: $0) }
  }

  mutating func append(_ value: Hash256) {
    let words = value.words
    append(word: words.0)
    append(word: words.1)
    append(word: words.2)
    append(word: words.3)
  }

  private mutating func append(word: UInt64) {
    unsafe withUnsafeBytes(of: word.bigEndian) { unsafe bytes.append(contentsOf: $0) }
  }

  mutating func append(_ value: Timestamp) {
    append(signed: value.milliseconds)
  }

  mutating func append(_ value: Slot) {
    append(signed: value.index)
  }

  /// As many bytes as the number needs in two's complement, with their count before them.
  mutating func append(_ value: Int256) {
    let sign = value.high >> 127
    let high = UInt128(bitPattern: value.high ^ sign)
    let low = value.low ^ UInt128(bitPattern: sign)
    let unused = high == 0 ? 128 + low.leadingZeroBitCount : high.leadingZeroBitCount
    // The highest byte kept has to show the sign.
    let count = value.isZero ? 0 : (256 - unused) / 8 + 1
    bytes.append(UInt8(count))
    let words = (value.low.littleEndian, UInt128(bitPattern: value.high).littleEndian)
    unsafe withUnsafeBytes(of: words) {
      unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: $0[..<count]))
    }
  }

  mutating func append(_ value: Price) {
    append(varint: UInt64(value.mantissa))
    bytes.append(value.scale)
  }

  mutating func append(text: String) {
    append(varint: UInt64(text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }

  mutating func append(counted value: [UInt8]) {
    append(varint: UInt64(value.count))
    bytes.append(contentsOf: value)
  }

  /// The rest of the record, whose length is the record's to tell.
  mutating func append(rest value: [UInt8]) {
    bytes.append(contentsOf: value)
  }

  mutating func append(_ value: Bool) {
    bytes.append(value ? 1 : 0)
  }

  mutating func append<T, E: Error>(
    _ value: T?, _ write: (inout RecordWriter, T) throws(E) -> Void
  ) throws(E) {
    append(value != nil)
    if let value { try write(&self, value) }
  }

  mutating func append(_ key: AssetKey) {
    append(text: key.type.text)
    append(text: key.id.text)
  }

  mutating func append(_ category: Category) {
    append(text: category.key.text)
    // Most spellings are their own folded form, or differ from it only in case.
    append(text: category.spelling.text)
  }

  mutating func append(_ stamp: Stamp) {
    append(stamp.effectiveAt)
    append(stamp.device.value)
    append(varint: stamp.deviceSequence)
    append(varint: UInt64(stamp.index))
  }

  mutating func append(_ position: LogPosition) {
    append(varint: position.seq)
    append(position.hash)
  }
}
