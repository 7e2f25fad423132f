import FolioDomain
import FolioJSON
import FolioWire
import Testing

/// What a transaction, an entry and their bodies may be.
@Suite struct TransactionTests {
  private func check(
    _ transaction: String, _ code: JSONError.Code, at place: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let line = Line.push(transaction)
    let at = offset(of: place, in: line)
    #expect(
      fault(line) == WireError(.json(code), at: at, request: RequestID(3)), "\(line)",
      sourceLocation: sourceLocation)
  }

  private func body(_ line: String) throws -> [UInt8] {
    guard case .request(_, .push(let push)) = try Message(line: Array(line.utf8)) else { return [] }
    return push.transactions[0].transaction.body
  }

  @Test func aPlainBodyKeepsItsExactBytes() throws {
    let text = #"{"a":[0.5,-1,"\u0001é\"\\"],"b":{"A":1,"a":2},"c":null}"#
    #expect(try body(Line.push(Line.transaction(body: text))) == Array(text.utf8))
    #expect(try body(Line.push(Line.transaction(body: "  {}  "))) == Array("{}".utf8))
  }

  @Test func aBodyThatIsNotCanonicalIsRefused() {
    check(Line.transaction(body: #"{"a": 1}"#), .notCanonical, at: " 1")
    check(Line.transaction(body: #"{"b":1,"a":2}"#), .notCanonical, at: "\"a\"")
    check(Line.transaction(body: #"{"a":"\u0041"}"#), .notCanonical, at: "\\u")
    check(Line.transaction(body: #"{"a":"\/"}"#), .notCanonical, at: "\\/")
    check(Line.transaction(body: #"{"a":1.50}"#), .numberNotPortable, at: "1.50")
    check(Line.transaction(body: #"{"a":1e2}"#), .numberNotPortable, at: "1e2")
    check(Line.transaction(body: #"{"a":-0}"#), .numberNotPortable, at: "-0")
    check(Line.transaction(body: #"{"a":9007199254740993}"#), .numberNotPortable, at: "9007")
    check(Line.transaction(body: "[]"), .wrongType, at: "[]")
    check(Line.transaction(body: "null"), .wrongType, at: "null")
    let line = Line.push(Line.transaction(body: #"{"a":1,"\u0061":2}"#))
    #expect(fault(line) == WireError(.json(.duplicateMember), at: offset(of: "\"\\u", in: line)))
  }

  @Test func aBodyNestsAsDeepAsTheLineLeaves() {
    func nested(_ levels: Int) -> String {
      "{\"a\":" + String(repeating: "[", count: levels - 1)
        + String(repeating: "]", count: levels - 1) + "}"
    }
    #expect(fault(Line.push(Line.transaction(body: nested(Wire.bodyDepthLimit)))) == nil)
    let line = Line.push(Line.transaction(body: nested(Wire.bodyDepthLimit + 1)))
    #expect(fault(line) == WireError(.json(.nestingTooDeep), at: offset(of: "]", in: line) - 1))
  }

  @Test func sealedBodies() throws {
    func sealed(_ body: String, _ more: String = ",\"keyId\":7") -> String {
      Line.transaction(body: body, more: more).replacing("\"plain\"", with: "\"sealed\"")
    }
    #expect(try body(Line.push(sealed("\"AQID\""))) == [1, 2, 3])
    #expect(try body(Line.push(sealed("\"_-8\""))) == [0xFF, 0xEF])
    #expect(try body(Line.push(sealed("\"\""))) == [])
    for text in ["\"AQI=\"", "\"A\"", "\"AR\"", "\"AQJ\"", "\"+A\"", "\"AQ ID\"", "\"AQIDA\""] {
      check(sealed(text), .badValue, at: text)
    }
    check(sealed("{}"), .badValue, at: "{}")
    check(Line.transaction(body: "\"AQID\""), .badValue, at: "\"AQID\"")
    check(sealed("\"AQID\"", ""), .missingMember, at: "}],")
    check(Line.transaction(more: ",\"keyId\":7"), .badValue, at: "7}")
    check(sealed("\"AQID\"", ",\"keyId\":0"), .badValue, at: "0}")
  }

  @Test func membersOfATransaction() {
    let line = Line.transaction()
    #expect(fault(Line.push(Line.transaction(more: ",\"version\":255,\"void\":true"))) == nil)
    check(Line.transaction(more: ",\"version\":0"), .badValue, at: "0}")
    check(Line.transaction(more: ",\"version\":256"), .badValue, at: "256")
    check(Line.transaction(more: ",\"void\":false"), .badValue, at: "false")
    check(line.replacing("\"plain\"", with: "\"other\""), .badValue, at: "\"other\"")
    check(line.replacing("\"sequence\":1", with: "\"sequence\":0"), .badValue, at: "0}")
    check(line.replacing(",\"sequence\":1", with: ""), .missingMember, at: "}],")
    check(line.replacing("\"body\":{},", with: ""), .missingMember, at: "}],")
    #expect(fault(#"{"id":3,"transactions":[],"type":"push"}"#)?.code == .json(.badValue))
  }

  @Test func F23_limitsOfSize() {
    func body(_ count: Int) -> String {
      "{\"a\":\"" + String(repeating: "x", count: count - 8) + "\"}"
    }
    #expect(fault(Line.push(Line.transaction(body: body(Wire.bodyByteLimit)))) == nil)
    check(Line.transaction(body: body(Wire.bodyByteLimit + 1)), .tooLong, at: "{\"a\"")
    let padding = Wire.transactionByteLimit - Line.transaction(more: ",\"x\":\"\"").utf8.count
    let full = Line.transaction(more: ",\"x\":\"\(String(repeating: "x", count: padding))\"")
    #expect(full.utf8.count == Wire.transactionByteLimit)
    #expect(fault(Line.push(full)) == nil)
    check(full.replacing("\"x\"", with: "\"xx\""), .tooLong, at: "{\"body\"")
  }

  @Test("The longest sealed body fits whatever entry is around it, and one byte more is refused")
  func sealedLimit() throws {
    func entry(_ count: Int) -> WireEntry {
      let greatest = Int64(Wire.integerLimit)
      return WireEntry(
        seq: Wire.integerLimit, acceptedAt: Timestamp(milliseconds: -greatest), kind: .accepted,
        transaction: Envelope(
          version: 255, id: TransactionID(.max), device: DeviceID(.max),
          deviceSequence: Wire.integerLimit, recordedAt: Timestamp(milliseconds: -greatest),
          form: .sealed, keyID: Wire.integerLimit, body: [UInt8](repeating: 0xFF, count: count)))
    }
    func line(_ count: Int) -> [UInt8] {
      let page = Page(
        entries: [entry(count)], last: LogPosition(seq: Wire.integerLimit, hash: .zero),
        more: false)
      return Array(Message.reply(RequestID(1), .page(page)).line.dropLast())
    }
    let longest = line(Wire.sealedBodyByteLimit)
    guard case .reply(_, .page(let page)) = try Message(line: longest) else {
      Issue.record("no page")
      return
    }
    #expect(page.entries == [entry(Wire.sealedBodyByteLimit)])
    #expect(fault(line(Wire.sealedBodyByteLimit + 1))?.code == .json(.tooLong))
    // A plain body, whose bytes are those on the line, has as much room.
    #expect(Wire.bodyByteLimit < Wire.sealedBodyByteLimit / 3 * 4)
  }

  @Test func stubsHaveAHashForTheBody() {
    let entry =
      #"{"acceptedAt":1,"bodyHash":"\#(Line.hash)","device":"\#(Line.id128)","form":"plain","#
      + #""id":"\#(Line.id128)","kind":"accepted","recordedAt":1,"seq":1,"sequence":1}"#
    let last = #""last":{"hash":"\#(Line.hash)","seq":1},"more":false,"re":1,"type":"page"}"#
    #expect(fault(#"{"entries":[\#(entry)],\#(last)"#) == nil)
    let both = entry.replacing("\"bodyHash\"", with: "\"body\":{},\"bodyHash\"")
    let line = #"{"entries":[\#(both)],\#(last)"#
    #expect(fault(line) == WireError(.json(.badValue), at: offset(of: "{}", in: line)))
    let refill =
      #"{"account":"\#(Line.hash)","after":{"hash":"\#(Line.hash)","seq":0},"#
      + #""entries":[\#(entry)],"id":9,"type":"refill"}"#
    #expect(
      fault(refill)
        == WireError(.json(.badValue), at: offset(of: entry, in: refill), request: RequestID(9)))
  }
}
