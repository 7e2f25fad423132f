import FolioJSON
import FolioWire
import Testing

/// Lines made to cost much: refused, or taken at a small multiple of their length.
@Suite struct BoundsTests {
  @Test func F39_bracketsWithoutEnd() {
    let line = String(repeating: "[", count: 100_000)
    #expect(fault(line) == WireError(.json(.nestingTooDeep), at: 32))
    let inBody = Line.push(Line.transaction(body: String(repeating: "{\"a\":", count: 30_000)))
    #expect(fault(inBody)?.code == .json(.nestingTooDeep))
  }

  @Test func aMillionElements() {
    let many = String(repeating: "0,", count: 500_000) + "0"
    #expect(fault("{\"id\":1,\"type\":\"ping\",\"x\":[\(many)]}") == nil)
    #expect(
      fault(Line.hello.replacing("[1]", with: "[\(many.replacing("0", with: "1"))]"))?.code
        == .json(.tooLong))
  }

  @Test func membersByTheHundredThousand() {
    let names = (0..<40_000).map { "\"_\(String($0, radix: 36))\":0" }.joined(separator: ",")
    #expect(fault("{\"id\":1,\"type\":\"ping\",\(names)}") == nil)
    #expect(
      fault("{\"id\":1,\"type\":\"ping\",\(names),\"_2rs\":0}")?.code == .json(.duplicateMember))
    #expect(fault(Line.push(Line.transaction(more: ",\"x\":{\(names)}")))?.code == .json(.tooLong))
  }

  @Test func numbersOfTenThousandDigits() {
    let digits = String(repeating: "9", count: 10_000)
    #expect(fault("{\"id\":\(digits),\"type\":\"ping\"}")?.code == .json(.numberOutOfRange))
    #expect(
      fault(Line.push(Line.transaction(body: "{\"a\":0.\(digits)}")))?.code
        == .json(.numberNotPortable))
    #expect(
      fault(Line.push(Line.transaction(body: "{\"a\":\(digits)}")))?.code
        == .json(.numberNotPortable))
  }
}
