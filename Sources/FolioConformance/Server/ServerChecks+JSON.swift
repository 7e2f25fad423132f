import FolioDomain
import FolioWire

extension ServerCheck {
  /// What is JSON, and what of it may be in a line.
  static let json =
    FaultyValue.grammar.map { fault in
      ServerCheck("\(fault.name) ends the connection", fault.requirement, "conv-8") { server in
        let dialogue = try server.logIn().dialogue
        let line = fault.line(dialogue.nextID().value)
        try dialogue.send(bytes: line.bytes)
        try dialogue.expectEnd(fault.code, at: line.offset)
      }
    } + [
      ServerCheck("a byte order mark ends the connection", "json-5", "conv-8") { server in
        let dialogue = try server.logIn().dialogue
        try dialogue.send("\u{FEFF}{}")
        try dialogue.expectEnd("byte_order_mark", at: 0)
      },
      ServerCheck("a line is an object", "json-1", "value-1") { server in
        let dialogue = try server.logIn().dialogue
        try dialogue.send("[]")
        try dialogue.expectEnd("wrong_type", at: 0)
      },
      ServerCheck("numbers that are no integers refuse a request", "json-13", "json-14", "json-17")
      {
        server in
        let dialogue = try server.logIn().dialogue
        for fault in FaultyValue.numbers {
          let id = dialogue.nextID()
          let line = fault.line(id.value)
          try dialogue.send(bytes: line.bytes)
          try dialogue.expectRequestRefused(id, fault.code, at: line.offset, fault.name)
        }
        try dialogue.expectAlive()
      },
      ServerCheck(
        "unusual values are taken", "json-11", "json-15", "json-16", "json-20", "json-21"
      ) { server in
        let dialogue = try server.logIn().dialogue
        for value in FaultyValue.right {
          let id = dialogue.nextID()
          try dialogue.send(bytes: value.line(id.value).bytes)
          guard case .success(.pong) = try dialogue.answer(to: id) else {
            throw CheckFailure("\(value.name) is refused")
          }
        }
      },
    ]

  /// Values of the wrong type, range or length.
  static let values = [
    ServerCheck("values that break their rules refuse a request", "value-1", "value-2", "conv-8") {
      server in
      let dialogue = try server.logIn().dialogue
      for fault in valueFaults {
        let id = dialogue.nextID()
        let text = fault.text.replacing("ID", with: "\(id.value)")
        let parts = text.split(separator: "^", omittingEmptySubsequences: false)
        try dialogue.send(parts.joined())
        try dialogue.expectRequestRefused(id, fault.code, at: parts[0].utf8.count, text)
      }
      try dialogue.expectAlive()
    }
  ]

  private static let long = String(repeating: "a", count: 65)

  /// Lines with a fault; it is where the mark stands.
  private static let valueFaults: [(text: String, code: String)] = [
    (#"{"id":ID,"seq":^"1","type":"verify"}"#, "wrong_type"),
    (#"{"id":ID,"seq":^null,"type":"verify"}"#, "wrong_type"),
    (#"{"id":ID,"seq":^-1,"type":"verify"}"#, "bad_value"),
    (#"{"id":ID,"type":"verify"^}"#, "missing_member"),
    (#"{"id":ID,"limit":^0,"type":"leaderboard"}"#, "bad_value"),
    (#"{"id":ID,"limit":^1001,"type":"leaderboard"}"#, "bad_value"),
    (#"{"id":ID,"type":"subscribe","what":[^1]}"#, "wrong_type"),
    (#"{"id":ID,"type":"subscribe","what":[^"no code!"]}"#, "bad_value"),
    (#"{"id":ID,"tag":^"0F","type":"assets"}"#, "bad_value"),
    (#"{"id":ID,"transactions":^[],"type":"push"}"#, "bad_value"),
    (#"{"id":ID,"type":"prices","types":[^"UPPER"]}"#, "bad_value"),
    (#"{"id":ID,"type":"prices","types":[^"\#(long)"]}"#, "bad_value"),
    (#"{"id":ID,"type":"subscribe","what":[^"\#(long)"]}"#, "too_long"),
  ]
}

extension Dialogue {
  /// Expects that the line of request `id` was refused for a fault at that place, and no more.
  func expectRequestRefused(
    _ id: RequestID, _ code: String, at offset: Int, _ name: String
  ) throws {
    guard case .failure(let error) = try answer(to: id) else {
      throw CheckFailure("\(name): taken")
    }
    try expect(error.code, is: code, "\(name): the code")
    try expect(error.errorClass, is: .request, "\(name): the class")
    if let told = error.offset { try expect(told, is: Int64(offset), "\(name): the offset") }
  }
}
