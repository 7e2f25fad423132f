import FolioDomain
import FolioJSON

/// The values that members of messages have.
extension JSONReader {
  /// The value of a member, which must be there; called right after the object has ended.
  func required<T>(_ value: T?) throws(JSONError) -> T {
    guard let value else { throw JSONError(.missingMember, at: offset - 1) }
    return value
  }

  // MARK: Numbers

  /// Reads an integer from `least` to 2^53 - 1.
  mutating func readUnsigned(from least: Int64 = 0) throws(JSONError) -> UInt64 {
    UInt64(try readInteger(in: least...Int64(Wire.integerLimit)))
  }

  mutating func readInt(_ range: ClosedRange<Int>) throws(JSONError) -> Int {
    Int(try readInteger(in: Int64(range.lowerBound)...Int64(range.upperBound)))
  }

  mutating func readRequestID() throws(JSONError) -> RequestID {
    RequestID(try readUnsigned(from: 1))
  }

  mutating func readTimestamp() throws(JSONError) -> Timestamp {
    Timestamp(milliseconds: try readInteger())
  }

  /// Reads `true`, the only value of a member that is left out where it would be false.
  mutating func readTrue() throws(JSONError) -> Bool {
    _ = try peek()
    let start = offset
    guard try readBool() else { throw JSONError(.badValue, at: start) }
    return true
  }

  // MARK: Hexadecimal digits

  mutating func readHex64() throws(JSONError) -> UInt64 {
    let text = try readText()
    if text.isEscaped { return try readHexSlowly(text, wordCount: 1)[0] }
    guard text.end - text.start == 16, let word = Hexadecimal.word(bytes, text.start) else {
      throw JSONError(.badValue, at: text.offset)
    }
    return word
  }

  mutating func readHex128() throws(JSONError) -> UInt128 {
    if isString(of: 32), let value = Hexadecimal.wide(bytes, offset + 1) {
      _ = takeCanonicalValue(34)
      return value
    }
    let text = try readText()
    if text.isEscaped {
      let words = try readHexSlowly(text, wordCount: 2)
      return UInt128(words[0]) << 64 | UInt128(words[1])
    }
    guard text.end - text.start == 32, let value = Hexadecimal.wide(bytes, text.start) else {
      throw JSONError(.badValue, at: text.offset)
    }
    return value
  }

  /// Whether a quote comes next, and another one behind `count` bytes.
  @inline(__always)
  private func isString(of count: Int) -> Bool {
    guard offset + count + 2 <= bytes.byteCount else { return false }
    func at(_ index: Int) -> UInt8 {
      bytes.unsafeLoad(fromUncheckedByteOffset: index, as: UInt8.self)
    }
    return at(offset) == UInt8(ascii: "\"") && at(offset + count + 1) == UInt8(ascii: "\"")
  }

  mutating func readHash() throws(JSONError) -> Hash256 {
    let text = try readText()
    if text.isEscaped {
      let words = try readHexSlowly(text, wordCount: 4)
      return Hash256(words: (words[0], words[1], words[2], words[3]))
    }
    guard text.end - text.start == 64, let high = Hexadecimal.wide(bytes, text.start),
      let low = Hexadecimal.wide(bytes, text.start + 32)
    else { throw JSONError(.badValue, at: text.offset) }
    return Hash256(
      words: (
        UInt64(truncatingIfNeeded: high &>> 64), UInt64(truncatingIfNeeded: high),
        UInt64(truncatingIfNeeded: low &>> 64), UInt64(truncatingIfNeeded: low)
      ))
  }

  /// The words of digits some of which are written as escapes.
  private func readHexSlowly(_ text: JSONText, wordCount: Int) throws(JSONError) -> [UInt64] {
    let words: [UInt64]? = withText(text) { digits in
      guard digits.count == wordCount * 16 else { return nil }
      let span = RawSpan(_unsafeElements: digits)
      let words = (0..<wordCount).compactMap { Hexadecimal.word(span, $0 * 16) }
      return words.count == wordCount ? words : nil
    }
    guard let words else { throw JSONError(.badValue, at: text.offset) }
    return words
  }

