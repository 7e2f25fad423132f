@_spi(Matching) import FolioJSON
import TestSupport
import Testing

/// Matching without a reader says of no text anything that the reader does not say.
@Suite("Matching the usual shape")
struct MatcherTests {
  private func match<R>(_ text: [UInt8], _ body: (inout JSONMatcher) -> R) -> (R, offset: Int)? {
    text.withUnsafeBytes { bytes in
      guard var matcher = JSONMatcher(bytes) else { return nil }
      let result = body(&matcher)
      return (result, matcher.offset)
    }
  }

  @Test(
    "A literal is matched whole or not at all",
    arguments: [
      "a", "abc", "abcdefg", "abcdefgh", "abcdefghi", "abcdefghijklmno", "abcdefghijklmnop",
      "abcdefghijklmnopqrstuvwxyz01234",
    ] as [Literal])
  func literals(_ literal: Literal) throws {
    let text = Array("\(literal.text)".utf8)
    let whole = try #require(match(text + [0x78]) { $0.take(literal.text) })
    #expect(whole.0 && whole.offset == text.count)
    for index in text.indices {
      var changed = text
      changed[index] ^= 1
      for other in [changed + [0x78], Array(text[..<index])] where !other.isEmpty {
        let result = try #require(match(other) { $0.take(literal.text) })
        #expect(!result.0 && result.offset == 0)
      }
    }
  }

  @Test("Integers of every length, in every container, are those that the reader reads")
  func integers() throws {
    let digits = ["12345678901234567890", "90071992547409919999", "00000000000000000000"]
    for length in 0...20 {
      for number in digits.map({ String($0.prefix(length)) }) {
        for end in [",", "}", "]", "", "x", ".5", "e1", " "] {
          let text = Array((number + end).utf8)
          let found = match(text) { $0.integer() }
          let reading = Array("[\(number)\(end == "," ? ",0]" : end)".utf8)
          let span = reading.span
          var reader = JSONReader(span.bytes, .protocol)
          try reader.beginArray()
          guard (try? reader.nextElement()) == true else { continue }
          var read = try? reader.readInteger()
          // A zero that others follow is read, and they are not.
          if reader.offset != 1 + length { read = nil }
          if let found, let value = found.0 {
            #expect(found.offset == length)
            // What stands behind a number is matched as what it is, and is none of these.
            if ![".5", "e1", ""].contains(end) { #expect(read == Int64(value), "\(number)\(end)") }
          } else if length <= 15, read != nil {
            Issue.record("not matched: \(number)\(end)")
          }
        }
      }
    }
  }

  @Test("Every byte, in every place of a text, is taken as the reader takes it")
  func bytesOfTexts() throws {
    for length in [1, 7, 8, 9, 17] {
      for place in 0..<length {
        for byte in UInt8.min ... .max {
          var text = [UInt8](repeating: 0x61, count: length)
          text[place] = byte
          try check(text)
        }
      }
    }
  }

  @Test("Texts as they are written, and changed at random, are taken as the reader takes them")
  func writtenTexts() throws {
    var random = SeededRandom()
    let scalars: [Unicode.Scalar] = ["a", "Z", "\"", "\\", "/", "\n", "\u{1}", "\u{7F}", "é", "😀"]
    for _ in 0..<3_000 {
      var text = String.UnicodeScalarView()
      for _ in 0..<random.int(0...30) {
        text.append(random.one(in: 3) ? random.pick(scalars) : "b")
      }
      var writer = JSONWriter()
      writer.string(String(text))
      var written = Array(writer.finish().dropFirst().dropLast())
      if random.one(in: 3), !written.isEmpty {
        written[random.int(0...(written.count - 1))] = UInt8(random.int(0...255))
      }
      try check(written)
    }
  }

  /// What is matched between quotes, whole or in part, against what is read.
  private func check(_ content: [UInt8]) throws {
    let text = content + Array("\",\"next\":\"\"}".utf8)
    let quoted = [0x22] + text
    let span = quoted.span
    var reader = JSONReader(span.bytes, .protocol)
    let read = try? reader.readText()
    let matched = try #require(match(text) { $0.text().map { Array($0) } })
    if let bytes = matched.0 {
      // A text that is not UTF-8 is matched, and left to whoever reads it.
      if String(validating: bytes, as: UTF8.self) != nil {
        #expect(read.map { Array(quoted[$0.start..<$0.end]) } == bytes && read?.isEscaped == false)
      }
      #expect(matched.offset == bytes.count + 1)
    } else if let read {
      #expect(read.isEscaped, "not matched: \(content)")
    }
    let passed = try #require(match(text) { $0.passText() })
    if passed.0 {
      #expect(read.map { $0.end } == passed.offset && read?.isEscaped == false)
    } else if let read {
      #expect(read.isEscaped || quoted[read.start..<read.end].contains { $0 >= 0x80 })
    }
  }

  @Test("Digits are so many bytes, and a quote behind them")
  func digits() throws {
    let text = Array("0123456789abcdef\",".utf8)
    for length in 0...20 {
      let found = try #require(match(text) { $0.digits(length).map { Array($0) } })
      #expect(found.0 == (length == 16 ? Array(text[..<16]) : nil))
      #expect(found.offset == (length == 16 ? 17 : 0))
    }
  }
}

/// A literal as an argument of a test.
struct Literal: ExpressibleByStringLiteral, CustomTestStringConvertible, Sendable {
  var text: StaticString
  init(stringLiteral text: StaticString) { self.text = text }
  var testDescription: String { "\(text)" }
}
