import FolioWire

extension ServerCheck {
  /// How a stream is cut into lines.
  static let framing = [
    ServerCheck("lines are cut at 0x0A and nowhere else", "line-1") { server in
      let dialogue = try server.logIn().dialogue
      let id = dialogue.nextID()
      // U+2028, U+2029, U+0085, vertical tab's relatives: ends of lines to readers of text.
      try dialogue.send(
        #"{"id":\#(id.value),"type":"ping","x":"a\#u{2028}b\#u{2029}c\#u{85}d"}"#)
      guard case .success(.pong) = try dialogue.answer(to: id) else {
        throw CheckFailure("a separator of lines of text is taken for the end of the line")
      }
    },
    ServerCheck("a carriage return before the end is no part of the line", "line-2") { server in
      let dialogue = try server.logIn().dialogue
      let id = dialogue.nextID()
      try dialogue.send(#"{"id":\#(id.value),"type":"ping"}"# + "\r")
      guard case .success(.pong) = try dialogue.answer(to: id) else {
        throw CheckFailure("a line with 0x0D before its end is refused")
      }
    },
    ServerCheck("a carriage return elsewhere ends the connection", "line-2", "line-7") { server in
      let dialogue = try server.logIn().dialogue
      try dialogue.send("{\r}")
      try dialogue.expectEnd("stray_carriage_return", at: 1)
    },
    ServerCheck("an empty line says nothing", "line-3") { server in
      let dialogue = try server.connect()
      try dialogue.send(bytes: [0x0A, 0x0A, 0x0D, 0x0A])
      guard case .welcome = try dialogue.ask(.hello(server.hello())) else { return }
      try dialogue.send("")
      let device = server.ids.device()
      guard case .ready = try dialogue.ask(.auth(server.authentication(device))) else { return }
      try dialogue.send("")
      try dialogue.expectAlive()
    },
    ServerCheck("4,096 bytes before the handshake, and not one more", "line-4", "line-7") {
      server in
      let long = try server.connect()
      // Its end does not come: it is refused all the same.
      try long.send(bytes: [UInt8](repeating: 0x20, count: 4_097))
      try long.expectEnd("line_too_long", at: 4_096)
      let full = try server.connect()
      let line = Message.request(full.nextID(), .hello(server.hello())).line.dropLast()
      try full.send(bytes: line + [UInt8](repeating: 0x20, count: 4_096 - line.count) + [0x0A])
      guard case .reply(_, .welcome) = try full.next() else {
        throw CheckFailure("a line of 4,096 bytes is refused before the handshake")
      }
    },
    ServerCheck("a line of a mebibyte, and not one byte more", "line-4", "limit-1") { server in
      let dialogue = try server.logIn().dialogue
      let id = dialogue.nextID()
      let line = Message.request(id, .ping).line.dropLast()
      let padding = [UInt8](repeating: 0x20, count: 1_048_576 - line.count)
      try dialogue.send(bytes: line + padding + [0x0A])
      guard case .success(.pong) = try dialogue.answer(to: id) else {
        throw CheckFailure("a line of 1,048,576 bytes is refused")
      }
      let limit = try server.logIn()
      guard limit.welcome.limits.lineBytes == 1_048_576 else { return }
      try limit.dialogue.send(bytes: [UInt8](repeating: 0x20, count: 1_048_577))
      try limit.dialogue.expectEnd("line_too_long", at: 1_048_576)
    },
    ServerCheck("what the stream's end cuts off is no message", "line-5") { server in
      let device = server.ids.device()
      let session = try server.logIn(device)
      let push = Push(transactions: [
        PushedTransaction(.plain(device, 1, server.ids.transaction()))
      ])
      let line = Message.request(session.dialogue.nextID(), .push(push)).line.dropLast()
      try session.dialogue.send(bytes: Array(line))
      session.dialogue.finishSending()
      while let message = try session.dialogue.next() {
        if case .reply = message { throw CheckFailure("half a line was answered") }
      }
      let acked = try server.logIn(device).ready.acked
      try expect(acked == nil, "a push without the end of its line was taken")
    },
    ServerCheck("how the stream is cut makes no difference", "line-6") { server in
      let dialogue = try server.connect()
      let first = Message.request(dialogue.nextID(), .hello(server.hello())).line
      for byte in first { try dialogue.send(bytes: [byte]) }
      guard case .reply(_, .welcome) = try dialogue.next() else {
        throw CheckFailure("a line that comes byte by byte is not answered")
      }
      let authentication = server.authentication(server.ids.device())
      guard case .ready = try dialogue.ask(.auth(authentication)) else { return }
      let lines = (0..<3).map { _ in Message.request(dialogue.nextID(), .ping).line }
      try dialogue.send(bytes: Array(lines.joined()))
      for _ in lines {
        guard case .reply(_, .pong) = try dialogue.next() else {
          throw CheckFailure("three lines that come at once are not all answered")
        }
      }
    },
    ServerCheck("standard output has lines of the protocol alone", "line-8") { server in
      let dialogue = try server.connect()
      try dialogue.send("nonsense")
      // Whatever comes was read as a message, or the check has failed by now.
      while try dialogue.next() != nil {}
    },
  ]
}