  // MARK: Text

  /// Reads a text of at most `limit` bytes, and at least one.
  mutating func readName(limit: Int) throws(JSONError) -> String {
    let text = try readText()
    let value = string(text)
    guard !value.isEmpty else { throw JSONError(.badValue, at: text.offset) }
    guard value.utf8.count <= limit else { throw JSONError(.tooLong, at: text.offset) }
    return value
  }

  /// Reads a text of at most `limit` bytes.
  mutating func readNote(limit: Int) throws(JSONError) -> String {
    let text = try readText()
    let value = string(text)
    guard value.utf8.count <= limit else { throw JSONError(.tooLong, at: text.offset) }
    return value
  }

  /// Reads a name for programs: 1 to 64 bytes of `[A-Za-z0-9_.-]`.
  mutating func readCode() throws(JSONError) -> String {
    let text = try readText()
    let isCode = withText(text) { bytes in
      bytes.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
        default: false
        }
      }
    }
    guard isCode, text.end > text.start else { throw JSONError(.badValue, at: text.offset) }
    let value = string(text)
    guard value.utf8.count <= 64 else { throw JSONError(.tooLong, at: text.offset) }
    return value
  }

  /// Reads bytes in base64; at most `limit` of them.
  mutating func readBase64(limit: Int) throws(JSONError) -> [UInt8] {
    let text = try readText()
    guard let value = withText(text, { Base64.decode($0) }) else {
      throw JSONError(.badValue, at: text.offset)
    }
    guard value.count <= limit else { throw JSONError(.tooLong, at: text.offset) }
    return value
  }

  mutating func readAssetType() throws(JSONError) -> AssetType {
    let text = try readText()
    let isType = withText(text) { bytes in
      (1...AssetType.byteLimit).contains(bytes.count)
        && bytes.allSatisfy { byte in
          switch byte {
          case 0x30...0x39, 0x61...0x7A, UInt8(ascii: "."), UInt8(ascii: "-"): true
          default: false
          }
        }
    }
    guard isType else { throw JSONError(.badValue, at: text.offset) }
    return AssetType(unchecked: string(text))
  }

  mutating func readAssetID() throws(JSONError) -> AssetID {
    let text = try readText()
    let isID = withText(text) { bytes in
      (1...AssetID.byteLimit).contains(bytes.count) && !Self.hasControlCharacter(bytes)
    }
    guard isID else { throw JSONError(.badValue, at: text.offset) }
    return AssetID(unchecked: string(text))
  }

  /// Whether there is one of U+0000 to U+001F and U+007F to U+009F in valid UTF-8.
  private static func hasControlCharacter(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var previous: UInt8 = 0
    for byte in bytes {
      if byte < 0x20 || byte == 0x7F || (previous == 0xC2 && byte < 0xA0) { return true }
      previous = byte
    }
    return false
  }

  mutating func readAssetKey() throws(JSONError) -> AssetKey {
    let text = try readText()
    guard let key = try? AssetKey(string(text)) else {
      throw JSONError(.badValue, at: text.offset)
    }
    return key
  }

  mutating func readPrice() throws(JSONError) -> Price {
    let text = try readText()
    let price = withText(text) { try? Price(utf8: UnsafeRawBufferPointer($0)) }
    guard let price else { throw JSONError(.badValue, at: text.offset) }
    return price
  }

  // MARK: Lists

  /// Reads an array of at most `limit` elements, with room for `expected` from the start.
  mutating func readList<Element>(
    limit: Int, expecting expected: Int = 0,
    _ read: (inout JSONReader) throws(JSONError) -> Element
  ) throws(JSONError) -> [Element] {
    var elements: [Element] = []
    try beginArray()
    elements.reserveCapacity(min(expected, limit))
    while try nextElement() {
      guard elements.count < limit else { throw JSONError(.tooLong, at: offset) }
      elements.append(try read(&self))
    }
    return elements
  }
}
