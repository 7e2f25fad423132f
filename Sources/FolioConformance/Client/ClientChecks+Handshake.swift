import FolioDomain
import FolioJSON
import FolioWire

extension ClientCheck {
  /// The handshake, and versions.
  static let handshake = [
    ClientCheck("hello, then auth, then the rest", "hand-1", "hand-5", "conv-5") { trial in
      try trial.runWell("nothing is wrong with the server")
      guard case .hello(let hello)? = trial.server.requests.first else {
        throw CheckFailure("the first message is not hello")
      }
      try expect(hello.versions.contains(1), "version 1 is not offered")
      guard case .auth(let auth) = trial.server.requests[1] else {
        throw CheckFailure("the second message is not auth")
      }
      try expect(auth.points.isEmpty, "a new store names places in a log")
      try expect(auth.proof == nil && auth.enrol == nil, "members that are reserved are there")
    },
    ClientCheck("nonce and instance are new, and the device is the same", "hand-5", "sync-2") {
      trial in
      try trial.runWell("the first run")
      try trial.runWell("the second run")
      let hellos = trial.server.requests.compactMap {
        if case .hello(let hello) = $0 { hello.nonce } else { nil }
      }
      try expect(Set(hellos).count == hellos.count, "a nonce came twice")
      let auths = trial.server.auths
      try expect(auths.count >= 2, "the second run did not log in")
      try expect(
        auths[auths.count - 1].device.instance != auths[0].device.instance,
        "two openings of the store are one instance")
      try expect(auths[auths.count - 1].device.id == auths[0].device.id, "the device has changed")
    },
    ClientCheck("points are the cursor and older places", "sync-2", "sync-1") { trial in
      for _ in 0..<4 { trial.server.foreign(#"{"operations":[]}"#) }
      try trial.runWell("the first run")
      let head = trial.server.head
      try trial.runWell("the second run")
      let points = trial.server.auths.last?.points ?? []
      try expect(points.first, is: head, "the first point")
      let seqs = points.map(\.seq)
      try expect(seqs == seqs.sorted(by: >) && seqs.count <= 16, "the points are \(seqs)")
      for point in points {
        let position =
          point.seq == 0 ? trial.server.start : trial.server.log[Int(point.seq) - 1].position
        try expect(point, is: position, "a point")
      }
    },
    ClientCheck("a version that was not offered", "hand-3") { trial in
      trial.server.script = { exchange in
        guard case .hello = exchange.request, var welcome = exchange.welcome else { return }
        welcome.version = 77
        exchange.reply(.welcome(welcome))
      }
      try trial.runBadly("the server chose version 77")
      try expect(trial.server.auths.isEmpty, "the client went on with a version it did not offer")
    },
    ClientCheck("no version in common", "hand-2", "conv-12", "error-2") { trial in
      trial.server.script = { exchange in
        guard case .hello = exchange.request else { return }
        exchange.refuse(
          ErrorMessage(
            code: "version_unsupported", class: .fatal, action: .upgrade, message: "no",
            supported: [77]))
        exchange.closes = true
      }
      try trial.runBadly("the server has none of its versions")
      try expect(trial.server.requests.count == 1, "the client tried again, which cannot help")
    },
    ClientCheck("facts that cannot be", "hand-7") { trial in
      for _ in 0..<4 { trial.server.foreign(#"{"operations":[]}"#) }
      try trial.runWell("the first run")
      let head = trial.server.head
      let impossible: [(String, (inout Ready) -> Void)] = [
        ("a place in common that was not named", { $0.common = LogPosition(seq: 2, hash: .zero) }),
        ("a place in common beyond the head", { $0.head = LogPosition(seq: 1, hash: .zero) }),
        ("the head has another hash than the same place in common", { $0.head.hash = .zero }),
      ]
      for (name, change) in impossible {
        trial.server.script = { exchange in
          guard case .auth = exchange.request, var ready = exchange.ready else { return }
          change(&ready)
          exchange.reply(.ready(ready))
        }
        try trial.runBadly(name)
        try expect(trial.server.head, is: head, "the head, where the client was told \(name)")
      }
      trial.server.script = { _ in }
      try trial.runWell("the facts are right again")
    },
    ClientCheck("a newer connection takes over", "hand-8", "conv-12") { trial in
      var isFirst = true
      trial.server.script = { exchange in
        guard case .push = exchange.request, isFirst else { return }
        isFirst = false
        exchange.lines = [Message.error(nil, .displaced).line]
        exchange.closes = true
      }
      if try !trial.run() { try trial.runWell("nothing takes over any more") }
      try trial.server.expectEachOnce()
    },
    ClientCheck("unknown members, at every depth", "json-20", "ver-2", "ver-3") { trial in
      for _ in 0..<4 { trial.server.foreign(#"{"operations":[]}"#) }
      trial.server.script = { exchange in
        exchange.lines = exchange.lines.map { $0.withUnknownMembers }
      }
      try trial.runWell("each object but bodies has a member that is not known")
      try trial.runWell("each object has one, again")
      try trial.server.expectEachOnce()
    },
    ClientCheck("unknown capabilities, members and notes", "hand-4", "json-20", "note-1", "ver-2") {
      trial in
      trial.server.script = { exchange in
        if case .hello = exchange.request {
          guard var welcome = exchange.welcome else { return }
          welcome.capabilities = ["x.later"]
          exchange.reply(.welcome(welcome))
        }
        if case .pull = exchange.request {
          exchange.precede(
            #"{"type":"note","what":"x.weather"}"#, #"{"type":"x.whisper","y":1.5}"#)
        }
        exchange.addMember(Array(#"{"a":[1,null]}}"#.utf8))
      }
      try trial.runWell("the server is of a later time")
    },
  ]
}

extension [UInt8] {
  /// A line whose every object, bodies left out, has one member more.
  fileprivate var withUnknownMembers: [UInt8] {
    func changed(_ value: JSONValue) -> JSONValue {
      switch value {
      case .object(let members):
        .object(
          members.map { JSONMember($0.name, $0.name == "body" ? $0.value : changed($0.value)) }
            + [JSONMember("zLater", .object([JSONMember("a", .array([.integer(1), .null]))]))])
      case .array(let elements): .array(elements.map(changed))
      default: value
      }
    }
    guard let value = try? JSONValue(parsing: Array(dropLast())),
      let line = try? changed(value).canonicalBytes
    else { return self }
    return line + [0x0A]
  }
}

extension ModelServer {
  /// The logins, in order.
  var auths: [Authentication] {
    requests.compactMap { if case .auth(let auth) = $0 { auth } else { nil } }
  }
}

extension ModelServer.Exchange {
  /// The answer as it stands, read.
  private var message: Message? {
    lines.last.flatMap { line in try? Message(line: Array(line.dropLast())) }
  }

  private var current: Reply? {
    if case .reply(_, let reply)? = message { reply } else { nil }
  }

  var welcome: Welcome? { if case .welcome(let welcome)? = current { welcome } else { nil } }
  var ready: Ready? { if case .ready(let ready)? = current { ready } else { nil } }
  var page: Page? { if case .page(let page)? = current { page } else { nil } }
  var ack: Ack? { if case .ack(let ack)? = current { ack } else { nil } }
}
