internal import FolioDomain
internal import LMDB

/// Reads the members of a record in the order `RecordWriter` wrote them.
///
/// Every read is checked against the record's end: a record that is not what its space should hold
/// gives an error and no wrong value.
struct RecordReader: ~Escapable {
  private let span: RawSpan
  private let space: String
  private var offset = 0

  /// A reader at the first byte of a record of `space`.
  @_lifetime(copy span)
  init(_ span: RawSpan, of space: String) {
    self.span = span
    self.space = space
  }

  var remaining: Int { span.byteCount - offset }

  /// That the record is not what its space holds.
  var unreadable: StoreError { .unreadableRecord(space: space) }

  @inline(__always)
  private mutating func take(_ count: Int) throws(StoreError) -> Int {
    guard count >= 0, count <= remaining else { throw unreadable }
    defer { offset += count }
    return offset
  }

  @inline(__always)
  mutating func readByte() throws(StoreError) -> UInt8 {
    let start = try take(1)
    return unsafe span.unsafeLoad(fromUncheckedByteOffset: start, as: UInt8.self)
  }

  /// Two bytes, the least first.
  mutating func readUInt16() throws(StoreError) -> UInt16 {
    let start = try take(2)
    return unsafe UInt16(
      littleEndian: span.unsafeLoadUnaligned(fromUncheckedByteOffset: start, as: UInt16.self))
  }

  @inline(__always)
  mutating func readBool() throws(StoreError) -> Bool {
    let byte = try readByte()
    guard byte <= 1 else { throw unreadable }
    return byte == 1
  }

