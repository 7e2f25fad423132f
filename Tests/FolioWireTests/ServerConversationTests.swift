import FolioDomain
import FolioWire
import Testing

@Suite struct ServerConversationTests {
  private func line(_ text: String) -> [UInt8] { Array(text.utf8) }

  /// The refusal in an event that ends the conversation.
  private func refusal(_ event: ServerConversation.Event) throws -> ErrorMessage {
    guard case .end(let line?) = event,
      case .error(nil, let error) = try Message(line: Array(line.dropLast()))
    else {
      Issue.record("no end: \(event)")
      return .unsupported
    }
    return error
  }

  private func opened(inFlight: Int = 2) -> ServerConversation {
    var server = ServerConversation(limits: Limits(inFlight: inFlight), at: .zero)
    _ = server.receive(line(Line.hello), at: .zero)
    _ = server.reply(.welcome(.plain()), to: RequestID(1))
    _ = server.receive(line(Line.auth), at: .zero)
    _ = server.reply(.ready(.empty), to: RequestID(2))
    return server
  }

  @Test func handshake() throws {
    var server = ServerConversation(at: .zero)
    #expect(server.lineByteLimit == 4_096)
    guard case .hello(RequestID(1), let hello, 1) = server.receive(line(Line.hello), at: .zero)
    else {
      Issue.record("no hello")
      return
    }
    #expect(hello.client.name == "test")
    let welcome = server.reply(.welcome(.plain()), to: RequestID(1))
    #expect(
      try Message(line: Array(welcome.dropLast())) == .reply(RequestID(1), .welcome(.plain())))
    #expect(server.lineByteLimit == 4_096)
    guard case .auth(RequestID(2), let auth) = server.receive(line(Line.auth), at: .zero) else {
      Issue.record("no auth")
      return
    }
    #expect(auth.account == "alice")
    #expect(!server.isOpen)
    _ = server.reply(.ready(.empty), to: RequestID(2))
    #expect(server.isOpen)
    #expect(server.lineByteLimit == Wire.lineByteLimit)
    guard case .request(RequestID(3), .push) = server.receive(line(Line.push()), at: .zero) else {
      Issue.record("no push")
      return
    }
  }

  @Test func helloComesFirstAndOnce() throws {
    for first in [Line.auth, Line.ping(1), Line.push(), #"{"id":1,"type":"later"}"#] {
      var server = ServerConversation(at: .zero)
      #expect(try refusal(server.receive(line(first), at: .zero)).code == "hello_expected")
      #expect(server.receive(line(Line.hello), at: .zero) == .nothing)
    }
    var server = ServerConversation(at: .zero)
    _ = server.receive(line(Line.hello), at: .zero)
    #expect(try refusal(server.receive(line(Line.hello), at: .zero)).code == "hello_expected")
    server = opened()
    let again = Line.hello.replacing("\"id\":1", with: "\"id\":3")
    #expect(try refusal(server.receive(line(again), at: .zero)).code == "unexpected_message")
  }

  @Test func authComesBeforeAnythingElseAndOnce() throws {
    for next in [Line.push(), Line.ping(2), #"{"id":2,"type":"later"}"#] {
      var server = ServerConversation(at: .zero)
      _ = server.receive(line(Line.hello), at: .zero)
      _ = server.reply(.welcome(.plain()), to: RequestID(1))
      #expect(try refusal(server.receive(line(next), at: .zero)).code == "auth_expected")
    }
    // Nothing may come while it is being looked at, either.
    var server = ServerConversation(at: .zero)
    _ = server.receive(line(Line.hello), at: .zero)
    _ = server.reply(.welcome(.plain()), to: RequestID(1))
    _ = server.receive(line(Line.auth), at: .zero)
    #expect(try refusal(server.receive(line(Line.push()), at: .zero)).code == "auth_expected")
    server = opened()
    let again = Line.auth.replacing("\"id\":2", with: "\"id\":3")
    #expect(try refusal(server.receive(line(again), at: .zero)).code == "unexpected_message")
  }

  @Test func numbersIncrease() throws {
    for id in [1, 2] {
      var server = opened()
      #expect(
        try refusal(server.receive(line(Line.ping(id)), at: .zero)).code == "id_not_increasing")
    }
    var server = opened()
    _ = server.receive(line(Line.ping(100)), at: .zero)
    #expect(
      try refusal(server.receive(line(#"{"id":99,"type":"later"}"#), at: .zero)).code
        == "id_not_increasing")
  }

  @Test func noMoreInFlightThanAnnounced() throws {
    var server = opened(inFlight: 2)
    _ = server.receive(line(Line.push(id: 3)), at: .zero)
    _ = server.receive(line(Line.push(id: 4)), at: .zero)
    // Pings are answered at once and do not count.
    #expect(
      server.receive(line(Line.ping(5)), at: .zero)
        == .send(Message.reply(RequestID(5), .pong).line))
    let head = LogPosition(seq: 0, hash: .zero)
    _ = server.reply(.ack(Ack(head: head)), to: RequestID(4))
    _ = server.receive(line(Line.push(id: 6)), at: .zero)
    #expect(server.inFlightCount == 2)
    let error = try refusal(server.receive(line(Line.push(id: 7)), at: .zero))
    #expect(error.code == "too_many_in_flight")
    #expect(error.limit == 2)
  }

  @Test func unknownTypes() throws {
    var server = opened()
    #expect(
      server.receive(line(#"{"id":3,"type":"later","x":0.5}"#), at: .zero)
        == .send(Message.error(RequestID(3), .unsupported).line))
    #expect(server.receive(line(#"{"type":"later"}"#), at: .zero) == .nothing)
    #expect(server.isOpen)
    #expect(
      try refusal(server.receive(line(#"{"re":1,"type":"later"}"#), at: .zero)).code
        == "unexpected_message")
  }

  @Test func requestsWhoseValuesAreWrongAreRefusedAlone() throws {
    var server = opened()
    let bad = Line.push(Line.transaction(body: #"{"a": 1}"#), id: 5)
    guard case .send(let answer) = server.receive(line(bad), at: .zero),
      case .error(RequestID(5), let error) = try Message(line: Array(answer.dropLast()))
    else {
      Issue.record("no refusal")
      return
    }
    #expect(error.code == "not_canonical")
    #expect(error.errorClass == .request)
    #expect(error.offset == Int64(offset(of: " 1", in: bad)))
    #expect(server.isOpen)
    #expect(
      try refusal(server.receive(line(Line.push(id: 5)), at: .zero)).code == "id_not_increasing")
  }

  @Test func linesThatAreNoJSONEndTheConversation() throws {
    var server = opened()
    let error = try refusal(server.receive(line(#"{"id":3,"id":4,"type":"ping"}"#), at: .zero))
    #expect(error.code == "duplicate_member")
    #expect(error.errorClass == .fatal)
    #expect(error.offset == 8)
    #expect(server.receive(line(Line.ping(5)), at: .zero) == .nothing)
    server = opened()
    #expect(try refusal(server.receive(WireError(.lineTooLong, at: 4_096))).limit == 4_096)
    server = ServerConversation(at: .zero)
    let bad = Line.hello.replacing("[1]", with: "[]")
    #expect(try refusal(server.receive(line(bad), at: .zero)).code == "bad_value")
  }

  @Test func messagesOfServersAreNotTaken() throws {
    for message in [
      Message.reply(RequestID(1), .hash(LogPosition(seq: 0, hash: .zero))),
      .note(.assets(.zero)), .reply(RequestID(1), .pong),
    ] {
      var server = opened()
      let event = server.receive(Array(message.line.dropLast()), at: .zero)
      #expect(try refusal(event).code == "unexpected_message")
    }
    var server = opened()
    #expect(server.receive(line(#"{"type":"bye"}"#), at: .zero) == .bye)
    let error = Message.error(nil, .unsupported).line.dropLast()
    #expect(server.receive(Array(error), at: .zero) == .end(nil))
  }

  @Test func refusingARequest() throws {
    var server = opened()
    _ = server.receive(line(Line.push(id: 3)), at: .zero)
    #expect(
      server.refuse(RequestID(3), .headMoved) == .send(Message.error(RequestID(3), .headMoved).line)
    )
    #expect(server.isOpen)
    _ = server.receive(line(Line.push(id: 4)), at: .zero)
    let fatal = ErrorMessage(code: "x", class: .fatal, message: "")
    #expect(server.refuse(RequestID(4), fatal) == .end(Message.error(RequestID(4), fatal).line))
    #expect(!server.isOpen)
    server = ServerConversation(at: .zero)
    _ = server.receive(line(Line.hello), at: .zero)
    _ = server.reply(.welcome(.plain()), to: RequestID(1))
    _ = server.receive(line(Line.auth), at: .zero)
    #expect(
      server.refuse(RequestID(2), .accountUnknown)
        == .end(Message.error(RequestID(2), .accountUnknown).line))
  }

  @Test func F18_silentClientsArePingedAndGivenUp() throws {
    var server = opened()
    #expect(server.deadline == .seconds(20))
    #expect(server.tick(at: .milliseconds(19_999)) == .nothing)
    #expect(server.tick(at: .seconds(20)) == .send(Message.request(RequestID(1), .ping).line))
    #expect(server.tick(at: .seconds(21)) == .nothing)
    #expect(server.deadline == .seconds(45))
    #expect(server.receive(line(#"{"re":1,"type":"pong"}"#), at: .seconds(22)) == .nothing)
    #expect(server.deadline == .seconds(42))
    #expect(server.receive([], at: .seconds(30)) == .nothing)
    #expect(server.deadline == .seconds(50))
    server.hear(at: .seconds(40))
    #expect(server.tick(at: .seconds(60)) == .send(Message.request(RequestID(2), .ping).line))
    #expect(server.tick(at: .seconds(85)) == .end(nil))
    #expect(server.tick(at: .seconds(86)) == .nothing)
    // Before the handshake there is no ping, and trickling buys no time.
    server = ServerConversation(at: .zero)
    #expect(server.deadline == .seconds(45))
    server.hear(at: .seconds(44))
    _ = server.receive([], at: .seconds(44))
    #expect(server.tick(at: .seconds(45)) == .end(nil))
  }
}
