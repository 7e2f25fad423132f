/// Matches text against the one canonical way to write what is expected, without a reader.
///
/// For values whose shape nearly never differs. What matches is canonical JSON, since it is matched
/// against nothing else; where something does not, nothing is said of it, and a `JSONReader` reads the
/// whole again and tells.
///
/// It works on memory that its caller keeps, and is used while that is kept only.
@_spi(Matching)
public struct JSONMatcher {
  @usableFromInline let start: UnsafeRawPointer
  @usableFromInline let count: Int
  /// How many bytes have been matched.
  @inlinable public var offset: Int { place }
  @usableFromInline var place = 0

  /// A matcher at the start of `bytes`; nil where there are none.
  @inlinable
  public init?(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return nil }
    self.start = start
    count = bytes.count
  }

  /// Whether everything has been matched.
  @inlinable public var isAtEnd: Bool { place == count }

  @inlinable @inline(__always)
  static func word(_ pointer: UnsafeRawPointer, _ offset: Int) -> UInt64 {
    pointer.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }

  @inlinable @inline(__always)
  static func byte(_ pointer: UnsafeRawPointer, _ offset: Int) -> UInt8 {
    pointer.load(fromByteOffset: offset, as: UInt8.self)
  }

  /// Whether `literal` comes next; it is then passed.
  @inlinable @inline(__always)
  public mutating func take(_ literal: StaticString) -> Bool {
    let length = literal.utf8CodeUnitCount
    guard count &- place >= length else { return false }
    let here = start + place
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
    place &+= length
    return true
  }

  /// The bytes up to the next quote, which is passed; nil where one of them is escaped or may not
  /// stand in a string.
  ///
  /// Whether they are UTF-8 is not looked at.
  @inlinable @inline(__always)
  public mutating func text() -> UnsafeRawBufferPointer? {
    let from = place
    while place &+ 8 <= count {
      let ends = Self.ends(UInt64(littleEndian: Self.word(start, place)))
      if ends != 0 {
        place &+= ends.trailingZeroBitCount &>> 3
        break
      }
      place &+= 8
    }
    while place < count {
      let byte = Self.byte(start, place)
      if byte == UInt8(ascii: "\"") {
        place &+= 1
        return UnsafeRawBufferPointer(start: start + from, count: place &- 1 &- from)
      }
      if byte < 0x20 || byte == UInt8(ascii: "\\") { return nil }
      place &+= 1
    }
    return nil
  }

  /// Passes ASCII without escapes up to the next quote, and that; false where other bytes come.
  @inlinable @inline(__always)
  public mutating func passText() -> Bool {
    while place &+ 8 <= count {
      let word = UInt64(littleEndian: Self.word(start, place))
      let ends = Self.ends(word) | word & 0x8080_8080_8080_8080
      if ends != 0 {
        place &+= ends.trailingZeroBitCount &>> 3
        break
      }
      place &+= 8
    }
    while place < count {
      let byte = Self.byte(start, place)
      place &+= 1
      if byte == UInt8(ascii: "\"") { return true }
      if byte < 0x20 || byte >= 0x80 || byte == UInt8(ascii: "\\") { return false }
    }
    return false
  }

  /// The next `length` bytes, where a quote stands behind them, which is passed.
  ///
  /// They may be any: the caller takes digits, and nothing else.
  @inlinable @inline(__always)
  public mutating func digits(_ length: Int) -> UnsafeRawBufferPointer? {
    guard count &- place > length, Self.byte(start, place &+ length) == UInt8(ascii: "\"") else {
      return nil
    }
    let digits = UnsafeRawBufferPointer(start: start + place, count: length)
    place &+= length &+ 1
    return digits
  }

  /// An integer of at most 15 digits, without zeros before it.
  @inlinable @inline(__always)
  public mutating func integer() -> UInt64? {
    let from = place
    var value: UInt64 = 0
    while place < count, case let digit = Self.byte(start, place) &- UInt8(ascii: "0"), digit < 10 {
      value = value &* 10 &+ UInt64(digit)
      place &+= 1
    }
    let length = place &- from
    guard length > 0, length <= 15, length == 1 || Self.byte(start, from) != UInt8(ascii: "0")
    else { return nil }
    return value
  }

  /// Passes `count` bytes that something else has matched.
  @inlinable
  public mutating func pass(_ count: Int) {
    precondition(count >= 0 && count <= self.count - place)
    place += count
  }

  /// Calls `body` with the bytes that have not been matched.
  @inlinable
  public func withRest<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    body(UnsafeRawBufferPointer(start: start + place, count: count - place))
  }

  /// Marks the lowest byte of `word` that is a quote, a backslash or a control character; marks
  /// above it mean nothing.
  @inlinable @inline(__always)
  static func ends(_ word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quote = word ^ 0x2222_2222_2222_2222
    let backslash = word ^ 0x5C5C_5C5C_5C5C_5C5C
    let isQuote = (quote &- ones) & ~quote
    let isBackslash = (backslash &- ones) & ~backslash
    let isControl = (word &- 0x2020_2020_2020_2020) & ~word
    return (isQuote | isBackslash | isControl) & 0x8080_8080_8080_8080
  }
}
