/// Writes canonical JSON into memory.
///
/// Canonical: no whitespace, the shortest escapes, numbers in their one form. Members are written in
/// the order given; the caller gives them in byte order of their names.
///
/// ```swift
/// var writer = JSONWriter()
/// writer.beginObject()
/// writer.name("amount")
/// writer.string("0.5")
/// writer.endObject()
/// let bytes = writer.finish()
/// ```
///
/// - Complexity: O(n) in the number of bytes written.
public struct JSONWriter: ~Copyable {
  private var base: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  /// How many bytes have been written.
  public private(set) var byteCount = 0
  /// Whether a comma comes before the next name or element.
  private var needsComma = false

  /// An empty writer with room for `capacity` bytes; it grows as needed.
  public init(capacity: Int = 256) {
    self.capacity = max(capacity, 64)
    base = .allocate(capacity: self.capacity)
  }

  deinit { base.deallocate() }

  /// What has been written, copied.
  public var bytes: [UInt8] { Array(UnsafeBufferPointer(start: base, count: byteCount)) }

  /// Ends writing and returns what was written.
  public consuming func finish() -> [UInt8] { bytes }

  /// Calls `body` with what has been written, without copying it.
  public func withBytes<R, E: Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(E) -> R
  ) throws(E) -> R {
    try body(UnsafeBufferPointer(start: base, count: byteCount))
  }

  /// Forgets what has been written and keeps the memory.
  public mutating func removeAll() {
    byteCount = 0
    needsComma = false
  }

  // MARK: Structure

  /// Opens an object.
  @inline(__always)
  public mutating func beginObject() { open(UInt8(ascii: "{")) }
  /// Closes an object.
  @inline(__always)
  public mutating func endObject() { close(UInt8(ascii: "}")) }
  /// Opens an array.
  @inline(__always)
  public mutating func beginArray() { open(UInt8(ascii: "[")) }
  /// Closes an array.
  @inline(__always)
  public mutating func endArray() { close(UInt8(ascii: "]")) }

  /// Writes the name of a member; plain ASCII that needs no escape.
  public mutating func name(_ name: StaticString) {
    let count = name.utf8CodeUnitCount
    reserve(count + 4)
    var end = base + byteCount
    if needsComma {
      end.pointee = UInt8(ascii: ",")
      end += 1
    }
    end.pointee = UInt8(ascii: "\"")
    (end + 1).update(from: name.utf8Start, count: count)
    end += count + 1
    end.pointee = UInt8(ascii: "\"")
    (end + 1).pointee = UInt8(ascii: ":")
    byteCount = end + 2 - base
    needsComma = false
  }

  /// Writes the name of a member.
  public mutating func name(text: String) {
    string(text)
    append(UInt8(ascii: ":"))
    needsComma = false
  }

  // MARK: Values

  /// Writes a string.
  public mutating func string(_ value: String) {
    // Nearly every text has its bytes in a row, and need not be held for the time.
    let isWritten: Void? = value.utf8.withContiguousStorageIfAvailable { string(utf8: $0) }
    if isWritten != nil { return }
    var copy = value
    copy.withUTF8 { string(utf8: $0) }
  }

  /// Writes an integer; within 2^53 - 1 of 0 where every reader is to keep it.
  public mutating func integer(_ value: Int64) {
    startValue(21)
    if value < 0 { put(UInt8(ascii: "-")) }
    digits(value.magnitude)
  }

  /// Writes an unsigned integer; up to 2^53 - 1 where every reader is to keep it.
  public mutating func integer(_ value: UInt64) {
    startValue(21)
    digits(value)
  }

  /// Writes a number with its shortest digits, and no exponent.
  ///
  /// - Throws: `JSONValueError` with `numberNotPortable` where no document may hold it.
  public mutating func double(_ value: Double) throws(JSONValueError) {
    guard let digits = PortableNumber.digits(value) else {
      throw JSONValueError(.numberNotPortable, path: "")
    }
    raw(digits)
  }

  /// Writes `true` or `false`.
  public mutating func bool(_ value: Bool) {
    if value { literal("true") } else { literal("false") }
  }

  /// Writes `null`.
  public mutating func null() { literal("null") }

  /// Writes a value that is canonical JSON already.
  public mutating func raw(_ json: [UInt8]) {
    json.withUnsafeBufferPointer { raw($0) }
  }

  /// Writes a value that is canonical JSON already.
  public mutating func raw(_ json: UnsafeBufferPointer<UInt8>) {
    startValue(json.count)
    append(contentsOf: json)
  }

  /// Writes a string of `count` plain ASCII characters that `body` fills in and that need no escape.
  public mutating func plainString(count: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Void) {
    startValue(count + 2)
    put(UInt8(ascii: "\""))
    body(base + byteCount)
    byteCount += count
    put(UInt8(ascii: "\""))
  }

  /// Writes a string of at most `limit` plain ASCII characters that need no escape: those that
  /// `body` writes, and the number of which it returns.
  public mutating func plainString(
    upTo limit: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Int
  ) {
    startValue(limit + 2)
    put(UInt8(ascii: "\""))
    byteCount += body(base + byteCount)
    put(UInt8(ascii: "\""))
  }

  /// Writes a byte that is no part of a JSON text, such as the end of a line.
  public mutating func append(_ byte: UInt8) {
    reserve(1)
    put(byte)
  }

  private mutating func literal(_ text: StaticString) {
    startValue(text.utf8CodeUnitCount)
    append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Writes up to 20 digits, for which there is room.
  private mutating func digits(_ value: UInt64) {
    var count = 1
    var limit: UInt64 = 10
    while value >= limit {
      count += 1
      let (next, overflow) = limit.multipliedReportingOverflow(by: 10)
      if overflow { break }
      limit = next
    }
    var rest = value
    var end = base + byteCount + count
    for _ in 0..<count {
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      end -= 1
      end.pointee = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: digit)
      rest = quotient
    }
    byteCount += count
  }

  // MARK: Memory

  @inline(__always)
  private mutating func open(_ bracket: UInt8) {
    startValue(1)
    put(bracket)
    needsComma = false
  }

  @inline(__always)
  private mutating func close(_ bracket: UInt8) {
    append(bracket)
    needsComma = true
  }

  /// Makes room for `count` bytes and the comma before them, and writes the comma.
  @inline(__always)
  private mutating func startValue(_ count: Int) {
    reserve(count + 1)
    if needsComma { put(UInt8(ascii: ",")) }
    needsComma = true
  }

  @inline(__always)
  private mutating func put(_ byte: UInt8) {
    base[byteCount] = byte
    byteCount += 1
  }

  @inline(__always)
  private mutating func reserve(_ count: Int) {
    if byteCount + count > capacity { grow(count) }
  }

  @inline(never)
  private mutating func grow(_ count: Int) {
    capacity = max(capacity * 2, byteCount + count)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    larger.update(from: base, count: byteCount)
    base.deallocate()
    base = larger
  }

  private mutating func append(contentsOf bytes: UnsafeBufferPointer<UInt8>) {
    reserve(bytes.count)
    if let start = bytes.baseAddress { (base + byteCount).update(from: start, count: bytes.count) }
    byteCount += bytes.count
  }
}

