extension JSONReader {
  /// Reads one value and drops it, under the reader's rules.
  public mutating func skipValue() throws(JSONError) {
    // One byte a level: the bracket that closes it.
    var closers: [UInt8] = []
    while true {
      if try skipScalarOrOpen(&closers) { continue }
      // A value has ended; close what ends with it.
      while let closer = closers.last {
        if closer == UInt8(ascii: "}") {
          if try nextName() != nil { break }
        } else {
          if try nextElement() { break }
        }
        closers.removeLast()
      }
      if closers.isEmpty { return }
    }
  }

  /// Reads a scalar, or opens a container and moves to its first item; true where there is one.
  private mutating func skipScalarOrOpen(_ closers: inout [UInt8]) throws(JSONError) -> Bool {
    switch try peek() {
    case .object:
      try beginObject()
      guard try nextName() != nil else { return false }
      closers.append(UInt8(ascii: "}"))
      return true
    case .array:
      try beginArray()
      guard try nextElement() else { return false }
      closers.append(UInt8(ascii: "]"))
      return true
    case .string: _ = try readText()
    case .number: try skipNumber(rules.numbers)
    case .bool: _ = try readBool()
    case .null: _ = try readNull()
    }
    return false
  }
}
