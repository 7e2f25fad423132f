/// JSON as RFC 8259 writes its grammar down: a function for each rule, and nothing clever.
///
/// It shares nothing with the product's reader, which tests hold against it. It recurses on its
/// input, and is for texts of at most some hundred levels.
public struct PlainJSON {
  /// How many brackets are open at once, at most.
  public private(set) var depth = 0
  /// Whether an object has two members whose names have the same characters.
  public private(set) var hasDuplicate = false
  /// Whether an escape stands for half of a surrogate pair, without the other.
  public private(set) var hasLoneSurrogate = false
  /// The numbers, as they are written.
  public private(set) var numbers: [String] = []

  private var rest: ArraySlice<Unicode.Scalar>
  private var level = 0

  private struct Mismatch: Error {}

  /// What is to be said of a text; nil where it is no JSON text.
  public init?(_ bytes: [UInt8]) {
    guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
    rest = Array(text.unicodeScalars)[...]
    do {
      try value()
      guard rest.isEmpty else { return nil }
    } catch {
      return nil
    }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == character else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func expect(_ text: String) throws {
    for character in text.unicodeScalars {
      guard take(character) else { throw Mismatch() }
    }
  }

  private mutating func next() throws -> Unicode.Scalar {
    guard let first = rest.popFirst() else { throw Mismatch() }
    return first
  }

  private mutating func whitespace() {
    while let first = rest.first, " \t\n\r".unicodeScalars.contains(first) { rest.removeFirst() }
  }

  private mutating func value() throws {
    whitespace()
    switch rest.first {
    case "{": try nested { (json) throws in try json.object() }
    case "[": try nested { (json) throws in try json.array() }
    case "\"": _ = try string()
    case "t": try expect("true")
    case "f": try expect("false")
    case "n": try expect("null")
    default: try number()
    }
    whitespace()
  }

  private mutating func nested(_ read: (inout PlainJSON) throws -> Void) throws {
    level += 1
    depth = max(depth, level)
    rest.removeFirst()
    whitespace()
    try read(&self)
    level -= 1
  }

  private mutating func object() throws {
    if take("}") { return }
    var names: Set<[UInt32]> = []
    repeat {
      whitespace()
      if !names.insert(try string()).inserted { hasDuplicate = true }
      whitespace()
      try expect(":")
      try value()
    } while take(",")
    try expect("}")
  }

  private mutating func array() throws {
    if take("]") { return }
    repeat { try value() } while take(",")
    try expect("]")
  }

  /// The characters of a string, halves of pairs among them.
  private mutating func string() throws -> [UInt32] {
    try expect("\"")
    var characters: [UInt32] = []
    while true {
      let character = try next()
      switch character {
      case "\"":
        if characters.contains(where: { (0xD800...0xDFFF).contains($0) }) {
          hasLoneSurrogate = true
        }
        return characters
      case "\\": append(try escape(), to: &characters)
      case "\u{0}"..<" ": throw Mismatch()
      default: characters.append(character.value)
      }
    }
  }

  private mutating func escape() throws -> UInt32 {
    switch try next() {
    case "\"": return 0x22
    case "\\": return 0x5C
    case "/": return 0x2F
    case "b": return 0x08
    case "f": return 0x0C
    case "n": return 0x0A
    case "r": return 0x0D
    case "t": return 0x09
    case "u":
      var unit: UInt32 = 0
      for _ in 0..<4 {
        let digit = try next()
        guard digit.isASCII, let value = Character(digit).hexDigitValue else { throw Mismatch() }
        unit = unit * 16 + UInt32(value)
      }
      return unit
    default: throw Mismatch()
    }
  }

  /// Adds what an escape stands for, which may complete a pair.
  private func append(_ unit: UInt32, to characters: inout [UInt32]) {
    if (0xDC00...0xDFFF).contains(unit), let high = characters.last,
      (0xD800...0xDBFF).contains(high)
    {
      characters[characters.count - 1] = 0x10000 + (high - 0xD800) * 0x400 + (unit - 0xDC00)
    } else {
      characters.append(unit)
    }
  }

  private mutating func number() throws {
    let start = rest
    _ = take("-")
    if !take("0") { try digits() }
    if take(".") { try digits() }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      try digits()
    }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: start.prefix(start.count - rest.count))
    numbers.append(String(text))
  }

  private mutating func digits() throws {
    guard let first = rest.first, ("0"..."9").contains(first) else { throw Mismatch() }
    while let first = rest.first, ("0"..."9").contains(first) { rest.removeFirst() }
  }
}
