import FolioJSON
import TestSupport
import Testing

@Suite struct CanonicalTests {
  @Test(
    arguments: [
      ("{ }", .notCanonical, 1), ("{\"a\": 1}", .notCanonical, 5), ("{\"a\":1 }", .notCanonical, 6),
      ("[1, 2]", .notCanonical, 3), ("[\t1]", .notCanonical, 1),
      ("{\"b\":1,\"a\":2}", .notCanonical, 7),
      ("{\"a\":1,\"a\":2}", .duplicateMember, 7), ("{\"ab\":1,\"a\":2}", .notCanonical, 8),
      ("{\"a\":{\"z\":1},\"A\":1}", .notCanonical, 13), ("[\"\\/\"]", .notCanonical, 2),
      ("[\"\\u0061\"]", .notCanonical, 2), ("[\"\\u000a\"]", .notCanonical, 2),
      ("[\"\\u000B\"]", .notCanonical, 2), ("[\"\\ud83d\\ude00\"]", .notCanonical, 2),
      ("[\"\\u007f\"]", .notCanonical, 2), ("[\"\\u0022\"]", .notCanonical, 2),
      ("[1.50]", .numberNotPortable, 1), ("{\"a\" :1}", .notCanonical, 4),
      ("[1,]", .unexpectedByte, 3),
      ("{\"a\\\\\":1,\"a\\\"\":1}", .notCanonical, 9),
    ] as [(String, JSONError.Code, Int)])
  func whatIsNotCanonicalIsRefusedWhereItIs(_ json: String, _ code: JSONError.Code, _ offset: Int) {
    #expect(canonicalFault(json) == JSONError(code, at: offset))
  }

  @Test(arguments: [
    "{}", "[]", "null", "\"\"", "{\"\":0}", "{\"a\":[],\"b\":{}}",
    "\"\\u0000\\u001f\\b\\t\\n\\f\\r\\\"\\\\/\u{7F}é😀\"",
    "{\"A\":1,\"a\":{\"x\":1},\"a\\\"\":2,\"aa\":[{\"a\":1},{\"a\":1}],\"é\":0}",
  ])
  func canonicalTextsAreTakenAndWrittenTheSame(_ json: String) throws {
    #expect(canonicalFault(json) == nil)
    #expect(try JSONValue(parsing: json).canonicalBytes == Array(json.utf8))
  }

  /// Text is looked at several bytes a step: what needs an escape is found wherever it stands, beside
  /// whatever else.
  @Test func whatNeedsAnEscapeIsFoundAtEachPlace() throws {
    let escapes: [(String, String)] = [
      ("", ""), ("\"", "\\\""), ("\\", "\\\\"), ("\u{0}", "\\u0000"), ("\u{1F}", "\\u001f"),
      ("\n", "\\n"), (" ", " "), ("\u{7F}", "\u{7F}"), ("!", "!"), ("#", "#"), ("[", "["),
      ("]", "]"), ("é", "é"), ("\u{20AC}", "\u{20AC}"), ("😀", "😀"), ("\u{A2}", "\u{A2}"),
    ]
    for filler in ["a", "é", "\u{10FFFF}", "!"] {
      for before in 0...18 {
        for (character, escaped) in escapes {
          for after in [0, 1, 7, 8, 16] {
            let head = String(repeating: filler, count: before)
            let tail = String(repeating: filler, count: after)
            for repeats in [1, 2] {
              let text = head + String(repeating: character, count: repeats) + tail
              let json = head + String(repeating: escaped, count: repeats) + tail
              let written = try JSONValue.string(text).canonicalBytes
              try #require(written == Array("\"\(json)\"".utf8), "\(text.utf8.count) bytes")
            }
          }
        }
      }
    }
  }

  @Test func levelsCountFromTheLine() {
    func read(_ json: String) -> JSONError? {
      let bytes = Array(json.utf8)
      let span = bytes.span
      var reader = JSONReader(span.bytes, .protocol)
      do throws(JSONError) {
        try reader.beginArray()
        _ = try reader.nextElement()
        _ = try reader.readCanonicalValue()
        return nil
      } catch { return error }
    }
    let fits = String(repeating: "[", count: 31) + String(repeating: "]", count: 31)
    #expect(read("[\(fits)]") == nil)
    #expect(read("[[\(fits)]]") == JSONError(.nestingTooDeep, at: 32))
  }

