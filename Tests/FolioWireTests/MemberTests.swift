import FolioJSON
import FolioWire
import Testing

/// What the members of messages may be, with code, offset and the request refused.
@Suite struct MemberTests {
  /// Puts `value` in place of `part` of `line` and expects `code` there.
  private func check(
    _ line: String, _ part: String, _ value: String, _ code: JSONError.Code,
    at place: String? = nil,
    request: UInt64? = 1, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let start = offset(of: part, in: line)
    #expect(start >= 0, "no such part", sourceLocation: sourceLocation)
    let changed =
      String(decoding: line.utf8.prefix(start), as: UTF8.self) + value
      + String(decoding: line.utf8.dropFirst(start + part.utf8.count), as: UTF8.self)
    let at = place.map { offset(of: $0, in: changed) } ?? start
    #expect(
      fault(changed) == WireError(.json(code), at: at, request: request.map { RequestID($0) }),
      "\(changed)", sourceLocation: sourceLocation)
  }

  @Test func kindsOfValues() {
    let line = Line.hello
    check(line, "[1]", "1", .wrongType)
    check(line, "[1]", "null", .wrongType)
    check(line, "[1]", "[\"1\"]", .wrongType, at: "\"1\"]")
    check(line, "[1]", "[]", .badValue)
    check(line, "[1]", "[0]", .badValue, at: "0]")
    check(line, "[1]", "[1.0]", .numberNotInteger, at: "1.0")
    check(line, "[1]", "[1e0]", .numberNotInteger, at: "1e0")
    check(line, "[1]", "[-0]", .numberNotInteger, at: "-0")
    check(line, "[1]", "[9007199254740992]", .numberOutOfRange, at: "9007")
    check(
      line, "[1]", "[" + Array(repeating: "1", count: 17).joined(separator: ",") + "]", .tooLong,
      at: "1]")
    check(line, "\"test\"", "\"\"", .badValue)
    check(line, "\"test\"", "\"" + String(repeating: "x", count: 65) + "\"", .tooLong)
    check(line, "\"\(Line.id128)\"", "\"\(Line.id128)0\"", .badValue)
    check(line, "\"\(Line.id128)\"", "\"0123456789ABCDEF0123456789abcdef\"", .badValue)
    check(line, "\"\(Line.id128)\"", "\"0123456789abcdeg0123456789abcdef\"", .badValue)
    check(line, "\"\(Line.id128)\"", "\"0123456789abcd\u{E9}0123456789abcdef\"", .badValue)
    check(line, "\"\(Line.id128)\"", "7", .wrongType)
    let without = line.replacing(",\"nonce\":\"\(Line.id128)\"", with: "")
    let end = without.utf8.count - 1
    #expect(fault(without) == WireError(.json(.missingMember), at: end, request: RequestID(1)))
  }

  @Test func hexadecimalDigitsMayBeWrittenAsEscapes() throws {
    let line = Line.hello.replacing("\"0123", with: "\"\\u0030123")
    #expect(fault(line) == nil)
    #expect(try Message(line: Array(line.utf8)) == Message(line: Array(Line.hello.utf8)))
    check(Line.hello, "\"0123", "\"\\u0041123", .badValue)
  }

  @Test func numbersOfRequests() {
    #expect(fault(Line.ping(0))?.code == .json(.badValue))
    #expect(fault(Line.ping(-1))?.code == .json(.badValue))
    #expect(fault(#"{"id":"1","type":"ping"}"#) == WireError(.json(.wrongType), at: 6))
    #expect(fault(#"{"type":"ping"}"#) == WireError(.json(.missingMember), at: 14))
    #expect(fault(#"{"re":1,"type":"ping"}"#) == WireError(.json(.missingMember), at: 21))
    #expect(
      fault(#"{"id":1,"type":"pong"}"#)
        == WireError(.json(.missingMember), at: 21, request: RequestID(1)))
    #expect(fault(#"{"type":"bye"}"#) == nil)
  }

  @Test func typesOfMessages() throws {
    #expect(fault("{}") == WireError(.json(.missingMember), at: 1))
    #expect(fault(#"{"id":4}"#) == WireError(.json(.missingMember), at: 7, request: RequestID(4)))
    #expect(
      fault(#"{"id":4,"type":7}"#) == WireError(.json(.wrongType), at: 15, request: RequestID(4)))
    #expect(fault(#"{"type":""}"#) == WireError(.json(.badValue), at: 8))
    #expect(fault("[1]") == WireError(.json(.wrongType), at: 0))
    #expect(fault(" \"page\"") == WireError(.json(.wrongType), at: 1))
    #expect(fault("[1,") == WireError(.json(.unexpectedEnd), at: 3))
    let unknown = try Message(line: Array(#"{"data":{"x":0.5},"id":7,"type":"later"}"#.utf8))
    #expect(unknown == .unknown(UnknownMessage(type: "later", id: RequestID(7))))
    #expect(fault(#"{"a":1,"a":2,"type":"later"}"#) == WireError(.json(.duplicateMember), at: 7))
    #expect(fault(#"{"re":0.5,"type":"later"}"#) == WireError(.json(.numberNotInteger), at: 6))
  }

  /// The shortcut that reads the type off the end of a line is never taken in by what stands there.
  @Test func theTypeIsAMemberOfTheLineItself() throws {
    #expect(fault(#"{"x":{"type":"bye"}"#) == WireError(.json(.unexpectedEnd), at: 19))
    #expect(fault(#"{"x":"a","type":"bye"}}"#) == WireError(.json(.trailingBytes), at: 22))
    #expect(fault(#"{"x":"\",\"type\":\"bye"}"#) == WireError(.json(.missingMember), at: 24))
    #expect(fault(#"{"type":"ping","type":"bye"}"#) == WireError(.json(.duplicateMember), at: 15))
    #expect(try Message(line: Array(#"{"x":{"type":"ping"},"type":"bye"}"#.utf8)) == .bye)
    #expect(try Message(line: Array(#"{"type":"bye","x":{"id":1,"type":"ping"}}"#.utf8)) == .bye)
  }

  @Test func aFaultOfTheGrammarComesBeforeAnyOther() {
    let line = Line.hello.replacing("[1]", with: "[1.5],\"z\":tru}")
    #expect(
      fault(line)
        == WireError(
          .json(.unexpectedByte),
          at: offset(of: "}", in: line) + line.utf8.count - offset(of: "}", in: line) - 2))
    let other = #"{"id":"x","a":1,"a":2,"type":"ping"}"#
    #expect(fault(other) == WireError(.json(.duplicateMember), at: 16))
    #expect(
      fault(#"{"id":1.5,"x":"\ud800","type":"ping"}"#) == WireError(.json(.loneSurrogate), at: 15))
  }

  @Test func unknownMembersAreDroppedUnderTheSameRules() {
    #expect(fault(#"{"id":1,"type":"ping","x":{"y":[1,"\u00e9",null]}}"#) == nil)
    #expect(
      fault(#"{"id":1,"type":"ping","x":0.5}"#)
        == WireError(.json(.numberNotInteger), at: 26, request: RequestID(1)))
    #expect(
      fault(#"{"id":1,"type":"ping","x":{"a":1,"\u0061":2}}"#)
        == WireError(.json(.duplicateMember), at: 33))
    let deep = String(repeating: "[", count: 32)
    #expect(
      fault(#"{"id":1,"type":"ping","x":\#(deep)"#)
        == WireError(.json(.nestingTooDeep), at: 26 + 31))
  }
}