extension JSONWriter {
  /// Writes a string given as valid UTF-8.
  public mutating func string(utf8 text: UnsafeBufferPointer<UInt8>) {
    startValue(text.count + 2)
    put(UInt8(ascii: "\""))
    content(text)
    append(UInt8(ascii: "\""))
  }

  /// Writes one string of two texts with a separator between them, which needs no escape.
  public mutating func string(_ first: String, _ separator: UInt8, _ second: String) {
    startValue(first.utf8.count + second.utf8.count + 3)
    put(UInt8(ascii: "\""))
    var text = first
    text.withUTF8 { content($0) }
    append(separator)
    text = second
    text.withUTF8 { content($0) }
    append(UInt8(ascii: "\""))
  }

  /// Writes the inside of a string.
  private mutating func content(_ text: UnsafeBufferPointer<UInt8>) {
    var start = 0
    while start < text.count {
      let end = Self.endOfPlain(text, from: start)
      append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<end]))
      guard end < text.count else { return }
      escape(text[end])
      start = end + 1
    }
  }

  /// The offset of the first byte that needs an escape, or the end.
  private static func endOfPlain(_ text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    let raw = UnsafeRawBufferPointer(text)
    func escapes(_ index: Int) -> UInt64 {
      JSONReader.escapedBytes(
        UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)))
    }
    var index = start
    // Two words a step: nearly all of them need no escape, in whatever script the text is.
    while index + 16 <= text.count, escapes(index) | escapes(index + 8) == 0 { index += 16 }
    while index + 8 <= text.count {
      let escaped = escapes(index)
      if escaped != 0 { return index + escaped.trailingZeroBitCount / 8 }
      index += 8
    }
    while index < text.count, !needsEscape(text[index]) { index += 1 }
    return index
  }

  @inline(__always)
  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private mutating func escape(_ byte: UInt8) {
    append(UInt8(ascii: "\\"))
    switch byte {
    case 8: append(UInt8(ascii: "b"))
    case 9: append(UInt8(ascii: "t"))
    case 10: append(UInt8(ascii: "n"))
    case 12: append(UInt8(ascii: "f"))
    case 13: append(UInt8(ascii: "r"))
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(byte)
    default:
      append(UInt8(ascii: "u"))
      append(0x30)
      append(0x30)
      append(0x30 + byte >> 4)
      append(Array("0123456789abcdef".utf8)[Int(byte & 15)])
    }
  }
}
