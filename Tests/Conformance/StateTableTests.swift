import FolioDomain
import FolioJSON
import FolioWire
import Foundation
import Testing

/// The specification's tables of what may come when, played cell by cell against the conversations
/// that both programs hold.
@Suite("What may come when")
struct StateTableTests {
  @Test("A server does what the table says [conv-14] [hand-1] [conv-7] [conv-9]")
  func server() throws {
    let rows = try Self.table("arrives at a server")
    #expect(rows.count == 14)
    for row in rows {
      for (phase, cell) in zip(Phase.allCases, row.cells) where cell != "" {
        for line in try ServerSide.lines(row.name, phase) {
          var conversation = ServerSide.conversation(
            in: phase, pinging: row.name.contains("its own"))
          let event = conversation.receive(line, at: .seconds(21))
          #expect(
            ServerSide.outcomes(of: event).contains(cell),
            "\(row.name), \(phase): \(cell), not \(event)")
        }
      }
    }
  }

  @Test("A client does what the table says [conv-15] [conv-6] [conv-12]")
  func client() throws {
    let rows = try Self.table("arrives at a client")
    #expect(rows.count == 14)
    for row in rows {
      for (phase, cell) in zip(Phase.allCases, row.cells) where cell != "" {
        for line in try ClientSide.lines(row.name, phase) {
          var conversation = ClientSide.conversation(in: phase)
          let event = conversation.receive(line, at: .seconds(1))
          #expect(
            ClientSide.outcomes(of: event).contains(cell),
            "\(row.name), \(phase): \(cell), not \(event)")
        }
      }
    }
  }

  enum Phase: CaseIterable { case greeting, authenticating, open }

  private struct Row {
    var name: String
    var cells: [String]
  }

  /// The rows of the table whose first column has that heading.
  private static func table(_ heading: String) throws -> [Row] {
    let lines = try Published.specification.split(separator: "\n", omittingEmptySubsequences: false)
    let start = try #require(lines.firstIndex { $0.hasPrefix("| \(heading) |") })
    return lines[(start + 2)...].prefix { $0.hasPrefix("|") }.map { line in
      let cells = line.dropFirst().dropLast().split(
        separator: "|", omittingEmptySubsequences: false
      ).map { $0.trimmingCharacters(in: .whitespaces) }
      return Row(name: cells[0], cells: Array(cells.dropFirst()))
    }
  }
}

/// Lines of each type, from the valid vectors.
private enum Sample {
  static let requests = [
    "push", "refill", "pull", "prices", "assets", "leaderboard", "subscribe", "verify",
  ]
  static let replies = [
    "welcome", "ready", "ack", "page", "tables", "catalog", "ranking", "heads", "hash", "pong",
  ]

  /// A line of that type, as request or reply of that number where it is one.
  static func line(_ type: String, _ number: Int64 = 1) throws -> [UInt8] {
    for vector in try Published.objects("valid.ndjson") {
      let line = try JSONValue(parsing: Array((vector.text("line") ?? "").utf8), .rfc8259)
      guard case .object(var members) = line, JSONObject(line).text("type") == type else {
        continue
      }
      for index in members.indices where ["id", "re"].contains(members[index].name) {
        members[index].value = .integer(number)
      }
      return try JSONValue.object(members).canonicalBytes
    }
    throw JSONError(.missingMember, at: 0)
  }

