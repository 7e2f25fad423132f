extension JSONReader {
  /// Reads a string and returns where its content stands; the content is valid.
  @inlinable
  public mutating func readText() throws(JSONError) -> JSONText {
    guard try nextByte() == UInt8(ascii: "\"") else { throw mismatch() }
    return try scanString()
  }

  /// Reads a string.
  public mutating func readString() throws(JSONError) -> String {
    string(try readText())
  }

  /// The string that `text` stands for.
  public func string(_ text: JSONText) -> String {
    withText(text) { String(decoding: $0, as: UTF8.self) }
  }

  /// Calls `body` with the UTF-8 bytes that `text` stands for, escapes resolved.
  ///
  /// Without escapes these are the bytes of the input itself.
  @inlinable
  public func withText<R, E: Error>(
    _ text: JSONText, _ body: (UnsafeBufferPointer<UInt8>) throws(E) -> R
  ) throws(E) -> R {
    if text.isEscaped {
      return try resolved(text).withUnsafeBufferPointer { (buffer) throws(E) in try body(buffer) }
    }
    return try bytes.extracting(unchecked: text.start..<text.end).withUnsafeBytes {
      (raw) throws(E) in
      try raw.withMemoryRebound(to: UInt8.self) { (buffer) throws(E) in try body(buffer) }
    }
  }

  /// The bytes that a text with escapes stands for.
  @usableFromInline
  func resolved(_ text: JSONText) -> [UInt8] {
    var resolved: [UInt8] = []
    resolved.reserveCapacity(text.end - text.start)
    JSONEscapes.resolve(text, in: bytes, into: &resolved)
    return resolved
  }

  /// Reads the string whose opening quote comes next, checking every byte of it.
  @usableFromInline
  mutating func scanString(canonical: Bool = false) throws(JSONError) -> JSONText {
    let start = offset + 1
    var index = start
    var isEscaped = false
    while true {
      while index &+ 8 <= byteCount {
        let special = Self.specialBytes(word(index))
        if special == 0 {
          index &+= 8
          continue
        }
        index &+= special.trailingZeroBitCount &>> 3
        break
      }
      guard index < byteCount else { throw unexpected(index) }
      let next = byte(index)
      if next == UInt8(ascii: "\"") {
        cursor = index + 1
        return JSONText(start: start, end: index, isEscaped: isEscaped)
      } else if next == UInt8(ascii: "\\") {
        isEscaped = true
        index = try scanEscape(index, canonical: canonical)
      } else if next >= 0x80 {
        index = try scanMultibyte(index)
      } else if next < 0x20 {
        throw JSONError(.controlCharacter, at: index)
      } else {
        index &+= 1
      }
    }
  }

  /// Marks the lowest byte of `word` that ends a run of plain characters.
  ///
  /// That is a quote, a backslash, a control character, or one beyond ASCII. Marks above the lowest
  /// mean nothing.
  @inlinable @inline(__always)
  static func specialBytes(_ word: UInt64) -> UInt64 {
    escapedBytes(word) | word & 0x8080_8080_8080_8080
  }

  /// Marks the highest bit of the lowest byte of a word that is not written as it is.
  ///
  /// That is a quote, a backslash, or a control character. Marks above the lowest mean nothing.
  @inlinable @inline(__always)
  static func escapedBytes(_ word: UInt64) -> UInt64 {
    let quote = word ^ 0x2222_2222_2222_2222
    let backslash = word ^ 0x5C5C_5C5C_5C5C_5C5C
    let ones: UInt64 = 0x0101_0101_0101_0101
    let isQuote = (quote &- ones) & ~quote
    let isBackslash = (backslash &- ones) & ~backslash
    let isControl = (word &- 0x2020_2020_2020_2020) & ~word
    return (isQuote | isBackslash | isControl) & 0x8080_8080_8080_8080
  }

  /// Checks the UTF-8 sequence that starts at `index` and returns the offset after it.
  private func scanMultibyte(_ index: Int) throws(JSONError) -> Int {
    let first = byte(index)
    let length: Int
    var lower: UInt8 = 0x80
    var upper: UInt8 = 0xBF
    switch first {
    case 0xC2...0xDF: length = 2
    case 0xE0...0xEF:
      length = 3
      if first == 0xE0 { lower = 0xA0 }
      if first == 0xED { upper = 0x9F }
    case 0xF0...0xF4:
      length = 4
      if first == 0xF0 { lower = 0x90 }
      if first == 0xF4 { upper = 0x8F }
    default: throw JSONError(.invalidUTF8, at: index)
    }
    for position in 1..<length {
      guard index + position < byteCount else { throw unexpected(byteCount) }
      let next = byte(index + position)
      guard next >= lower, next <= upper else { throw JSONError(.invalidUTF8, at: index) }
      lower = 0x80
      upper = 0xBF
    }
    return index + length
  }

  /// Checks the escape that starts at `index` and returns the offset after it.
  private func scanEscape(_ index: Int, canonical: Bool) throws(JSONError) -> Int {
    guard index + 1 < byteCount else { throw unexpected(byteCount) }
    switch byte(index + 1) {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return index + 2
    case UInt8(ascii: "/"):
      if canonical { throw JSONError(.notCanonical, at: index) }
      return index + 2
    case UInt8(ascii: "u"):
      return try scanUnicodeEscape(index, canonical: canonical)
    default:
      throw JSONError(.badEscape, at: index)
    }
  }

  private func scanUnicodeEscape(_ index: Int, canonical: Bool) throws(JSONError) -> Int {
    let unit = try scanHexadecimal(index, digits: index + 2)
    if canonical {
      let hasShortForm = unit == 8 || unit == 9 || unit == 10 || unit == 12 || unit == 13
      let lastDigit = byte(index + 5)
      guard unit < 0x20, !hasShortForm, !(0x41...0x46).contains(lastDigit) else {
        throw JSONError(.notCanonical, at: index)
      }
      return index + 6
    }
    switch unit {
    case 0xD800...0xDBFF:
      for (position, expected) in [(6, UInt8(ascii: "\\")), (7, UInt8(ascii: "u"))] {
        guard index + position < byteCount else { throw unexpected(byteCount) }
        guard byte(index + position) == expected else { throw JSONError(.loneSurrogate, at: index) }
      }
      let second = try scanHexadecimal(index + 6, digits: index + 8)
      guard (0xDC00...0xDFFF).contains(second) else { throw JSONError(.loneSurrogate, at: index) }
      return index + 12
    case 0xDC00...0xDFFF: throw JSONError(.loneSurrogate, at: index)
    default: return index + 6
    }
  }

  /// Reads the four digits of the escape that starts at `index`.
  private func scanHexadecimal(_ index: Int, digits: Int) throws(JSONError) -> UInt32 {
    var value: UInt32 = 0
    for position in digits..<(digits + 4) {
      guard position < byteCount else { throw unexpected(byteCount) }
      guard let digit = JSONEscapes.digit(byte(position)) else {
        throw JSONError(.badEscape, at: index)
      }
      value = value << 4 | digit
    }
    return value
  }
}

