import FolioJSON
import Testing

/// Every rule of the lexer, with the code and the offset of its breach.
@Suite struct StrictnessTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var json: [UInt8]
    var code: JSONError.Code
    var offset: Int
    init(_ json: String, _ code: JSONError.Code, _ offset: Int) {
      self.init(Array(json.utf8), code, offset)
    }
    init(_ json: [UInt8], _ code: JSONError.Code, _ offset: Int) {
      self.json = json
      self.code = code
      self.offset = offset
    }
    var testDescription: String { "\(String(decoding: json, as: UTF8.self)) \(code)" }
  }

  @Test(arguments: [
    Case("", .unexpectedEnd, 0), Case("  ", .unexpectedEnd, 2), Case("{", .unexpectedEnd, 1),
    Case("[1", .unexpectedEnd, 2), Case("[1,", .unexpectedEnd, 3),
    Case("{\"a\"", .unexpectedEnd, 4),
    Case("\"a", .unexpectedEnd, 2), Case("\"\\", .unexpectedEnd, 2), Case("tru", .unexpectedEnd, 3),
    Case("\"\\u12", .unexpectedEnd, 5), Case("\"\\ud83d\\", .unexpectedEnd, 8),
    Case([0x22, 0xE2, 0x82], .unexpectedEnd, 3), Case("-", .unexpectedEnd, 1),
    Case("1.", .unexpectedEnd, 2), Case("1e+", .unexpectedEnd, 3),
    Case("[1,]", .unexpectedByte, 3), Case("[,1]", .unexpectedByte, 1),
    Case("[1 2]", .unexpectedByte, 3), Case("{\"a\":1,}", .unexpectedByte, 7),
    Case("{a:1}", .unexpectedByte, 1), Case("{\"a\" 1}", .unexpectedByte, 5),
    Case("[1}", .unexpectedByte, 2), Case("nul1", .unexpectedByte, 3),
    Case("'a'", .unexpectedByte, 0), Case("+1", .unexpectedByte, 0),
    Case("[01]", .unexpectedByte, 2),
    Case("NaN", .unexpectedByte, 0), Case([0], .unexpectedByte, 0),
    Case([0x0C, 0x31], .unexpectedByte, 0),
    Case("1 2", .trailingBytes, 2), Case("{}}", .trailingBytes, 2), Case("01", .trailingBytes, 1),
    Case([0xEF, 0xBB, 0xBF, 0x31], .byteOrderMark, 0),
    Case([0x22, 0x61, 0x00, 0x22], .controlCharacter, 2),
    Case("\"a\nb\"", .controlCharacter, 2), Case("\"a\rb\"", .controlCharacter, 2),
    Case([0x22, 0x1F, 0x22], .controlCharacter, 1),
    Case("\"12345678\\x\"", .badEscape, 9), Case("\"\\u12g4\"", .badEscape, 1),
    Case("\"\\U1234\"", .badEscape, 1), Case("-a", .badNumber, 0), Case("[.5]", .unexpectedByte, 1),
    Case("[1.]", .badNumber, 1), Case("[1.e1]", .badNumber, 1), Case("[1e]", .badNumber, 1),
    Case("[--1]", .badNumber, 1),
  ])
  func grammar(_ test: Case) {
    #expect(fault(test.json) == JSONError(test.code, at: test.offset))
    #expect(fault(test.json, .rfc8259) == JSONError(test.code, at: test.offset))
  }

  @Test(
    arguments: [
      [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2, 0x22], [0xE0, 0x9F, 0xBF],
      [0xED, 0xA0, 0x80], [0xEF, 0xBF], [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80],
      [0xF5, 0x80, 0x80, 0x80], [0xFF],
    ] as [[UInt8]])
  func invalidUTF8(_ sequence: [UInt8]) {
    let json: [UInt8] = [0x22, 0x61] + sequence + [0x22, 0x20, 0x20]
    #expect(fault(json, .rfc8259) == JSONError(.invalidUTF8, at: 2))
  }

  @Test(arguments: [
    "\\ud800", "\\udfff", "\\ud800\\ud800", "\\ud83dx", "\\ud83d\\n", "\\udc00\\ud800",
  ])
  func F40_loneSurrogates(_ escape: String) {
    #expect(fault("\"a\(escape)\"") == JSONError(.loneSurrogate, at: 2))
    #expect(fault("\"a\(escape)\"", .rfc8259) == JSONError(.loneSurrogate, at: 2))
    #expect(valueFault("{\"a\":\"\(escape)\"}", .rfc8259) == JSONError(.loneSurrogate, at: 6))
  }

  @Test func noncharactersAndTheEndsOfEachLengthAreText() throws {
    let scalars: [UInt32] = [
      0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFE, 0xFFFF, 0xFDD0, 0x10000, 0x10FFFF, 0x2028,
      0x85,
    ]
    let text = String(String.UnicodeScalarView(scalars.compactMap { Unicode.Scalar($0) }))
    let value = try JSONValue(parsing: "\"\(text)\"")
    #expect(value == .string(text))
    #expect(
      try JSONValue(parsing: #""\u007f\u0080\ud83d\ude00\uFFFF""#)
        == .string(
          "\u{7F}\u{80}😀"
            + text.unicodeScalars.filter { $0.value == 0xFFFF }.map(String.init).joined()))
  }

  @Test func F39_nestingIsRefusedAtTheFirstBracketTooMany() {
    let open = String(repeating: "[", count: 32)
    let close = String(repeating: "]", count: 32)
    #expect(fault(open + close) == nil)
    #expect(fault("[" + open + close + "]") == JSONError(.nestingTooDeep, at: 32))
    #expect(fault(String(repeating: "[", count: 100_000)) == JSONError(.nestingTooDeep, at: 32))
    let objects = String(repeating: "{\"a\":", count: 33)
    #expect(fault(objects) == JSONError(.nestingTooDeep, at: 32 * 5))
    #expect(fault(String(repeating: "[", count: 100_000), .rfc8259)?.code == .nestingTooDeep)
  }

  @Test func everyPrefixOfAValidTextEndsTooEarly() {
    let json = Array(
      #" {"a":[1,-0.5,2e+3,true,false,null,"\u00e9\ud83d\ude00 é€😀\n"],"b":{},"c":[[]]}"#.utf8)
    #expect(fault(json, .rfc8259) == nil)
    for length in json.indices {
      let prefix = Array(json[..<length])
      #expect(fault(prefix, .rfc8259) == JSONError(.unexpectedEnd, at: length))
    }
    let canonical = Array(#"{"a":[1,-0.5,true,false,null,"\"é€😀\n"],"b":{},"c":[[],0.05]}"#.utf8)
    #expect(canonicalFault(canonical) == nil)
    for length in canonical.indices {
      let prefix = Array(canonical[..<length])
      #expect(canonicalFault(prefix) == JSONError(.unexpectedEnd, at: length))
      #expect(fault(prefix, .document) == JSONError(.unexpectedEnd, at: length))
    }
  }

  @Test func anotherKindThanTheOneAskedFor() {
    func offset(_ json: String, _ read: (inout JSONReader) throws(JSONError) -> Void) -> JSONError?
    {
      let bytes = Array(json.utf8)
      let span = bytes.span
      var reader = JSONReader(span.bytes, .protocol)
      do throws(JSONError) {
        try read(&reader)
        return nil
      } catch { return error }
    }
    for json in ["{}", "[]", "1", "true", "null"] {
      #expect(
        offset(" " + json) { (r) throws(JSONError) in _ = try r.readString() }
          == JSONError(.wrongType, at: 1))
    }
    for json in ["{}", "[]", "\"1\"", "true", "null"] {
      #expect(
        offset(json) { (r) throws(JSONError) in _ = try r.readInteger() }
          == JSONError(.wrongType, at: 0))
    }
    #expect(offset("1") { (r) throws(JSONError) in try r.beginObject() }?.code == .wrongType)
    #expect(offset("{}") { (r) throws(JSONError) in try r.beginArray() }?.code == .wrongType)
    #expect(offset("null") { (r) throws(JSONError) in _ = try r.readBool() }?.code == .wrongType)
    #expect(offset("x") { (r) throws(JSONError) in _ = try r.readBool() }?.code == .unexpectedByte)
  }
}