  @inline(__always)
  mutating func readVarint() throws(StoreError) -> UInt64 {
    // Most have one byte or two.
    if remaining >= 2 {
      let pair = unsafe UInt16(
        littleEndian: span.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt16.self))
      if pair & 0x80 == 0 {
        offset += 1
        return UInt64(pair & 0x7f)
      }
      if pair & 0x8000 == 0 {
        offset += 2
        return UInt64(pair & 0x7f) | UInt64(pair >> 8) << 7
      }
    } else if remaining == 1 {
      let byte = lastByte(before: offset + 1)
      if byte < 0x80 {
        offset += 1
        return UInt64(byte)
      }
    }
    if remaining >= 8 {
      let word = unsafe UInt64(
        littleEndian: span.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self))
      let ends = ~word & 0x8080_8080_8080_8080
      if ends != 0 {
        // All up to the first byte that ends a number; then its groups of seven bits are closed up,
        // two and two.
        offset += ends.trailingZeroBitCount / 8 + 1
        var bits = word & (ends ^ (ends &- 1)) & 0x7f7f_7f7f_7f7f_7f7f
        bits = bits & 0x007f_007f_007f_007f | (bits & 0x7f00_7f00_7f00_7f00) >> 1
        bits = bits & 0x0000_3fff_0000_3fff | (bits & 0x3fff_0000_3fff_0000) >> 2
        return bits & 0x0000_0000_0fff_ffff | (bits & 0x0fff_ffff_0000_0000) >> 4
      }
    }
    return try readVarintByByte()
  }

  @inline(never)
  private mutating func readVarintByByte() throws(StoreError) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let byte = try readByte()
      let bits = UInt64(byte & 0x7f)
      guard shift < 63 || (shift == 63 && bits <= 1) else { throw unreadable }
      value |= bits << shift
      if byte < 0x80 { return value }
      shift += 7
    }
  }

  @inline(__always)
  mutating func readCount() throws(StoreError) -> Int {
    guard let count = Int(exactly: try readVarint()) else { throw unreadable }
    return count
  }

  @inline(__always)
  mutating func readSigned() throws(StoreError) -> Int64 {
    let bits = try readVarint()
    return Int64(bitPattern: bits >> 1) ^ -Int64(bitPattern: bits & 1)
  }

  /// Goes over `count` numbers of at most 56 bits, all of one width, and gives where they start.
  ///
  /// They begin with the lowest bit of a byte; what is left of the last byte is 0.
  mutating func takePacked(_ count: Int, width: Int) throws(StoreError) -> Int {
    let start = try take((count * width + 7) / 8)
    let used = count * width % 8
    guard used == 0 || lastByte(before: offset) >> UInt8(used) == 0 else { throw unreadable }
    return start
  }

  /// The number that begins so many bits behind a start, as wide as `mask`.
  @inline(__always)
  func packed(_ start: Int, bit: Int, mask: UInt64) -> UInt64 {
    littleEndian(start + bit / 8) >> UInt64(bit % 8) & mask
  }

  /// The byte before a place.
  @inline(__always)
  private func lastByte(before place: Int) -> UInt8 {
    unsafe span.unsafeLoad(fromUncheckedByteOffset: place - 1, as: UInt8.self)
  }

  /// The eight bytes at a place, 0 beyond the record's end.
  @inline(__always)
  private func littleEndian(_ start: Int) -> UInt64 {
    if start + 8 <= span.byteCount {
      return unsafe UInt64(
        littleEndian: span.unsafeLoadUnaligned(fromUncheckedByteOffset: start, as: UInt64.self))
    }
    return littleEndianAtEnd(start)
  }

  private func littleEndianAtEnd(_ start: Int) -> UInt64 {
    var word: UInt64 = 0
    var shift: UInt64 = 0
    for place in start..<max(start, span.byteCount) {
      let byte = unsafe span.unsafeLoad(fromUncheckedByteOffset: place, as: UInt8.self)
      word |= UInt64(byte) << shift
      shift += 8
    }
    return word
  }

  @inline(__always)
  mutating func readUInt128() throws(StoreError) -> UInt128 {
    let start = try take(16)
    return unsafe UInt128(
      bigEndian: span.unsafeLoadUnaligned(fromByteOffset: start, as: UInt128.self))
  }

  mutating func readHash() throws(StoreError) -> Hash256 {
    let start = try take(32)
    return Hash256(words: (word(start), word(start + 8), word(start + 16), word(start + 24)))
  }

  private func word(_ start: Int) -> UInt64 {
    unsafe UInt64(bigEndian: span.unsafeLoadUnaligned(fromByteOffset: start, as: UInt64.self))
  }

  @inline(__always)
  mutating func readTimestamp() throws(StoreError) -> Timestamp {
    Timestamp(milliseconds: try readSigned())
  }

  @inline(__always)
  mutating func readSlot() throws(StoreError) -> Slot {
    Slot(index: try readSigned())
  }

  @inline(__always)
  mutating func readInt256() throws(StoreError) -> Int256 {
    let count = Int(try readByte())
    guard count <= 32 else { throw unreadable }
    let start = try take(count)
    guard count > 0 else { return .zero }
    if count <= 8, remaining + count >= 8 {
      // What stands behind the number is shifted out, and its sign in.
      let bits = unsafe UInt64(
        littleEndian: span.unsafeLoadUnaligned(fromUncheckedByteOffset: start, as: UInt64.self))
      let unused = UInt64(64 - 8 * count)
      return Int256(Int128(Int64(bitPattern: bits << unused) >> Int64(unused)))
    }
    if count <= 16, remaining + count >= 16 {
      let bits = unsafe UInt128(
        littleEndian: span.unsafeLoadUnaligned(fromUncheckedByteOffset: start, as: UInt128.self))
      let unused = UInt128(128 - 8 * count)
      return Int256(Int128(bitPattern: bits << unused) >> Int128(unused))
    }
    return int256(start, count)
  }

  /// The number of that many bytes, at least one, byte by byte.
  @inline(never)
  private func int256(_ start: Int, _ count: Int) -> Int256 {
    var low: UInt128 = 0
    var high: UInt128 = 0
    for index in 0..<count {
      let byte = unsafe UInt128(
        span.unsafeLoad(fromUncheckedByteOffset: start + index, as: UInt8.self))
      if index < 16 {
        low |= byte << UInt128(8 * index)
      } else {
        high |= byte << UInt128(8 * (index - 16))
      }
    }
    let last = unsafe span.unsafeLoad(fromUncheckedByteOffset: start + count - 1, as: UInt8.self)
    if last >= 0x80 {
      if count < 16 {
        low |= ~UInt128(0) << UInt128(8 * count)
        high = ~0
      } else if count < 32 {
        high |= ~UInt128(0) << UInt128(8 * (count - 16))
      }
    }
    return Int256(high: Int128(bitPattern: high), low: low)
  }

  @inline(__always)
  mutating func readPrice() throws(StoreError) -> Price {
    let mantissa = try readVarint()
    let scale = Int(try readByte())
    guard let digits = Int64(exactly: mantissa), let price = Price(mantissa: digits, scale: scale)
    else { throw unreadable }
    return price
  }

  mutating func readText() throws(StoreError) -> String {
    let count = try readCount()
    let start = try take(count)
    guard let text = span.text(start..<start + count) else { throw unreadable }
    return text
  }

  mutating func readCounted() throws(StoreError) -> [UInt8] {
    let count = try readCount()
    let start = try take(count)
    return unsafe span.withUnsafeBytes { bytes in unsafe [UInt8](bytes[start..<start + count]) }
  }

  /// The bytes that `readCounted` copies, as they lie in the record.
  @_lifetime(copy self)
  mutating func readCountedSpan() throws(StoreError) -> RawSpan {
    let count = try readCount()
    let start = try take(count)
    return span.extracting(start..<start + count)
  }

  @inline(__always)
  mutating func skipCounted() throws(StoreError) {
    _ = try take(try readCount())
  }

  /// The bytes that are left.
  mutating func readRest() throws(StoreError) -> [UInt8] {
    let start = try take(remaining)
    return unsafe span.withUnsafeBytes { bytes in unsafe [UInt8](bytes[start...]) }
  }

  mutating func readAssetKey() throws(StoreError) -> AssetKey {
    let type = AssetType(unchecked: try readText())
    return AssetKey(type: type, id: AssetID(unchecked: try readText()))
  }

  /// A category, from a table of those that were read before.
  @inline(__always)
  mutating func readCategory(_ known: inout KnownCategories) throws(StoreError) -> Category {
    let start = offset
    try skipCounted()
    try skipCounted()
    let bytes = span.extracting(start..<offset)
    if let category = known.find(bytes) { return category }
    offset = start
    let category = try readCategory()
    known.keep(category, bytes)
    return category
  }

  mutating func readCategory() throws(StoreError) -> Category {
    let key = CategoryKey(unchecked: try readText())
    return Category(key: key, spelling: CategorySpelling(unchecked: try readText()))
  }

  @inline(__always)
  mutating func readStamp() throws(StoreError) -> Stamp {
    let effectiveAt = try readTimestamp()
    let device = DeviceID(try readUInt128())
    let sequence = try readVarint()
    guard let index = UInt32(exactly: try readVarint()) else { throw unreadable }
    return Stamp(
      effectiveAt: effectiveAt, device: device, deviceSequence: sequence, index: index)
  }

  mutating func readPosition() throws(StoreError) -> LogPosition {
    let seq = try readVarint()
    return LogPosition(seq: seq, hash: try readHash())
  }

  /// Checks that nothing is left.
  @inline(__always)
  func finish() throws(StoreError) {
    guard remaining == 0 else { throw unreadable }
  }
}