  /// A value is canonical exactly when writing it anew gives the same bytes.
  @Test func canonicalMeansThatWritingChangesNothing() throws {
    var random = SeededRandom()
    for _ in 0..<300 {
      let value = JSONValue.random(&random, levels: 4)
      let bytes = try value.canonicalBytes
      #expect(canonicalFault(bytes) == nil)
      #expect(fault(bytes, .document) == nil)
      let back = try JSONValue(parsing: bytes)
      #expect(back == value)
      #expect(try back.canonicalBytes == bytes)
      #expect(value.canonical == back)
      // Change a byte: what is still taken as canonical is still written the same.
      var mutated = bytes
      mutated[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
      if canonicalFault(mutated) == nil {
        #expect(try JSONValue(parsing: mutated).canonicalBytes == mutated)
      } else if let value = try? JSONValue(parsing: mutated, .rfc8259) {
        #expect(try value.canonicalBytes != mutated)
      }
    }
  }

  @Test func membersAreWrittenInByteOrder() throws {
    let value = try JSONValue(parsing: "{\"b\":1,\"a\":2,\"é\":3,\"B\":4}")
    #expect(try value.canonicalBytes == Array("{\"B\":4,\"a\":2,\"b\":1,\"é\":3}".utf8))
    let made = JSONValue.object([JSONMember("b", .null), JSONMember("a", .null)])
    #expect(try made.canonicalBytes == Array("{\"a\":null,\"b\":null}".utf8))
    #expect(throws: JSONValueError(.duplicateMember, path: "/a")) {
      try JSONValue.object([JSONMember("a", .null), JSONMember("a", .null)]).canonicalBytes
    }
    #expect(throws: JSONValueError(.nestingTooDeep, path: "/0/0")) {
      try JSONValue.array([.array([.array([])])]).validate(depthMax: 2)
    }
  }

  @Test func theCanonicalValueIsTheOneReadBack() throws {
    let made = JSONValue.object([
      JSONMember("b", .array([.double(2), .double(-0.0), .double(1.5), .integer(3)])),
      JSONMember("a", .object([JSONMember("z", .double(-4)), JSONMember("y", .string("é"))])),
    ])
    let back = try JSONValue(parsing: made.canonicalBytes)
    #expect(made != back)
    #expect(made.canonical == back)
    #expect(back.canonical == back)
    // Of what cannot be written nothing is made.
    #expect(JSONValue.array([.double(.infinity)]).canonical == .array([.double(.infinity)]))
  }

  @Test func theWriterEscapesWhatItMustAndNothingElse() {
    var writer = JSONWriter()
    writer.beginArray()
    writer.string("\u{0}\u{8}\t\n\u{B}\u{C}\r\u{1F} \"\\/\u{7F}é\u{2028}")
    writer.integer(Int64.min)
    writer.integer(UInt64.max)
    writer.bool(true)
    writer.null()
    writer.beginObject()
    writer.endObject()
    writer.endArray()
    let expected =
      #"["\u0000\b\t\n\u000b\f\r\u001f \"\\/"# + "\u{7F}é\u{2028}"
      + "\",-9223372036854775808,18446744073709551615,true,null,{}]"
    #expect(writer.finish() == Array(expected.utf8))
  }
}

extension JSONValue {
  /// A random value that documents may hold.
  static func random(_ random: inout SeededRandom, levels: Int) -> JSONValue {
    switch random.next() % (levels > 0 ? 8 : 6) {
    case 0: .null
    case 1: .bool(random.next() % 2 == 0)
    case 2: .integer(Int64(random.next() % 9_007_199_254_740_992) - 4_503_599_627_370_496)
    case 3, 4: .string(randomText(&random))
    case 5: randomFraction(&random)
    case 6: .array((0..<random.next() % 4).map { _ in .random(&random, levels: levels - 1) })
    default: randomObject(&random, levels: levels)
    }
  }

  private static func randomFraction(_ random: inout SeededRandom) -> JSONValue {
    let scale = [1e-5, 1e-3, 1.0, 1e6, 1e14][Int(random.next() % 5)]
    let value = Double(random.next() % 9_007_199_254_740_992) / 9e15 * scale + 1e-6
    return value == value.rounded() ? .integer(Int64(value)) : .double(value)
  }

  static func randomText(_ random: inout SeededRandom) -> String {
    let scalars: [Unicode.Scalar] = [
      "a", "b", "\"", "\\", "/", "\n", "\u{1}", "\u{7F}", "é", "€", "😀", "\u{301}",
    ]
    var text = String.UnicodeScalarView()
    for _ in 0..<random.next() % 20 { text.append(scalars[Int(random.next() % 12)]) }
    return String(text)
  }

  private static func randomObject(_ random: inout SeededRandom, levels: Int) -> JSONValue {
    var members: [JSONMember] = []
    for _ in 0..<random.next() % 5 {
      let name = randomText(&random)
      if members.contains(where: { $0.name.utf8.elementsEqual(name.utf8) }) { continue }
      members.append(JSONMember(name, .random(&random, levels: levels - 1)))
    }
    return (try? .object(sorting: members)) ?? .null
  }
}
