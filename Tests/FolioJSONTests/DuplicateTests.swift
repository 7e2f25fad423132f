import FolioJSON
import Testing

private enum Member: String, CaseIterable { case id, acceptedAt, sixteenBytesLong }
private let table = JSONMemberTable<Member>()
private func read(_ json: String) throws(JSONError) -> [Int64?] {
  let bytes = Array(json.utf8)
  let span = bytes.span
  var reader = JSONReader(span.bytes, .protocol)
  var found: [Int64?] = [nil, nil, nil]
  var members = try reader.beginMembers()
  while let member = try reader.nextMember(&members, table) {
    switch member {
    case .id: found[0] = try reader.readInteger()
    case .acceptedAt: found[1] = try reader.readInteger()
    case .sixteenBytesLong: found[2] = try reader.readInteger()
    }
  }
  try reader.finish()
  return found
}
private func membersFault(_ json: String) -> JSONError? {
  do throws(JSONError) {
    _ = try read(json)
    return nil
  } catch { return error }
}

@Suite struct DuplicateTests {
  @Test(arguments: [
    ("{\"a\":1,\"a\":2}", 7), ("{\"a\":1,\"\\u0061\":2}", 7), ("{\"\\u0061\":1,\"a\":2}", 12),
    ("[{\"x\":{\"abcdefghij\":1,\"abcdefghij\":2}}]", 22), ("{\"\":1,\"\":2}", 6),
    ("{\"a\":{\"a\":{}},\"a\":1}", 14), ("{\"id\\u0000\":1,\"id\":2,\"id\\u0000\":3}", 21),
  ])
  func F37_theSecondOfANameIsRefused(_ json: String, _ offset: Int) {
    #expect(fault(json) == JSONError(.duplicateMember, at: offset))
    #expect(fault(json, .rfc8259) == nil)
    #expect(valueFault(json, .rfc8259) == JSONError(.duplicateMember, at: offset))
  }

  @Test func F38_namesAreComparedAsBytes() throws {
    let json = "{\"\u{E9}\":1,\"e\u{301}\":2}"
    #expect(fault(json) == nil)
    guard case .object(let members) = try JSONValue(parsing: json) else {
      Issue.record("no object")
      return
    }
    #expect(members.count == 2)
    #expect(members.map(\.value) == [.integer(2), .integer(1)])
    #expect(try JSONValue(parsing: "\"\u{E9}\"") != JSONValue(parsing: "\"e\u{301}\""))
  }

  @Test func manyMembersCostNoSquare() {
    let members = (0..<100_000).map { "\"\(String($0, radix: 36))\":0" }
    let json = "{" + members.joined(separator: ",")
    #expect(fault(json + "}") == nil)
    let length = json.utf8.count
    #expect(
      fault(json + ",\"\(String(77_777, radix: 36))\":0}")
        == JSONError(.duplicateMember, at: length + 1))
  }

  @Test func membersOfAKnownShape() throws {
    #expect(try read("{}") == [nil, nil, nil])
    #expect(try read("{\"sixteenBytesLong\":3,\"id\":1}") == [1, nil, 3])
    #expect(try read("{ \"\\u0069d\" : 1 , \"x\":[{\"id\":9}],\"acceptedAt\":2}") == [1, 2, nil])
    #expect(
      try read("{\"id\\u0000\":1,\"idd\":2,\"\":3,\"seventeenBytesLo\":4,\"sixteenBytesLongX\":5}")
        == [nil, nil, nil])
    #expect(membersFault("{\"id\":1,\"\\u0069d\":2}") == JSONError(.duplicateMember, at: 8))
    #expect(membersFault("{\"x\":1,\"id\":1,\"\\u0078\":2}") == JSONError(.duplicateMember, at: 14))
    #expect(membersFault("{\"x\":{\"y\":1,\"y\":1}}") == JSONError(.duplicateMember, at: 12))
    #expect(membersFault("{\"x\":1.5}") == JSONError(.numberNotInteger, at: 5))
    #expect(membersFault("{\"id\":1") == JSONError(.unexpectedEnd, at: 7))
  }
}
