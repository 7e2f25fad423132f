/// Reads bodies of the shape that nearly all have, in one pass and without a JSON reader.
///
/// That is: adjusts and categorizes, texts without escapes, nothing unknown. What matches is
/// canonical, for it is matched against the one way to write it; what does not is nil, and is read
/// by the reader that knows everything and says what is wrong.
struct PlainBody {
  private let start: UnsafeRawPointer
  private let count: Int
  private var offset = 0

  private init(_ start: UnsafeRawPointer, count: Int) {
    self.start = start
    self.count = count
  }

  /// The body of those bytes, or nil where it has another shape.
  static func read(_ bytes: [UInt8]) -> TransactionBody? {
    bytes.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return nil }
      var reader = PlainBody(start, count: bytes.count)
      return reader.body()
    }
  }

  /// The length of the body of this shape that those bytes start with; nil where none does.
  ///
  /// Such a body is canonical, and its texts are ASCII; whether they are amounts, assets and hashes
  /// is not looked at.
  static func byteCount(_ bytes: UnsafeRawBufferPointer) -> Int? {
    guard let start = bytes.baseAddress else { return nil }
    var reader = PlainBody(start, count: bytes.count)
    return reader.pass() ? reader.offset : nil
  }

  private mutating func body() -> TransactionBody? {
    guard take("{\"operations\":[") else { return nil }
    var operations: [Operation] = []
    // Most take 50 to 90 bytes, and what was seen takes some 160 behind them.
    operations.reserveCapacity(max(count - 160, 0) / 64 + 1)
    if !take("]") {
      repeat {
        guard let operation = operation() else { return nil }
        operations.append(operation)
      } while take(",")
      guard take("]") else { return nil }
    }
    var seen: Seen?
    if take(",\"seen\":{") {
      seen = readSeen()
      guard seen != nil else { return nil }
    }
    guard take("}"), offset == count else { return nil }
    return TransactionBody(seen: seen, operations: operations)
  }

  private mutating func operation() -> Operation? {
    if take("{\"amount\":\"") {
      guard let amount = text(), take(",\"asset\":\""), let asset = text(),
        take(",\"kind\":\"adjust\"}"), let amount = try? Amount(utf8: amount),
        let asset = AssetKey(utf8: asset)
      else { return nil }
      return .adjust(asset, amount)
    }
    guard take("{\"asset\":\""), let asset = text(), take(",\"category\":\""),
      let spelling = text(), take(",\"key\":\""), let key = text(),
      take(",\"kind\":\"categorize\"}"), let asset = AssetKey(utf8: asset),
      let category = try? Category(
        recordedKey: TextRule.text(key) ?? "", spelling: TextRule.text(spelling) ?? "")
    else { return nil }
    return .categorize(asset, category)
  }

  private mutating func readSeen() -> Seen? {
    var digest: Hash256?
    if take("\"digest\":\"") {
      digest = digits(64).flatMap { Hash256(utf8: $0) }
      guard digest != nil, take(",") else { return nil }
    }
    guard take("\"hash\":\""), let hash = digits(64).flatMap({ Hash256(utf8: $0) }),
      take(",\"log\":\""), let log = digits(32).flatMap({ LogID(utf8: $0) }),
      take(",\"seq\":"), let seq = integer(), take("}")
    else { return nil }
    return Seen(log: log, position: LogPosition(seq: seq, hash: hash), stateDigest: digest)
  }

  // MARK: Passing over

  private mutating func pass() -> Bool {
    guard take("{\"operations\":[") else { return false }
    if !take("]") {
      repeat {
        guard passOperation() else { return false }
      } while take(",")
      guard take("]") else { return false }
    }
    if take(",\"seen\":{") {
      if take("\"digest\":\"") {
        guard passText(), take(",") else { return false }
      }
      guard take("\"hash\":\""), passText(), take(",\"log\":\""), passText(),
        take(",\"seq\":"), integer() != nil, take("}")
      else { return false }
    }
    return take("}")
  }

  @inline(__always)
  private mutating func passOperation() -> Bool {
    if take("{\"amount\":\"") {
      return passText() && take(",\"asset\":\"") && passText() && take(",\"kind\":\"adjust\"}")
    }
    return take("{\"asset\":\"") && passText() && take(",\"category\":\"") && passText()
      && take(",\"key\":\"") && passText() && take(",\"kind\":\"categorize\"}")
  }

  /// Passes a text of ASCII without escapes, and the quote behind it.
  @inline(__always)
  private mutating func passText() -> Bool {
    while offset &+ 8 <= count {
      let word = UInt64(littleEndian: Self.word(start, offset))
      let ends = Self.ends(word) | word & 0x8080_8080_8080_8080
      if ends != 0 {
        offset &+= ends.trailingZeroBitCount &>> 3
        break
      }
      offset &+= 8
    }
    while offset < count {
      let byte = Self.byte(start, offset)
      offset += 1
      if byte == UInt8(ascii: "\"") { return true }
      if byte < 0x20 || byte >= 0x80 || byte == UInt8(ascii: "\\") { return false }
    }
    return false
  }

  // MARK: Parts

  /// Whether `literal` comes next; it is then passed.
  @inline(__always)
  private mutating func take(_ literal: StaticString) -> Bool {
    let length = literal.utf8CodeUnitCount
    guard count - offset >= length else { return false }
    let here = start + offset
    let text = UnsafeRawPointer(literal.utf8Start)
    // By words, the last of which overlaps the one before it.
    var index = 0
    while index &+ 8 <= length {
      guard Self.word(here, index) == Self.word(text, index) else { return false }
      index &+= 8
    }
    if length >= 8 {
      guard Self.word(here, length &- 8) == Self.word(text, length &- 8) else { return false }
    } else {
      while index < length {
        guard Self.byte(here, index) == Self.byte(text, index) else { return false }
        index &+= 1
      }
    }
    offset += length
    return true
  }

  @inline(__always)
  private static func word(_ pointer: UnsafeRawPointer, _ offset: Int) -> UInt64 {
    pointer.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }

  @inline(__always)
  private static func byte(_ pointer: UnsafeRawPointer, _ offset: Int) -> UInt8 {
    pointer.load(fromByteOffset: offset, as: UInt8.self)
  }

  /// The bytes up to the quote, which is passed; nil where one of them is escaped or may not stand
  /// in a string.
  @inline(__always)
  private mutating func text() -> UnsafeRawBufferPointer? {
    let from = offset
    while offset &+ 8 <= count {
      let ends = Self.ends(UInt64(littleEndian: Self.word(start, offset)))
      if ends != 0 {
        offset &+= ends.trailingZeroBitCount &>> 3
        break
      }
      offset &+= 8
    }
    while offset < count {
      let byte = Self.byte(start, offset)
      if byte == UInt8(ascii: "\"") {
        offset += 1
        return UnsafeRawBufferPointer(start: start + from, count: offset - 1 - from)
      }
      if byte < 0x20 || byte == UInt8(ascii: "\\") { return nil }
      offset += 1
    }
    return nil
  }

  /// The next `length` bytes, where a quote stands behind them, which is passed.
  @inline(__always)
  private mutating func digits(_ length: Int) -> UnsafeRawBufferPointer? {
    guard count - offset > length, Self.byte(start, offset + length) == UInt8(ascii: "\"") else {
      return nil
    }
    defer { offset += length + 1 }
    return UnsafeRawBufferPointer(start: start + offset, count: length)
  }

  /// Marks the lowest byte of `word` that is a quote, a backslash or a control character; marks
  /// above it mean nothing.
  @inline(__always)
  private static func ends(_ word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quote = word ^ 0x2222_2222_2222_2222
    let backslash = word ^ 0x5C5C_5C5C_5C5C_5C5C
    let isQuote = (quote &- ones) & ~quote
    let isBackslash = (backslash &- ones) & ~backslash
    let isControl = (word &- 0x2020_2020_2020_2020) & ~word
    return (isQuote | isBackslash | isControl) & 0x8080_8080_8080_8080
  }

  /// An integer of at most 15 digits, without zeros before it.
  private mutating func integer() -> UInt64? {
    let from = offset
    var value: UInt64 = 0
    while offset < count, case let digit = Self.byte(start, offset) &- UInt8(ascii: "0"), digit < 10
    {
      value = value &* 10 &+ UInt64(digit)
      offset += 1
    }
    let length = offset - from
    guard (1...15).contains(length), length == 1 || Self.byte(start, from) != UInt8(ascii: "0")
    else { return nil }
    return value
  }
}
