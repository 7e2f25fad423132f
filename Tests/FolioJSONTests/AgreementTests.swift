import FolioJSON
import Foundation
import TestSupport
import Testing

/// What is JSON and what is not, held against two other readers on texts made at random.
@Suite("Agreement with other readers of JSON")
struct AgreementTests {
  /// Where the lexer, in its RFC 8259 mode, is stricter than the grammar; there is no more.
  private func isBeyondGrammar(_ plain: PlainJSON) -> Bool {
    plain.hasLoneSurrogate || plain.depth > 512
  }

  /// Where the protocol is stricter than that.
  private func isBeyondProtocol(_ plain: PlainJSON) -> Bool {
    isBeyondGrammar(plain) || plain.depth > 32 || plain.hasDuplicate
      || plain.numbers.contains { number in
        let isInteger = number.allSatisfy { $0 == "-" || $0.isNumber } && number != "-0"
        return !isInteger || (Int64(number).map { $0.magnitude >= 1 << 53 } ?? true)
      }
  }

  @Test("A reader that follows the grammar word by word says the same")
  func plainReader() {
    var texts = RandomTexts(random: SeededRandom())
    var validCount = 0
    for _ in 0..<15_000 {
      let text = texts.next()
      let plain = PlainJSON(text)
      if plain != nil { validCount += 1 }
      let isJSON = plain.map { !isBeyondGrammar($0) } ?? false
      #expect((fault(text, .rfc8259) == nil) == isJSON, "\(show(text))")
      let isProtocol = plain.map { !isBeyondProtocol($0) } ?? false
      #expect((fault(text, .protocol) == nil) == isProtocol, "\(show(text))")
    }
    #expect((3_000...13_000).contains(validCount))
  }

  @Test("So does Foundation's, but for what it is known to take or to refuse")
  func foundation() {
    var texts = RandomTexts(random: SeededRandom())
    for _ in 0..<15_000 {
      let text = texts.next()
      guard !isKnownToDiffer(text) else { continue }
      let other = try? JSONSerialization.jsonObject(
        with: Data(text), options: [.fragmentsAllowed])
      #expect((fault(text, .rfc8259) == nil) == (other != nil), "\(show(text))")
    }
  }

  /// What Foundation says otherwise.
  private func isKnownToDiffer(_ text: [UInt8]) -> Bool {
    // It takes a byte order mark, and other encodings, which it knows by their zeros.
    if text.starts(with: [0xEF, 0xBB, 0xBF]) || text.contains(0) { return true }
    // It refuses numbers that no double can hold.
    if PlainJSON(text)?.numbers.contains(where: { Double($0)?.isFinite != true }) == true {
      return true
    }
    // It takes a comma before the bracket that closes.
    return String(decoding: text, as: UTF8.self).contains(/,[ \t\r\n]*[\]}]/)
  }

  @Test("Levels beyond the limit are where they differ from the grammar")
  func levels() throws {
    for (count, rules) in [(32, JSONRules.protocol), (512, .rfc8259)] {
      for opening in ["[", "{\"a\":"] {
        let closing = opening == "[" ? "]" : "}"
        for levels in [count, count + 1] {
          let text = Array(
            (String(repeating: opening, count: levels) + "0"
              + String(repeating: closing, count: levels)).utf8)
          #expect(try #require(PlainJSON(text)).depth == levels)
          #expect((fault(text, rules) == nil) == (levels == count))
        }
      }
    }
  }

  private func show(_ text: [UInt8]) -> String {
    String(decoding: text, as: UTF8.self).debugDescription
  }
}

/// Texts that are JSON, nearly JSON, or made of its parts in any order.
private struct RandomTexts {
  var random: SeededRandom

  private static let scalars = [
    "0", "-0", "1", "-17", "9007199254740991", "9007199254740992", "12345678901234567890123",
    "0.5", "1.50", "1e5", "2E-3", "1e400", "true", "false", "null", "\"\"", "\"a\"", "\"é\"",
    "\"\\u00e9\"", "\"\\ud83d\\ude00\"", "\"\\ud83d\"", "\"\\ude00\\ud83d\"", "\"a\\n\\\"/\\/\"",
    "\"12345678\"", "\"\u{7F}\u{2028}\u{FFFF}😀\"",
  ]
  private static let parts =
    scalars + [
      "{", "}", "[", "]", ",", ":", " ", "\t", "\r\n", "\"", "\\", "\\u", "01", "1.", "-", "+1",
      ".5", "NaN", "nul", "'a'", "/**/", "\u{FEFF}", "\u{0}", "\u{1}", "\u{A0}", "{}", "[]",
    ]
  private static let bytes: [[UInt8]] = [
    [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82],
  ]

  mutating func next() -> [UInt8] {
    if random.one(in: 4) {
      return (0..<random.int(1...6)).flatMap { _ in part() }
    }
    var text = value(levels: 3)
    if random.one(in: 2) { change(&text) }
    return text
  }

  private mutating func part() -> [UInt8] {
    random.one(in: 12) ? random.pick(Self.bytes) : Array(random.pick(Self.parts).utf8)
  }

  private mutating func space() -> [UInt8] {
    random.one(in: 4) ? Array(random.pick([" ", "\n", "\r\t "]).utf8) : []
  }

  private mutating func value(levels: Int) -> [UInt8] {
    let shape = random.int(0...(levels > 0 ? 5 : 1))
    guard shape > 1 else { return space() + Array(random.pick(Self.scalars).utf8) + space() }
    let isObject = shape > 3
    var text: [UInt8] = [isObject ? 0x7B : 0x5B] + space()
    for index in 0..<random.int(0...3) {
      if index > 0 { text.append(0x2C) }
      if isObject {
        let name = random.pick(["a", "b", "c", "\\u0061", "é", "12345678"])
        text += space() + Array("\"\(name)\"".utf8) + space() + [0x3A]
      }
      text += value(levels: levels - 1)
    }
    return text + [isObject ? 0x7D : 0x5D]
  }

  private mutating func change(_ text: inout [UInt8]) {
    let place = random.int(0...(text.count - 1))
    switch random.int(0...3) {
    case 0: text[place] = UInt8(random.int(0...255))
    case 1: text.remove(at: place)
    case 2: text.removeLast(text.count - place)
    default: text.insert(contentsOf: part(), at: place)
    }
  }
}