/// Resolving escapes in text whose validity has been checked.
@usableFromInline enum JSONEscapes {
  /// The value of a hexadecimal digit in either case.
  static func digit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case 0x30...0x39: UInt32(byte - 0x30)
    case 0x41...0x46: UInt32(byte - 0x41 + 10)
    case 0x61...0x66: UInt32(byte - 0x61 + 10)
    default: nil
    }
  }

  /// Appends the bytes that `text` stands for.
  static func resolve(_ text: JSONText, in bytes: RawSpan, into output: inout [UInt8]) {
    func at(_ index: Int) -> UInt8 {
      bytes.unsafeLoad(fromUncheckedByteOffset: index, as: UInt8.self)
    }
    func unit(_ index: Int) -> UInt32 {
      (0..<4).reduce(0) { $0 << 4 | (digit(at(index + $1)) ?? 0) }
    }
    var index = text.start
    while index < text.end {
      guard at(index) == UInt8(ascii: "\\") else {
        output.append(at(index))
        index += 1
        continue
      }
      let kind = at(index + 1)
      index += 2
      switch kind {
      case UInt8(ascii: "b"): output.append(8)
      case UInt8(ascii: "t"): output.append(9)
      case UInt8(ascii: "n"): output.append(10)
      case UInt8(ascii: "f"): output.append(12)
      case UInt8(ascii: "r"): output.append(13)
      case UInt8(ascii: "u"):
        var scalar = unit(index)
        index += 4
        if (0xD800...0xDBFF).contains(scalar) {
          scalar = 0x10000 + ((scalar - 0xD800) << 10 | (unit(index + 2) - 0xDC00))
          index += 6
        }
        append(scalar, to: &output)
      default: output.append(kind)
      }
    }
  }

  private static func append(_ scalar: UInt32, to output: inout [UInt8]) {
    if let scalar = Unicode.Scalar(scalar) {
      output.append(contentsOf: UTF8.encode(scalar) ?? .init())
    }
  }
}
