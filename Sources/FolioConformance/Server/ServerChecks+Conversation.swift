import FolioDomain
import FolioWire

extension ServerCheck {
  /// Requests, replies, and what may come when.
  static let conversation = [
    ServerCheck("each request is answered once", "conv-1", "conv-3", "conv-4") { server in
      let session = try server.logIn()
      let count = min(session.welcome.limits.inFlight, 8)
      var waiting: Set<RequestID> = []
      var bytes: [UInt8] = []
      for _ in 0..<count {
        let id = session.dialogue.nextID()
        waiting.insert(id)
        bytes += Message.request(id, .verify(seq: 0)).line
      }
      let ping = session.dialogue.nextID()
      waiting.insert(ping)
      try session.dialogue.send(bytes: bytes + Message.request(ping, .ping).line)
      while !waiting.isEmpty {
        guard case .reply(let re, let reply) = try session.dialogue.next() else {
          throw CheckFailure("a request was not answered by its reply")
        }
        try expect(waiting.remove(re) != nil, "\(re.value) was answered twice, or never asked")
        try expect(reply.type == (re == ping ? .pong : .hash), "a reply of another type")
      }
      try session.dialogue.expectAlive()
    },
    ServerCheck("numbers of requests that do not increase", "conv-2") { server in
      let dialogue = try server.logIn().dialogue
      try dialogue.send(#"{"id":9,"type":"ping"}"#)
      _ = try dialogue.next()
      try dialogue.send(#"{"id":9,"type":"ping"}"#)
      try dialogue.expectEnd("id_not_increasing")
    },
    ServerCheck("more in flight than was announced", "conv-4") { server in
      let session = try server.logIn()
      let count = session.welcome.limits.inFlight + 200
      let lines = (0..<count).map { _ in
        Message.request(session.dialogue.nextID(), .verify(seq: 0)).line
      }
      try session.dialogue.send(bytes: Array(lines.joined()))
      var answers = 0
      // A server that is quick has never so many in flight, and answers all of them.
      while answers < count, let message = try session.dialogue.next() {
        switch message {
        case .reply(_, .hash): answers += 1
        case .error(nil, let error):
          try expect(error.code, is: "too_many_in_flight", "the code")
          return
        default: throw CheckFailure("the answer is neither a hash nor the end")
        }
      }
    },
    ServerCheck("what may not come ends the connection", "conv-7") { server in
      for line in [
        Message.request(RequestID(90), .hello(server.hello())).line,
        Message.request(RequestID(90), .auth(server.authentication(server.ids.device()))).line,
        Message.reply(RequestID(1), .pong).line,
        Message.note(.other("x")).line,
        Array(#"{"re":3,"type":"x.unheard"}"#.utf8) + [0x0A],
      ] {
        let dialogue = try server.logIn().dialogue
        try dialogue.send(bytes: line)
        try dialogue.expectEnd("unexpected_message")
      }
    },
    ServerCheck("unknown members, at every depth", "json-20", "ver-2", "ver-3") { server in
      let session = try server.logIn()
      let head = session.ready.head
      let more = #","zLater":{"a":[1,null]}"#
      func ask(_ members: String) throws -> Reply {
        let id = session.dialogue.nextID()
        try session.dialogue.send(#"{"id":\#(id.value),\#(members)\#(more)}"#)
        switch try session.dialogue.answer(to: id) {
        case .success(let reply): return reply
        case .failure(let error): throw CheckFailure("\(members) is refused: \(error.code)")
        }
      }
      let device = session.device.text
      let place = #"{"hash":"\#(head.hash.text)","seq":\#(head.seq)\#(more)}"#
      let pushed = try ask(
        #""transactions":[{"body":{"operations":[]},"device":"\#(device)","form":"plain","#
          + #""id":"\#(server.ids.transaction().text)","recordedAt":0,"sequence":1\#(more)}],"#
          + #""type":"push""#)
      guard case .ack(let ack) = pushed, case .ok = ack.results.first else {
        throw CheckFailure("a transaction with a member that is not known is not taken")
      }
      let pulled = try ask(
        #""after":\#(place),"maxBytes":9999,"maxEntries":9,"own":{"device":"\#(device)","#
          + #""upTo":0\#(more)},"type":"pull""#)
      guard case .page(let page) = pulled else { throw CheckFailure("pull gave no page") }
      try expect(try check(page, after: head), is: ack.head, "the head after the page")
    },
    ServerCheck("messages of unknown types", "conv-9", "json-20") { server in
      let dialogue = try server.logIn().dialogue
      try dialogue.send(#"{"type":"x.whisper","y":1.5}"#)
      let id = dialogue.nextID()
      try dialogue.send(#"{"id":\#(id.value),"type":"x.sing","y":-0}"#)
      guard case .failure(let error) = try dialogue.answer(to: id) else {
        throw CheckFailure("an unknown request was answered")
      }
      try expect(error.code, is: "unsupported", "the code")
      try expect(error.errorClass, is: .request, "the class")
      try dialogue.expectAlive()
    },
    ServerCheck("what is in flight at bye is answered", "conv-11") { server in
      let dialogue = try server.logIn().dialogue
      let id = dialogue.nextID()
      try dialogue.send(bytes: Message.request(id, .verify(seq: 0)).line + Message.bye.line)
      guard case .success(.hash) = try dialogue.answer(to: id) else {
        throw CheckFailure("a request before bye is not answered")
      }
    },
    ServerCheck("an error of no request ends the connection", "conv-12") { server in
      let dialogue = try server.logIn().dialogue
      let error = ErrorMessage(code: "x.enough", class: .fatal, message: "enough")
      try dialogue.send(bytes: Message.error(nil, error).line)
      try dialogue.expectEnd()
    },
    ServerCheck("errors do not repeat what was sent", "error-1") { server in
      let dialogue = try server.logIn().dialogue
      let secret = "Zw9kQ4"
      let id = dialogue.nextID()
      try dialogue.send(#"{"id":\#(id.value),"tag":"\#(secret)","type":"assets"}"#)
      guard case .failure(let error) = try dialogue.answer(to: id) else {
        throw CheckFailure("a tag that is no hash was taken")
      }
      try expect(!error.message.contains(secret), "the message repeats a value of the line")
    },
    ServerCheck("subscriptions", "sub-1", "note-1") { server in
      let session = try server.logIn()
      let id = session.dialogue.nextID()
      try session.dialogue.send(
        #"{"id":\#(id.value),"type":"subscribe","what":["log","x.weather","assets"]}"#)
      guard case .success(.heads(let heads)) = try session.dialogue.answer(to: id) else {
        throw CheckFailure("a subscription with an unknown name was not answered")
      }
      try expect(heads.head != nil && heads.assetsTag != nil, "a head asked for is not told")
      try expect(heads.market == nil, "the market is told unasked")
    },
    ServerCheck("the hash of each place", "chain-1", "pull-1") { server in
      let session = try server.logIn()
      guard case .hash(let start) = try session.dialogue.ask(.verify(seq: 0)) else { return }
      try expect(start, is: .start(of: session.ready.account), "the hash of the empty log")
      let head = session.ready.head
      guard case .hash(let last) = try session.dialogue.ask(.verify(seq: head.seq)) else { return }
      try expect(last, is: head, "the hash at the head")
      try session.dialogue.expectRefusal(
        of: .verify(seq: head.seq + 1_000_000), "position_unknown", .state)
    },
  ]
}
