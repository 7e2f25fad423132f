import FolioDomain
import FolioWire
import Testing

/// Vectors of silence, played against both sides: who pings when, and who gives up when.
@Suite struct SilenceTests {
  private struct Silence: Decodable {
    var name: String
    var handshake: Bool
    var heard: [Event]
    var does: [Event]
    var until: Int
  }

  /// What happens, and how many milliseconds after the start.
  private struct Event: Decodable, Equatable {
    var at: Int
    var what: String

    init(at: Int, what: String) {
      self.at = at
      self.what = what
    }

    init(from decoder: any Decoder) throws {
      var values = try decoder.unkeyedContainer()
      at = try values.decode(Int.self)
      what = try values.decode(String.self)
    }
  }

  @Test("Both sides ping after 20 s of silence and give up after 45 [conv-10]")
  func silence() throws {
    let vectors = try Vectors.load(Silence.self, from: "silence.ndjson")
    #expect(vectors.count >= 7)
    for vector in vectors {
      var server = Self.server(vector.handshake)
      #expect(
        Self.play(vector, next: { server.deadline }) { event, time in
          switch event {
          case "line": _ = server.receive([], at: time)
          case "bytes": server.hear(at: time)
          default: return Self.action(server.tick(at: time))
          }
          return nil
        } == vector.does, "\(vector.name), a server")
      var client = Self.client(vector.handshake)
      #expect(
        Self.play(vector, next: { client.deadline }) { event, time in
          switch event {
          case "line": _ = client.receive([], at: time)
          case "bytes": client.hear(at: time)
          default: return Self.action(client.tick(at: time))
          }
          return nil
        } == vector.does, "\(vector.name), a client")
    }
  }

  /// What a side does by itself while it hears what the vector says.
  private static func play(
    _ vector: Silence, next deadline: () -> Duration, _ step: (String, Duration) -> String?
  ) -> [Event] {
    var done: [Event] = []
    var heard = vector.heard[...]
    while done.last?.what != "close" {
      let due = milliseconds(deadline())
      if let event = heard.first, event.at <= due {
        heard.removeFirst()
        _ = step(event.what, .milliseconds(event.at))
      } else if due <= vector.until {
        guard let action = step("tick", .milliseconds(due)) else { break }
        done.append(Event(at: due, what: action))
      } else {
        break
      }
    }
    return done
  }

  private static func milliseconds(_ duration: Duration) -> Int {
    Int(duration.components.seconds * 1_000)
      + Int(duration.components.attoseconds / 1_000_000_000_000_000)
  }

  private static func action(_ event: ServerConversation.Event) -> String? {
    switch event {
    case .send: "ping"
    case .end(nil): "close"
    default: nil
    }
  }

  private static func action(_ event: ClientConversation.Event) -> String? {
    switch event {
    case .send: "ping"
    case .failed(.silence): "close"
    default: nil
    }
  }

  private static func server(_ isOpen: Bool) -> ServerConversation {
    var server = ServerConversation(at: .zero)
    guard isOpen else { return server }
    _ = server.receive(Array(Line.hello.utf8), at: .zero)
    _ = server.reply(.welcome(.plain()), to: RequestID(1))
    _ = server.receive(Array(Line.auth.utf8), at: .zero)
    _ = server.reply(.ready(.empty), to: RequestID(2))
    return server
  }

  private static func client(_ isOpen: Bool) -> ClientConversation {
    var client = ClientConversation(hello: Hello(client: .test, nonce: 1), at: .zero)
    _ = client.start()
    guard isOpen else { return client }
    let welcome = Message.reply(RequestID(1), .welcome(.plain())).line.dropLast()
    _ = client.receive(Array(welcome), at: .zero)
    _ = client.authenticate(
      Authentication(
        account: "a", device: DeviceIdentity(id: DeviceID(1), instance: InstanceID(1))))
    let ready = Message.reply(RequestID(2), .ready(.empty)).line.dropLast()
    _ = client.receive(Array(ready), at: .zero)
    return client
  }
}
