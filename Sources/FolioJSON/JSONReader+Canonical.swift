extension JSONReader {
  /// Reads one value that must be in canonical form, and returns where its bytes stand.
  ///
  /// Canonical form: no whitespace, member names in ascending byte order, the shortest escapes,
  /// portable numbers in their one form. Its bytes can be kept and compared as they are. The levels
  /// of the value count together with those open around it.
  ///
  /// - Throws: `JSONError` with `notCanonical` where the value could be written otherwise, with
  ///   `numberNotPortable` for a number that is not portable in its one form.
  public mutating func readCanonicalValue() throws(JSONError) -> Range<Int> {
    _ = try nextByte()
    let start = offset
    let base = depth
    precondition(rules.depthMax <= 64, "canonical form is checked to 64 levels")
    precondition(byteCount < 1 << 30, "canonical form is checked within a gibibyte")
    // For each open level whether it is an object, and the name last read there.
    var objects: UInt64 = 0
    var names = CanonicalNames()
    while true {
      if try openCanonical(&objects, &names) { continue }
      while depth > base {
        if objects & 1 == 1 {
          if try nextCanonicalItem(UInt8(ascii: "}")) {
            try readCanonicalName(&names)
            break
          }
        } else if try nextCanonicalItem(UInt8(ascii: "]")) {
          break
        }
        objects &>>= 1
      }
      if depth == base { return start..<offset }
    }
  }

  /// Takes the next `count` bytes, which the caller has found to be one value in canonical form.
  @inlinable
  package mutating func takeCanonicalValue(_ count: Int) -> Range<Int> {
    let start = cursor
    cursor += count
    return start..<cursor
  }

  /// Reads a scalar, or opens a container and moves to its first item; true where there is one.
  @inline(__always)
  private mutating func openCanonical(
    _ objects: inout UInt64, _ names: inout CanonicalNames
  ) throws(JSONError) -> Bool {
    guard offset < byteCount else { throw unexpected(offset) }
    switch byte(offset) {
    case UInt8(ascii: "\""): _ = try scanString(canonical: true)
    case UInt8(ascii: "{"):
      try open(UInt8(ascii: "{"))
      guard try nextCanonicalItem(UInt8(ascii: "}")) else { return false }
      objects = objects &<< 1 | 1
      names.forget(depth)
      try readCanonicalName(&names)
      return true
    case UInt8(ascii: "["):
      try open(UInt8(ascii: "["))
      guard try nextCanonicalItem(UInt8(ascii: "]")) else { return false }
      objects = objects &<< 1
      return true
    case UInt8(ascii: "t"): try readLiteral("true")
    case UInt8(ascii: "f"): try readLiteral("false")
    case UInt8(ascii: "n"): try readLiteral("null")
    case UInt8(ascii: "-"), 0x30...0x39: try skipNumber(.portable)
    default: throw spaceOrUnexpected()
    }
    return false
  }

  @inline(__always)
  private mutating func nextCanonicalItem(_ bracket: UInt8) throws(JSONError) -> Bool {
    guard offset < byteCount else { throw unexpected(offset) }
    let next = byte(offset)
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
    guard next == UInt8(ascii: ",") else { throw spaceOrUnexpected() }
    cursor += 1
    return true
  }

  @inline(__always)
  private mutating func readCanonicalName(_ names: inout CanonicalNames) throws(JSONError) {
    guard offset < byteCount, byte(offset) == UInt8(ascii: "\"") else { throw spaceOrUnexpected() }
    let name = try scanString(canonical: true)
    if let last = names.last(depth) {
      switch compare(last, name) {
      case 0: throw JSONError(.duplicateMember, at: name.offset)
      case 1: throw JSONError(.notCanonical, at: name.offset)
      default: break
      }
    }
    names.keep(name, depth)
    guard offset < byteCount, byte(offset) == UInt8(ascii: ":") else { throw spaceOrUnexpected() }
    cursor += 1
  }

  /// An error for the next byte, which is whitespace or belongs to no rule.
  @inline(never)
  private func spaceOrUnexpected() -> JSONError {
    guard offset < byteCount else { return unexpected(offset) }
    switch byte(offset) {
    case 0x20, 0x09, 0x0A, 0x0D: return JSONError(.notCanonical, at: offset)
    default: return unexpected(offset)
    }
  }

  /// -1, 0 or 1 as `a` is less than, equal to or greater than `b` in byte order.
  private func compare(_ a: JSONText, _ b: JSONText) -> Int {
    if a.isEscaped || b.isEscaped {
      return withText(a) { first in
        withText(b) { second in
          first.lexicographicallyPrecedes(second) ? -1 : first.elementsEqual(second) ? 0 : 1
        }
      }
    }
    let countA = a.end - a.start
    let countB = b.end - b.start
    for index in 0..<min(countA, countB) {
      let first = byte(a.start + index)
      let second = byte(b.start + index)
      if first != second { return first < second ? -1 : 1 }
    }
    return countA == countB ? 0 : countA < countB ? -1 : 1
  }
}

/// The name last read at each level, by depth.
private struct CanonicalNames {
  /// Start and length, of which the length has the escapes' mark in its lowest bit; -1 for none.
  ///
  /// Small, since all of it is written at each start: bodies are read by the thousand.
  private var starts = InlineArray<65, Int32>(repeating: -1)
  private var lengths = InlineArray<65, UInt32>(repeating: 0)

  mutating func forget(_ depth: Int) { starts[depth] = -1 }

  mutating func keep(_ name: JSONText, _ depth: Int) {
    starts[depth] = Int32(name.start)
    lengths[depth] = UInt32(name.end - name.start) << 1 | (name.isEscaped ? 1 : 0)
  }

  func last(_ depth: Int) -> JSONText? {
    let start = Int(starts[depth])
    guard start >= 0 else { return nil }
    let length = lengths[depth]
    return JSONText(start: start, end: start + Int(length >> 1), isEscaped: length & 1 == 1)
  }
}
