import FolioJSON
import TestSupport
import Testing

@Suite("Values of types as JSON, and back")
struct CodableTests {
  private enum Kind: String, Codable { case first, second }

  private struct Inner: Codable, Equatable {
    var list: [Int]
    var deep: [[String]]
    var table: [String: Bool]
  }

  private struct Outer: Codable, Equatable {
    var text = "é\u{0}\n"
    var flag = true
    var small: Int8 = -128
    var great: UInt64 = 1 << 52
    var whole = 3.0
    var part = 0.1
    var single: Float = 0.5
    var none: Int?
    var kind = Kind.second
    var inner = Inner(list: [], deep: [[], ["a"]], table: ["x": true])
    var any = JSONValue.array([.null, .object([JSONMember("b", .double(1.5))])])
  }

  private final class Base: Codable {
    var a = 1
    init() {}
  }

  @Test("A structure goes there and back, its members in order, absent where nil")
  func roundTrip() throws {
    let value = Outer()
    let json = try JSONValue(encoding: value)
    guard case .object(let members) = json else {
      Issue.record("\(json)")
      return
    }
    let names = members.map(\.name)
    #expect(names == names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    #expect(!names.contains("none"))
    #expect(members.first { $0.name == "whole" }?.value == .integer(3))
    #expect(try JSONValue(parsing: json.canonicalBytes) == json)
    #expect(try json.decoded(Outer.self) == value)
    #expect(try JSONValue(encoding: [1, 2]).decoded([Int].self) == [1, 2])
    #expect(try JSONValue(encoding: "x") == .string("x"))
    #expect(try JSONValue(encoding: Base()).decoded(Base.self).a == 1)
    #expect(try JSONValue(encoding: Int?.none) == .null)
  }

  @Test("What is not exact is refused, with its path")
  func exact() throws {
    struct Numbers: Encodable { var list: [UInt64] }
    let error = #expect(throws: EncodingError.self) {
      try JSONValue(encoding: Numbers(list: [1, 1 << 53]))
    }
    guard case .invalidValue(_, let context)? = error else { return }
    #expect(context.codingPath.map(\.stringValue) == ["list", "1"])
    #expect(throws: EncodingError.self) { try JSONValue(encoding: [Double.nan]) }
    #expect(throws: EncodingError.self) { try JSONValue(encoding: Double.infinity) }
  }

  @Test(
    "What is something else is refused",
    arguments: [
      #"{"a":"x"}"#, #"{"a":1.5}"#, #"{"a":300}"#, #"{"a":null}"#, #"{"a":true}"#, "{}", "[]",
    ])
  func mismatches(text: String) throws {
    struct Small: Decodable { var a: Int8 }
    let value = try JSONValue(parsing: Array(text.utf8))
    #expect(throws: DecodingError.self) { try value.decoded(Small.self) }
  }

  @Test("Members that a type does not know are passed over")
  func unknown() throws {
    struct Small: Decodable { var a: Int8? }
    let value = try JSONValue(parsing: Array(#"{"a":null,"b":[1]}"#.utf8))
    #expect(try value.decoded(Small.self).a == nil)
  }
}
