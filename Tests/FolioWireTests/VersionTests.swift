import FolioWire
import Testing

/// Peers of the future and of the past.
@Suite struct VersionTests {
  private func answer(to versions: String) -> ServerConversation.Event {
    var server = ServerConversation(at: .zero)
    let line = Line.hello.replacing("[1]", with: versions)
    return server.receive(Array(line.utf8), at: .zero)
  }

  @Test func theHighestCommonVersionWins() {
    for versions in ["[2,1]", "[1,2]", "[1]", "[9007199254740991,1,7]", "[1,1]"] {
      guard case .hello(_, _, version: 1) = answer(to: versions) else {
        Issue.record("\(versions)")
        continue
      }
    }
  }

  @Test func noCommonVersionIsRefusedWithThoseSupported() throws {
    guard case .end(let line?) = answer(to: "[2]"),
      case .error(RequestID(1), let error) = try Message(line: Array(line.dropLast()))
    else {
      Issue.record("no refusal")
      return
    }
    #expect(error.code == "version_unsupported")
    #expect(error.errorClass == .fatal)
    #expect(error.action == .upgrade)
    #expect(error.supported == [1])
    var client = ClientConversation(
      hello: Hello(versions: [2], client: .test, nonce: 1), at: .zero)
    _ = client.start()
    #expect(client.receive(Array(line.dropLast()), at: .zero) == .failed(.refused(error)))
  }

  @Test func aVersionThatWasNotOfferedIsNotSpoken() {
    var client = ClientConversation(hello: Hello(client: .test, nonce: 1), at: .zero)
    _ = client.start()
    let line = Message.reply(RequestID(1), .welcome(.plain(version: 2))).line.dropLast()
    #expect(client.receive(Array(line), at: .zero) == .failed(.versionNotOffered(2)))
  }

  @Test func unknownCapabilitiesAndMembersAreDropped() {
    let line = Line.hello.replacing(
      "\"capabilities\":[]", with: "\"capabilities\":[\"x.later\"],\"later\":{\"a\":[1]}")
    var server = ServerConversation(at: .zero)
    guard case .hello(_, let hello, version: 1) = server.receive(Array(line.utf8), at: .zero) else {
      Issue.record("no hello")
      return
    }
    #expect(hello.capabilities == ["x.later"])
  }

  @Test func errorsOfTheFutureAreRead() throws {
    let line =
      #"{"action":"sing","class":"musical","code":"off_key","message":"","more":[],"type":"error"}"#
    let expected = ErrorMessage(
      code: "off_key", class: .unknown("musical"), action: .unknown("sing"), message: "")
    #expect(try Message(line: Array(line.utf8)) == .error(nil, expected))
    #expect(expected.response == .backOffLongest)
  }

  @Test func topicsOfTheFutureAreDropped() throws {
    let line = #"{"id":3,"type":"subscribe","what":["log","weather","assets"]}"#
    #expect(
      try Message(line: Array(line.utf8))
        == .request(RequestID(3), .subscribe(Subscription(topics: [.log, .assets]))))
  }
}
