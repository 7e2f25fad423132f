import FolioJSON
import FolioWire
import TestSupport
import Testing

@Suite struct RoundTripTests {
  @Test(arguments: MessageType.allCases)
  func whatIsWrittenIsReadBackTheSame(_ type: MessageType) throws {
    var source = MessageSource(random: SeededRandom("\(type)"))
    for _ in 0..<60 {
      let message = source.message(type)
      var line = message.line
      #expect(line.popLast() == 0x0A)
      #expect(!line.contains(0x0A))
      let back = try Message(line: line)
      #expect(back == message)
      #expect(back.line.dropLast() == line[...])
      #expect(isCanonical(line))
    }
  }

  /// Order of members, white space, escapes and unknown members make no difference.
  @Test(arguments: MessageType.allCases)
  func otherSpellingsOfALineMeanTheSame(_ type: MessageType) throws {
    var source = MessageSource(random: SeededRandom("\(type)"))
    for _ in 0..<20 {
      let message = source.message(type)
      let value = try JSONValue(parsing: Array(message.line.dropLast()))
      guard case .object(var members) = value else { return }
      members.shuffle(using: &source.random)
      members.insert(JSONMember("x\u{E9}", .array([.object([]), .string("\u{1}")])), at: 0)
      let parts = try members.map { member in
        "\"\(escaped(member.name))\" :\t"
          + String(decoding: try member.value.canonicalBytes, as: UTF8.self)
      }
      let line = Array("  { \(parts.joined(separator: " , ")) } ".utf8)
      #expect(try Message(line: line) == message)
    }
  }

  /// The name with each character written as an escape.
  private func escaped(_ name: String) -> String {
    name.unicodeScalars.map { scalar in
      let digits = String(scalar.value, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }.joined()
  }

  /// Whatever single byte is changed: the line is refused, or written back so that it means the same.
  @Test func changedLinesNeverMeanTwoThings() throws {
    var source = MessageSource(random: SeededRandom())
    for _ in 0..<2_000 {
      let type = source.random.pick(MessageType.allCases)
      var line = Array(source.message(type).line.dropLast())
      line[source.random.int(0...line.count - 1)] = UInt8(truncatingIfNeeded: source.random.next())
      do throws(WireError) {
        let message = try Message(line: line)
        #expect(try Message(line: Array(message.line.dropLast())) == message)
      } catch {
        #expect((0...line.count).contains(error.offset))
      }
    }
  }

  @Test(arguments: MessageType.allCases)
  func everyPrefixEndsTooEarly(_ type: MessageType) throws {
    var source = MessageSource(random: SeededRandom("\(type)"))
    let line = Array(source.message(type).line.dropLast())
    for length in 0..<line.count {
      let prefix = Array(line[..<length])
      #expect(throws: WireError(.json(.unexpectedEnd), at: length)) { try Message(line: prefix) }
    }
  }

  /// Whatever a line is refused for, at its start or at the end of the longest.
  @Test func everyRefusalIsReadBack() throws {
    let codes: [WireError.Code] =
      [.lineTooLong, .strayCarriageReturn, .unterminatedLine]
      + JSONError.Code.allCases.map { .json($0) }
    for code in codes {
      for offset in [0, 1, Wire.lineByteLimit] {
        let refusal = Message.error(nil, .malformed(WireError(code, at: offset)))
        #expect(try Message(line: Array(refusal.line.dropLast())) == refusal)
      }
    }
  }
}

/// Whether a line is written as the encoder writes.
func isCanonical(_ line: [UInt8]) -> Bool {
  let span = line.span
  var reader = JSONReader(span.bytes, .document)
  do throws(JSONError) {
    let range = try reader.readCanonicalValue()
    return range == 0..<line.count
  } catch {
    return false
  }
}
