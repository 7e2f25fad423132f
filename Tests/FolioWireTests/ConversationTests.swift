import FolioDomain
import FolioWire
import TestSupport
import Testing

/// Both sides against each other, through framers fed in pieces.
@Suite struct ConversationTests {
  @Test func F31_aConversationDoesNotDependOnHowItsBytesAreCut() throws {
    var random = SeededRandom()
    let whole = try transcript { 1 << 20 }
    #expect(whole.count > 6)
    for _ in 0..<20 {
      #expect(try transcript { random.int(1...7) } == whole)
    }
  }

  /// What both sides see, where each stream is cut into pieces of sizes that `size` gives.
  private func transcript(_ size: () -> Int) throws -> [String] {
    var server = ServerConversation(at: .zero)
    var client = ClientConversation(hello: Hello(client: .test, nonce: 7), at: .zero)
    var toServer = LineFramer()
    var toClient = LineFramer()
    var events: [String] = []
    var up = client.start()
    var down: [UInt8] = []
    while !up.isEmpty || !down.isEmpty {
      if !up.isEmpty {
        let piece = Array(up.prefix(size()))
        up.removeFirst(piece.count)
        toServer.append(piece)
        while let line = try toServer.next() {
          let event = server.receive(line, at: .zero)
          events.append("server \(event)")
          down += answer(event, &server)
          toServer.lineByteLimit = server.lineByteLimit
        }
      }
      if !down.isEmpty {
        let piece = Array(down.prefix(size()))
        down.removeFirst(piece.count)
        toClient.append(piece)
        while let line = try toClient.next() {
          let event = client.receive(line, at: .zero)
          events.append("client \(event)")
          up += next(event, &client)
          toClient.lineByteLimit = client.lineByteLimit
        }
      }
    }
    return events
  }

  private func answer(
    _ event: ServerConversation.Event, _ server: inout ServerConversation
  ) -> [UInt8] {
    switch event {
    case .hello(let id, _, _): server.reply(.welcome(.plain()), to: id)
    case .auth(let id, _): server.reply(.ready(.empty), to: id)
    case .request(let id, .verify(let seq)):
      server.reply(.hash(ChainHash(seq: seq, hash: .zero)), to: id)
    case .send(let line): line
    default: []
    }
  }

  private func next(
    _ event: ClientConversation.Event, _ client: inout ClientConversation
  ) -> [UInt8] {
    switch event {
    case .welcome:
      client.authenticate(
        Authentication(
          account: "é😀\u{2028}", device: DeviceIdentity(id: DeviceID(1), instance: InstanceID(2))))
    case .ready: client.send(.verify(seq: 1)).line + client.send(.verify(seq: 2)).line
    case .reply(_, _, .hash(let hash)) where hash.seq == 2: client.bye()
    default: []
    }
  }
}