  static func error(_ re: Int64?, _ errorClass: String = "request") -> [UInt8] {
    let re = re.map { "\"re\":\($0)," } ?? ""
    return Array(
      (#"{"action":"none","class":"\#(errorClass)","code":"x.no","message":"",\#(re)"#
        + #""type":"error"}"#).utf8)
  }

  static func unknown(_ member: String) -> [UInt8] {
    Array(#"{\#(member)"type":"x.later"}"#.utf8)
  }
}

private enum ServerSide {
  static func lines(_ name: String, _ phase: StateTableTests.Phase) throws -> [[UInt8]] {
    let next: Int64 = phase == .greeting ? 1 : phase == .authenticating ? 2 : 3
    switch name {
    case "an empty line": return [[]]
    case "`hello`", "`auth`", "`ping`":
      return [try Sample.line(name.filter { $0 != "`" }, next)]
    case Sample.requests.map { "`\($0)`" }.joined(separator: ", "):
      return try Sample.requests.map { try Sample.line($0, next) }
    case "`pong` to its own `ping`": return [try Sample.line("pong", 1)]
    case "`error` to its own `ping`": return [Sample.error(1)]
    case "any other reply": return try Sample.replies.map { try Sample.line($0, 77) }
    case "any other `error`": return [Sample.error(nil), Sample.error(77)]
    case "`note`", "`bye`": return [try Sample.line(name.filter { $0 != "`" })]
    case "an unknown type with `id`": return [Sample.unknown("\"id\":\(next),")]
    case "an unknown type with `re`": return [Sample.unknown("\"re\":1,")]
    case "an unknown type with neither": return [Sample.unknown("")]
    default:
      Issue.record("no line for \(name)")
      return []
    }
  }

  static func conversation(
    in phase: StateTableTests.Phase, pinging: Bool
  ) -> ServerConversation {
    var server = ServerConversation(at: .zero)
    guard phase != .greeting, let hello = try? Sample.line("hello", 1),
      let auth = try? Sample.line("auth", 2)
    else { return server }
    _ = server.receive(hello, at: .zero)
    _ = server.reply(.welcome(ClientSide.welcome), to: RequestID(1))
    guard phase == .open else { return server }
    _ = server.receive(auth, at: .zero)
    _ = server.reply(.ready(ClientSide.ready), to: RequestID(2))
    if pinging { _ = server.tick(at: .seconds(20)) }
    return server
  }

  static func outcomes(of event: ServerConversation.Event) -> Set<String> {
    switch event {
    case .nothing: ["ignored", "taken"]
    case .hello, .auth, .request: ["taken"]
    case .bye: ["closed", "answers what is in flight, and closes"]
    case .end(nil): ["closed"]
    case .end(let line?): ["`\(code(line, hasRe: false))`"]
    case .send(let line):
      line == Message.reply(RequestID(3), .pong).line
        ? ["answered"] : ["refused with `\(code(line, hasRe: true))`"]
    }
  }

  /// The code of an error; nothing where it is none, or has another number than it should.
  static func code(_ line: [UInt8], hasRe: Bool) -> String {
    guard case .error(let re, let error)? = try? Message(line: Array(line.dropLast())),
      (re != nil) == hasRe
    else { return "" }
    return error.code
  }
}

private enum ClientSide {
  static let welcome = Welcome(
    serverID: 1, server: Software(name: "s", version: "1"), time: Timestamp(milliseconds: 0),
    nonce: 2, schedule: TableSchedule(next: Timestamp(milliseconds: 0)))
  static let ready = Ready(
    account: AccountID(.zero), head: LogPosition(seq: 0, hash: .zero), log: LogID(1),
    market: MarketState(
      position: MarketPosition(epoch: 1, revision: 5, through: Slot(index: 0)),
      base: AssetID(unchecked: "USD")), time: Timestamp(milliseconds: 0))

  static func lines(_ name: String, _ phase: StateTableTests.Phase) throws -> [[UInt8]] {
    switch name {
    case "an empty line": return [[]]
    case "`welcome` to its `hello`": return [try Sample.line("welcome", 1)]
    case "`ready` to its `auth`": return [try Sample.line("ready", 2)]
    case "the reply that belongs to a request in flight":
      return [
        Array(Message.reply(RequestID(3), .hash(LogPosition(seq: 1, hash: .zero))).line.dropLast())
      ]
    case "any other reply":
      return try Sample.replies.flatMap { type in
        try [77, 3].filter { $0 == 77 || type != "hash" }.map { try Sample.line(type, $0) }
      }
    case "`error` to a request in flight":
      return [Sample.error(phase == .greeting ? 1 : phase == .authenticating ? 2 : 3)]
    case "any other `error`": return [Sample.error(nil), Sample.error(77)]
    case "`ping`": return [try Sample.line("ping", 3)]
    case (["hello", "auth"] + Sample.requests).map { "`\($0)`" }.joined(separator: ", "):
      return try (["hello", "auth"] + Sample.requests).map { try Sample.line($0, 9) }
    case "`note`", "`bye`": return [try Sample.line(name.filter { $0 != "`" })]
    case "an unknown type with `id`": return [Sample.unknown("\"id\":3,")]
    case "an unknown type with `re`":
      return [Sample.unknown("\"re\":1,"), Sample.unknown("\"re\":3,")]
    case "an unknown type with neither": return [Sample.unknown("")]
    default:
      Issue.record("no line for \(name)")
      return []
    }
  }

  /// A conversation that has greeted, has authenticated, or has a request in flight, number 3.
  static func conversation(in phase: StateTableTests.Phase) -> ClientConversation {
    var client = ClientConversation(
      hello: Hello(client: Software(name: "c", version: "1"), nonce: 1), at: .zero)
    _ = client.start()
    guard phase != .greeting else { return client }
    _ = client.receive(line(.welcome(welcome), 1), at: .zero)
    _ = client.authenticate(
      Authentication(
        account: "a", device: DeviceIdentity(id: DeviceID(1), instance: InstanceID(1))))
    guard phase == .open else { return client }
    _ = client.receive(line(.ready(ready), 2), at: .zero)
    _ = client.send(.verify(seq: 1))
    return client
  }

  private static func line(_ reply: Reply, _ re: UInt64) -> [UInt8] {
    Array(Message.reply(RequestID(re), reply).line.dropLast())
  }

  static func outcomes(of event: ClientConversation.Event) -> Set<String> {
    switch event {
    case .nothing: ["ignored"]
    case .welcome, .ready, .reply, .note: ["taken"]
    case .refused: ["by its class ([error-2])"]
    case .failed, .bye: ["closed"]
    case .send(let line):
      line == Message.reply(RequestID(3), .pong).line
        ? ["answered"] : ["refused with `\(ServerSide.code(line, hasRe: true))`"]
    }
  }
}
