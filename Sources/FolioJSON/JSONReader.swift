/// Reads JSON from bytes, one token after the other, as its caller asks for them.
///
/// The caller knows what shape it expects and asks for that; there is no tree of values between the
/// bytes and the caller's types. Nothing recurses on the input. Every error has the offset of the
/// fault. A reader that threw must not be used again.
///
/// ```swift
/// var reader = JSONReader(bytes.span.bytes, .protocol)
/// try reader.beginArray()
/// while try reader.nextElement() { sum += try reader.readInteger() }
/// try reader.finish()
/// ```
///
/// - Complexity: all reading together is O(n) in the number of bytes.
public struct JSONReader: ~Copyable, ~Escapable {
  /// The input.
  public let bytes: RawSpan
  /// How strict the reader is.
  public let rules: JSONRules
  /// The offset of the next byte to be read.
  public var offset: Int { cursor }
  @usableFromInline var cursor: Int

  /// How many brackets are open.
  @usableFromInline var depth = 0
  /// Whether the last thing read was an opening bracket.
  @usableFromInline var isAtStart = false
  /// The names seen in the objects that are open.
  @usableFromInline var ledger = NameLedger()
  /// Whether the name last read by `nextMember` has escapes.
  @usableFromInline var isNameEscaped = false

  /// A reader at the start of `bytes`.
  @_lifetime(copy bytes)
  public init(_ bytes: RawSpan, _ rules: JSONRules) {
    self.bytes = bytes
    self.rules = rules
    cursor = 0
  }

  // MARK: Bytes

  @inlinable @inline(__always)
  func byte(_ index: Int) -> UInt8 {
    bytes.unsafeLoad(fromUncheckedByteOffset: index, as: UInt8.self)
  }

  @inlinable @inline(__always)
  func word(_ index: Int) -> UInt64 {
    UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self))
  }

  @inlinable
  var byteCount: Int {
    @inline(__always) get { bytes.byteCount }
  }

  /// An error for the byte at `index`, or for the end where there is none.
  @inline(never) @usableFromInline
  func unexpected(_ index: Int) -> JSONError {
    if index >= byteCount { return JSONError(.unexpectedEnd, at: byteCount) }
    if index == 0, startsWithByteOrderMark { return JSONError(.byteOrderMark, at: 0) }
    return JSONError(.unexpectedByte, at: index)
  }

  private var startsWithByteOrderMark: Bool {
    byteCount >= 3 && byte(0) == 0xEF && byte(1) == 0xBB && byte(2) == 0xBF
  }

  /// Skips whitespace and returns the byte that follows, without taking it.
  @inlinable @inline(__always)
  mutating func nextByte() throws(JSONError) -> UInt8 {
    while offset < byteCount {
      let next = byte(offset)
      if next > 0x20 { return next }
      guard next == 0x20 || next == 0x0A || next == 0x0D || next == 0x09 else { break }
      cursor += 1
    }
    throw unexpected(offset)
  }

  // MARK: Structure

  /// The kind of the value that comes next, judged by its first byte; nothing is taken.
  ///
  /// - Throws: `JSONError`, where no value starts there.
  public mutating func peek() throws(JSONError) -> JSONKind {
    switch try nextByte() {
    case UInt8(ascii: "{"): return .object
    case UInt8(ascii: "["): return .array
    case UInt8(ascii: "\""): return .string
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool
    case UInt8(ascii: "n"): return .null
    case UInt8(ascii: "-"), 0x30...0x39: return .number
    default: throw unexpected(offset)
    }
  }

  /// An error for a value that is not of the kind asked for: no value at all, or another one.
  @inline(never) @usableFromInline
  mutating func mismatch() -> JSONError {
    do throws(JSONError) {
      _ = try peek()
      return JSONError(.wrongType, at: offset)
    } catch {
      return error
    }
  }

  @inlinable @inline(__always)
  mutating func open(_ bracket: UInt8) throws(JSONError) {
    guard try nextByte() == bracket else { throw mismatch() }
    guard depth < rules.depthMax else { throw JSONError(.nestingTooDeep, at: offset) }
    depth += 1
    cursor += 1
    isAtStart = true
  }

  /// Moves to the next item of the open container; false where `bracket` closes it.
  @inlinable @inline(__always)
  mutating func nextItem(_ bracket: UInt8) throws(JSONError) -> Bool {
    var next = try nextByte()
    if next == bracket {
      cursor += 1
      depth -= 1
      isAtStart = false
      return false
    }
    if isAtStart {
      isAtStart = false
      return true
    }
    guard next == UInt8(ascii: ",") else { throw unexpected(offset) }
    cursor += 1
    next = try nextByte()
    return true
  }

  /// Takes the opening bracket of an array.
  @inlinable
  public mutating func beginArray() throws(JSONError) {
    try open(UInt8(ascii: "["))
  }

  /// Moves to the next element of the array; false at its end.
  ///
  /// - Precondition: The element before has been read as a whole.
  @inlinable
  public mutating func nextElement() throws(JSONError) -> Bool {
    try nextItem(UInt8(ascii: "]"))
  }

  /// Takes the opening bracket of an object whose members are read by `nextName`.
  public mutating func beginObject() throws(JSONError) {
    try open(UInt8(ascii: "{"))
    if rules.refusesDuplicates { ledger.push() }
  }

  /// Moves to the next member of the object and returns its name; nil at the object's end.
  ///
  /// - Precondition: The member before has been read as a whole.
  public mutating func nextName() throws(JSONError) -> JSONText? {
    guard try nextItem(UInt8(ascii: "}")) else {
      if rules.refusesDuplicates { ledger.pop() }
      return nil
    }
    let name = try readName()
    if rules.refusesDuplicates, !ledger.insert(name, in: bytes) {
      throw JSONError(.duplicateMember, at: name.offset)
    }
    try readColon()
    return name
  }

  /// Reads a member's name; the colon stays.
  @usableFromInline
  mutating func readName() throws(JSONError) -> JSONText {
    guard try nextByte() == UInt8(ascii: "\"") else { throw unexpected(offset) }
    return try scanString()
  }

  @inlinable @inline(__always)
  mutating func readColon() throws(JSONError) {
    guard try nextByte() == UInt8(ascii: ":") else { throw unexpected(offset) }
    cursor += 1
  }

  /// Reads `true` or `false`.
  public mutating func readBool() throws(JSONError) -> Bool {
    switch try nextByte() {
    case UInt8(ascii: "t"):
      try readLiteral("true")
      return true
    case UInt8(ascii: "f"):
      try readLiteral("false")
      return false
    default: throw mismatch()
    }
  }

  /// Reads `null` where it comes next; false, with nothing taken, where another value does.
  public mutating func readNull() throws(JSONError) -> Bool {
    guard try nextByte() == UInt8(ascii: "n") else { return false }
    try readLiteral("null")
    return true
  }

  mutating func readLiteral(_ literal: StaticString) throws(JSONError) {
    let start = literal.utf8Start
    for index in 0..<literal.utf8CodeUnitCount {
      guard offset < byteCount, byte(offset) == start[index] else { throw unexpected(offset) }
      cursor += 1
    }
  }

  /// Checks that nothing but whitespace is left.
  ///
  /// - Throws: `JSONError` with `trailingBytes`.
  public mutating func finish() throws(JSONError) {
    while offset < byteCount {
      let next = byte(offset)
      guard next == 0x20 || next == 0x0A || next == 0x0D || next == 0x09 else {
        throw JSONError(.trailingBytes, at: offset)
      }
      cursor += 1
    }
  }
}
