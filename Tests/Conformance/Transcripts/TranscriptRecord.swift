import FolioDomain
import FolioJSON
import FolioStore
import FolioWire

/// A conversation as it is published: a line of JSON for each line, and for what happens between.
struct TranscriptRecord {
  private(set) var lines: [JSONValue] = []
  private var variables: [String: [String]] = [:]
  private var isOver = false

  /// A new connection of a client.
  mutating func connection(_ client: String) {
    lines.append(.members(["client": .string(client), "event": .string("connection")]))
  }

  /// Something that happens beside the conversations.
  mutating func note(_ text: String) {
    lines.append(.members(["event": .string("change"), "what": .string(text)]))
  }

  mutating func client(_ line: [UInt8]) {
    guard !line.isEmpty else { return }
    add("client", line, isLost: false)
    guard case .request(_, let request)? = try? Message(line: line) else { return }
    switch request {
    case .hello(let hello): note("clientNonces", Self.hexadecimal(hello.nonce))
    case .auth(let auth):
      note("devices", auth.device.id.text)
      note("instances", auth.device.instance.text)
    case .push(let push):
      for pushed in push.transactions { note("transactions", pushed.transaction.id.text) }
    default: break
    }
  }

  mutating func server(_ line: [UInt8], isLost: Bool) {
    add("server", line, isLost: isLost)
    guard case .reply(_, let reply)? = try? Message(line: line) else { return }
    switch reply {
    case .welcome(let welcome):
      note("serverNonces", Self.hexadecimal(welcome.nonce))
      note("servers", Self.hexadecimal(welcome.serverID))
    case .ready(let ready):
      note("accounts", ready.account.text)
      note("logs", ready.log.text)
    default: break
    }
  }

  private mutating func add(_ side: String, _ line: [UInt8], isLost: Bool) {
    var members: [String: JSONValue] = [
      "from": .string(side), "line": .string(String(decoding: line, as: UTF8.self)),
    ]
    if isLost { members["lost"] = .bool(true) }
    lines.append(.members(members))
  }

  private mutating func note(_ name: String, _ value: String) {
    if variables[name]?.contains(value) != true { variables[name, default: []].append(value) }
  }

  private static func hexadecimal(_ bits: UInt128) -> String {
    let digits = String(bits, radix: 16)
    return String(repeating: "0", count: 32 - digits.count) + digits
  }

  /// What a client holds in the end.
  mutating func end(_ client: StageClient) throws {
    let status = try client.store.read { try $0.status() }
    let basis = try client.store.read { try $0.digestBasis() }
    var members: [String: JSONValue] = [
      "client": .string(client.name), "event": .string("end"),
      "pending": .integer(Int64(status.outbox.count)),
      "stateDigest": .string(basis.stateDigest.text),
    ]
    if let position = status.position {
      members["head"] = .members([
        "hash": .string(position.hash.text), "seq": .integer(Int64(position.seq)),
      ])
    }
    var last: JSONValue?
    try client.store.read { transaction in
      try transaction.snapshots { snapshot in
        guard let digest = snapshot.digest else { return }
        last = .members([
          "digest": .string(digest.text), "slot": .integer(Int64(snapshot.slot.index)),
        ])
      }
    }
    if let last { members["snapshot"] = last }
    lines.append(.members(members))
  }

  /// The whole file: what it is about and what in it is drawn, then what happens.
  func text(name: String, requirements: [String]) throws -> String {
    let drawn = variables.mapValues { JSONValue.array($0.map { .string($0) }) }
    let head = JSONValue.members([
      "name": .string(name), "requirements": .array(requirements.map { .string($0) }),
      "variables": .members(drawn),
    ])
    return try ([head] + lines).map { try $0.text + "\n" }.joined()
  }
}
