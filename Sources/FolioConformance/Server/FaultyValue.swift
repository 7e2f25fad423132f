/// A member's value that a line must not have, or may, and what comes of it.
struct FaultyValue: Sendable {
  var name: String
  var requirement: String
  /// What stands after the colon of the member, up to the end of the line.
  var bytes: [UInt8]
  var code: String
  /// Where the fault is, from the value on.
  var offset: Int

  init(_ requirement: String, _ name: String, _ rest: String, _ code: String, at offset: Int) {
    self.init(requirement, name, Array(rest.utf8), code, at: offset)
  }

  init(_ requirement: String, _ name: String, _ rest: [UInt8], _ code: String, at offset: Int) {
    self.requirement = requirement
    self.name = name
    bytes = rest
    self.code = code
    self.offset = offset
  }

  /// The line, as request `id`.
  func line(_ id: UInt64) -> (bytes: [UInt8], offset: Int) {
    let start = Array(#"{"id":\#(id),"type":"ping","x":"#.utf8)
    return (start + bytes + [0x0A], start.count + offset)
  }

  /// Faults that end the connection.
  static let grammar = [
    FaultyValue("json-2", "an end within a value", "[1,2", "unexpected_end", at: 4),
    FaultyValue("json-3", "a byte out of place", "[,]}", "unexpected_byte", at: 1),
    FaultyValue("json-3", "a leading zero", "01}", "unexpected_byte", at: 1),
    FaultyValue("json-4", "something after the object", "1} x", "trailing_bytes", at: 3),
    FaultyValue(
      "json-6", "an overlong form", [0x22, 0xC0, 0xAF, 0x22, 0x7D], "invalid_utf8", at: 1),
    FaultyValue(
      "json-6", "a surrogate in UTF-8", [0x22, 0xED, 0xA0, 0x80, 0x22, 0x7D], "invalid_utf8", at: 1),
    FaultyValue("json-7", "a control character", "\"\u{1}\"}", "control_character", at: 1),
    FaultyValue("json-8", "an escape that there is not", #""\q"}"#, "bad_escape", at: 1),
    FaultyValue("json-9", "half a surrogate pair", #""\ud800"}"#, "lone_surrogate", at: 1),
    FaultyValue("json-10", "a member twice", #"1,"x":2}"#, "duplicate_member", at: 2),
    FaultyValue("json-10", "a member twice, deep", #"[{"a":1,"a":2}]}"#, "duplicate_member", at: 8),
    FaultyValue(
      "json-15", "a member twice, once escaped", #"1,"\u0078":2}"#, "duplicate_member", at: 2),
    FaultyValue(
      "json-11", "33 brackets", String(repeating: "[", count: 32), "nesting_too_deep", at: 31),
    FaultyValue(
      "json-19", "100,000 brackets", String(repeating: "[", count: 100_000), "nesting_too_deep",
      at: 31),
    FaultyValue("json-12", "a number that breaks off", "1.}", "bad_number", at: 0),
    FaultyValue(
      "json-18", "a fault of values before one of grammar", "1.5,,", "unexpected_byte", at: 4),
  ]

  /// Faults that a request is refused for.
  static let numbers = [
    FaultyValue("json-13", "a fraction", "1.5}", "number_not_integer", at: 0),
    FaultyValue("json-13", "an exponent", "1e2}", "number_not_integer", at: 0),
    FaultyValue("json-13", "minus zero", "-0}", "number_not_integer", at: 0),
    FaultyValue("json-14", "2^53", "9007199254740992}", "number_out_of_range", at: 0),
    FaultyValue("json-14", "-2^53", "-9007199254740992}", "number_out_of_range", at: 0),
    FaultyValue(
      "json-14", "10,000 digits", String(repeating: "9", count: 10_000) + "}",
      "number_out_of_range", at: 0),
  ]

  /// Values that are unusual, and right.
  static let right = [
    FaultyValue("json-16", "a noncharacter", "\"\u{FFFF}\"}", "", at: 0),
    FaultyValue(
      "json-15", "two normal forms of a name", "{\"\u{E9}\":1,\"e\u{301}\":2}}", "", at: 0),
    FaultyValue(
      "json-11", "32 brackets",
      String(repeating: "[", count: 31)
        + String(repeating: "]", count: 31) + "}", "", at: 0),
    FaultyValue("json-14", "2^53 - 1", "[9007199254740991,-9007199254740991]}", "", at: 0),
    FaultyValue(
      "json-20", "an object that nobody knows", #"{"a":[null,true,{"b":"\u00e9"}]}}"#, "", at: 0),
    FaultyValue(
      "json-21", "whitespace, and longer escapes", " \t[ 1 , \"\\u0041\\/\" ]  } ", "", at: 0),
  ]
}
