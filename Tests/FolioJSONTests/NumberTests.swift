import FolioJSON
import Testing

@Suite struct NumberTests {
  @Test func F35_integersAreExactOrRefused() throws {
    #expect(
      try JSONValue(parsing: "9007199254740991", .protocol) == .integer(9_007_199_254_740_991))
    #expect(try JSONValue(parsing: "-9007199254740991") == .integer(-9_007_199_254_740_991))
    for json in [
      "9007199254740992", "9007199254740993", "-9007199254740992", "99999999999999999999999999",
    ] {
      #expect(fault("[\(json)]") == JSONError(.numberOutOfRange, at: 1))
      #expect(fault("[\(json)]", .document) == JSONError(.numberNotPortable, at: 1))
      #expect(valueFault("[\(json)]", .rfc8259) == JSONError(.numberNotPortable, at: 1))
    }
    #expect(fault(String(repeating: "9", count: 10_000)) == JSONError(.numberOutOfRange, at: 0))
  }

  @Test func integersOfEveryLengthAreReadWhereverTheyStand() throws {
    for length in 1...16 {
      for digits in ["1234567890123456", "9007199254740991", "8000000000000000"] {
        let value = try #require(Int64(digits.prefix(length)))
        for sign in ["", "-"] {
          let number = JSONValue.integer(sign.isEmpty ? value : -value)
          #expect(try JSONValue(parsing: "\(sign)\(value)", .protocol) == number)
          #expect(
            try JSONValue(parsing: "[\(sign)\(value), \(sign)\(value) ]", .protocol)
              == .array([number, number]))
          #expect(
            try JSONValue(parsing: "{\"a\":\(sign)\(value)}", .protocol)
              == .object([JSONMember("a", number)]))
          // Half a number is no number, and a leading zero none either.
          #expect(fault("[\(sign)\(value)") != nil)
          #expect(fault("[\(sign)0\(value)]") != nil)
          #expect(
            fault("[\(sign)\(value)x]") == JSONError(.unexpectedByte, at: length + sign.count + 1))
        }
      }
    }
  }

  @Test func integersAreWrittenWithAllTheirDigits() {
    for value in [0, 1, 9, 10, 99, 100, 12_345_678, UInt64(1) << 53, .max, .max / 10] {
      for value in [value, value &- 1] {
        var writer = JSONWriter()
        writer.integer(value)
        #expect(String(decoding: writer.bytes, as: UTF8.self) == String(value))
      }
    }
  }

  @Test(arguments: ["34.0", "1e2", "-0", "0.5", "1E0", "-0.0", "1e400"])
  func F36_onlyPlainDigitsAreIntegers(_ json: String) {
    #expect(fault("{\"a\":\(json)}") == JSONError(.numberNotInteger, at: 5))
    #expect(fault("{\"a\":\(json)}", .rfc8259) == nil)
  }

  @Test(arguments: ["true", "\"1\"", "null", "[]"])
  func F36_otherValuesAreNoIntegers(_ json: String) {
    let bytes = Array(json.utf8)
    let span = bytes.span
    var reader = JSONReader(span.bytes, .protocol)
    do throws(JSONError) {
      _ = try reader.readInteger()
      Issue.record("taken")
    } catch { #expect(error == JSONError(.wrongType, at: 0)) }
  }

  @Test(arguments: [
    ("0.5", 0.5), ("-1.25", -1.25), ("0.000001", 0.000001), ("0.0000015", 0.0000015),
    ("999999999999999.9", 999_999_999_999_999.9), ("3.141592653589793", 3.141592653589793),
    ("0.1", 0.1), ("123456.789", 123456.789),
  ])
  func portableFractionsHaveOneForm(_ json: String, _ value: Double) throws {
    #expect(try JSONValue(parsing: json) == .double(value))
    #expect(try JSONValue.double(value).canonicalBytes == Array(json.utf8))
    #expect(fault(json, .document) == nil)
    #expect(canonicalFault(json) == nil)
  }

  @Test(arguments: [
    "1.50", "1.0", "1e3", "1E-2", "-0", "-0.0", "0.10000000000000000555", "0.0000001",
    "1000000000000000.5", "1e15", "3.1415926535897932", "1e400", "1e-400",
  ])
  func otherFormsAreRefusedInDocuments(_ json: String) {
    #expect(fault(json, .document) == JSONError(.numberNotPortable, at: 0))
    #expect(canonicalFault(json) == JSONError(.numberNotPortable, at: 0))
  }

  @Test(
    arguments: [
      ("1.50", .double(1.5)), ("1e3", .integer(1000)), ("1.0", .integer(1)), ("-0", .integer(0)),
      ("-0.0", .integer(0)), ("150e-2", .double(1.5)), ("0e999999999999999999", .integer(0)),
      ("9007199254740991.0", .integer(9_007_199_254_740_991)), ("1E-6", .double(0.000001)),
      ("12.5e+1", .integer(125)), ("1e15", .integer(1_000_000_000_000_000)),
    ] as [(String, JSONValue)])
  func typedNumbersAreReadExactly(_ json: String, _ value: JSONValue) throws {
    #expect(try JSONValue(parsing: json, .rfc8259) == value)
  }

  @Test(arguments: [
    "0.10000000000000000555", "1e16", "9007199254740993", "1e-7", "1e999999999999999999999",
    "1e-999999999999999999999", "1000000000000000.5", "123456789012345678.5",
    "0.12345678901234567890123456789",
  ])
  func typedNumbersThatWouldChangeAreRefusedWithTheirPath(_ number: String) {
    let json = "{\"a\":1,\"rates/x\":[{},{\"b\":\"c\",\"~d\":\(number)}]}"
    let error = valueFault(json, .rfc8259)
    #expect(error?.code == .numberNotPortable)
    #expect(error?.path(in: Array(json.utf8)) == "/rates~1x/1/~0d")
    #expect(fault(json, .rfc8259) == nil)
  }

  @Test func doublesMadeInMemory() throws {
    #expect(try JSONValue.double(5).canonicalBytes == Array("5".utf8))
    for value in [Double.nan, .infinity, 1e-7, 1e16 + 2, 1e300, 1_000_000_000_000_000.5] {
      let array = JSONValue.array([.null, .object([JSONMember("x", .double(value))])])
      #expect(throws: JSONValueError(.numberNotPortable, path: "/1/x")) { try array.canonicalBytes }
    }
    #expect(throws: JSONValueError(.numberNotPortable, path: "")) {
      try JSONValue.integer(1 << 53).canonicalBytes
    }
  }
}
