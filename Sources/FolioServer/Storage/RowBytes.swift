import FolioDomain

/// Writes the members of a row or of a key, each of fixed width or with its length before it.
///
/// Integers are big-endian, so that keys made of them keep their order.
struct RowWriter {
  /// Room for the row, longer than it where more was thought to come.
  private var room: [UInt8]
  private var count = 0

  // Room for most keys and rows. A copy costs less than an array that repeats a byte, which asks the
  // runtime for its type each time.
  private static let blank = [UInt8](repeating: 0, count: 512)

  /// A row of about `capacity` bytes.
  init(capacity: Int = 64) {
    room =
      capacity <= Self.blank.count
      ? Self.blank.withUnsafeBytes { Array(UnsafeRawBufferPointer(rebasing: $0[..<capacity])) }
      : [UInt8](repeating: 0, count: capacity)
  }

  /// What was written.
  var bytes: [UInt8] { count == room.count ? room : Array(room[..<count]) }

  private mutating func reserve(_ byteCount: Int) {
    guard count + byteCount > room.count else { return }
    room += [UInt8](repeating: 0, count: max(room.count, byteCount))
  }

  mutating func integer<T: FixedWidthInteger & BitwiseCopyable>(_ value: T) {
    reserve(MemoryLayout<T>.size)
    room.withUnsafeMutableBytes {
      $0.storeBytes(of: value.bigEndian, toByteOffset: count, as: T.self)
    }
    count += MemoryLayout<T>.size
  }

  mutating func moment(_ time: Timestamp) { integer(time.milliseconds) }

  mutating func hash(_ hash: Hash256) {
    integer(hash.words.0)
    integer(hash.words.1)
    integer(hash.words.2)
    integer(hash.words.3)
  }

  mutating func flag(_ value: Bool) { integer(UInt8(value ? 1 : 0)) }

  mutating func raw(_ value: [UInt8]) { value.withUnsafeBytes { raw($0) } }

  private mutating func raw(_ value: UnsafeRawBufferPointer) {
    reserve(value.count)
    room.withUnsafeMutableBytes {
      UnsafeMutableRawBufferPointer(rebasing: $0[count...]).copyMemory(from: value)
    }
    count += value.count
  }

  /// Text with its length before it.
  mutating func text(_ text: String) {
    integer(UInt32(text.utf8.count))
    raw(Array(text.utf8))
  }

  /// Text ended by a zero byte, as keys hold it: names and ids have no control characters.
  mutating func terminated(_ text: String) {
    raw(Array(text.utf8))
    integer(UInt8(0))
  }

  /// An unsigned number in groups of seven bits, the lowest first.
  mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      integer(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    integer(UInt8(rest))
  }
}

/// Reads what ``RowWriter`` wrote, and finds every row that ends early or goes on too long.
struct RowReader: ~Escapable {
  private let span: RawSpan
  private let space: Space
  private(set) var offset = 0

  @_lifetime(copy span)
  init(_ span: RawSpan, of space: Space) {
    self.span = span
    self.space = space
  }

  var remaining: Int { span.byteCount - offset }

  private func ended() -> ServerStorageError { .damaged(space: space, what: "row ends early") }

  mutating func integer<T: FixedWidthInteger & BitwiseCopyable>(_: T.Type = T.self) throws -> T {
    let size = MemoryLayout<T>.size
    guard remaining >= size else { throw ended() }
    let value = unsafe span.unsafeLoadUnaligned(fromByteOffset: offset, as: T.self)
    offset += size
    return T(bigEndian: value)
  }

  mutating func moment() throws -> Timestamp { Timestamp(milliseconds: try integer()) }

  mutating func hash() throws -> Hash256 {
    Hash256(words: (try integer(), try integer(), try integer(), try integer()))
  }

  mutating func flag() throws -> Bool {
    switch try integer(UInt8.self) {
    case 0: false
    case 1: true
    default: throw ServerStorageError.damaged(space: space, what: "flag out of range")
    }
  }

  mutating func raw(_ count: Int) throws -> [UInt8] {
    guard count >= 0, remaining >= count else { throw ended() }
    defer { offset += count }
    return span.extracting(offset..<offset + count).copied
  }

  mutating func text() throws -> String {
    let count = Int(try integer(UInt32.self))
    return try string(try raw(count))
  }

  mutating func terminated() throws -> String {
    var end = offset
    while end < span.byteCount, span.unsafeLoad(fromByteOffset: end, as: UInt8.self) != 0 {
      end += 1
    }
    guard end < span.byteCount else { throw ended() }
    let bytes = try raw(end - offset)
    offset += 1
    return try string(bytes)
  }

  private func string(_ bytes: [UInt8]) throws -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw ServerStorageError.damaged(space: space, what: "text is not UTF-8")
    }
    return text
  }

  mutating func varint() throws -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let byte: UInt8 = try integer()
      guard shift < 63 || byte <= 1 else {
        throw ServerStorageError.damaged(space: space, what: "number out of range")
      }
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
  }

  /// Checks that the row was read to its end.
  func end() throws {
    guard remaining == 0 else {
      throw ServerStorageError.damaged(space: space, what: "row goes on after its end")
    }
  }
}
