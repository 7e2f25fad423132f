import FolioDomain
import FolioJSON
import FolioWire

extension ServerCheck {
  /// Each transaction once, whatever is sent again.
  static let exactlyOnce = [
    ServerCheck("a push that comes again gets the same results", "once-1", "once-2") { server in
      let session = try server.logIn()
      let sent = (1...4).map {
        PushedTransaction(.plain(session.device, $0, server.ids.transaction()))
      }
      let first = try session.push(sent)
      try expect(first.results.map(\.status), is: sent.map { _ in "ok" }, "the results")
      let places = first.results.map(\.place)
      // Cut otherwise, and on another connection.
      let again = try server.logIn(session.device)
      let second = try again.push([sent[0]])
      let third = try again.push(Array(sent[1...]))
      let results = second.results + third.results
      try expect(results.map(\.status), is: sent.map { _ in "duplicate" }, "the results again")
      try expect(results.map(\.place), is: places, "the places again")
      try expect(third.head, is: first.head, "the head after nothing new")
      try expect(third.acked, is: first.acked, "what is acknowledged")
    },
    ServerCheck("gaps and forks of a device's sequence", "once-2") { server in
      let session = try server.logIn()
      let ids = (1...3).map { _ in server.ids.transaction() }
      let gap = try session.push(.plain(session.device, 2, ids[1]))
      try expect(gap.results.map(\.status), is: ["gap"], "a first sequence of 2")
      try expect(gap.head, is: session.ready.head, "the head after a gap")
      let ok = try session.push(.plain(session.device, 1, ids[0]))
      try expect(ok.results.map(\.status), is: ["ok"], "what the gap was about")
      let forked = try session.push(.plain(session.device, 1, ids[2]))
      try expect(forked.results.map(\.status), is: ["forked"], "another id in a place taken")
      try expect(forked.acked, is: ok.acked, "what is acknowledged")
    },
    ServerCheck("an id that comes from another device is void", "once-3") { server in
      let session = try server.logIn()
      let id = server.ids.transaction()
      let first = try unwrap(
        try session.push(.plain(session.device, 1, id)).results[0].place, "it has no place")
      let other = try server.logIn()
      let start = try session.dialogue.ask(.verify(seq: first.seq))
      let again = Envelope.plain(other.device, 1, id, body: #"{"operations":[],"x":1}"#)
      let ack = try other.push(again)
      guard case .void(let place, "duplicate") = ack.results[0] else {
        throw CheckFailure("the result is \(ack.results[0].status), not void for a duplicate")
      }
      guard case .hash(let position) = start else { return }
      let entry = try other.read(after: position).first { $0.seq == place.seq }
      try expect(entry?.kind, is: .void, "the kind of the entry")
      let body = #"{"first":\#(first.seq),"reason":"duplicate"}"#
      try expect(entry?.transaction.body, is: Array(body.utf8), "the body of the void entry")
      try expect(
        try other.push(again).results.map(\.status), is: ["void"], "the result when it comes again")
    },
    ServerCheck("an acknowledgement is durable", "once-4") { server in
      let session = try server.logIn()
      let id = server.ids.transaction()
      let ack = try session.push(.plain(session.device, 1, id))
      session.dialogue.kill()
      let again = try server.logIn(session.device, points: [ack.head])
      try expect(again.ready.acked?.id, is: id, "what is acknowledged after the server was killed")
      try expect(again.ready.common, is: ack.head, "the head after the server was killed")
    },
    ServerCheck("transactions of several devices in one push", "once-5") { server in
      let session = try server.logIn()
      let other = server.ids.device()
      let ack = try session.push(
        .plain(other, 1, server.ids.transaction()),
        .plain(session.device, 1, server.ids.transaction()),
        .plain(other, 2, server.ids.transaction()))
      try expect(ack.results.map(\.status), is: ["ok", "ok", "ok"], "the results")
      try expect(ack.acked?.sequence, is: 1, "what is acknowledged of the connection's device")
    },
    ServerCheck("a placeholder uses up its sequence", "once-6") { server in
      let session = try server.logIn()
      let id = server.ids.transaction()
      let body = #"{"reason":"body_too_long"}"#
      let ack = try session.push([
        PushedTransaction(.plain(session.device, 1, id, body: body), isVoid: true),
        PushedTransaction(.plain(session.device, 2, server.ids.transaction())),
      ])
      guard case .void(_, "placeholder") = ack.results[0], case .ok = ack.results[1] else {
        throw CheckFailure("the results are \(ack.results.map(\.status))")
      }
      let entries = try session.read(after: session.ready.head)
      try expect(entries.first?.kind, is: .void, "the kind of the placeholder's entry")
      try expect(entries.first?.transaction.id, is: id, "the id of the placeholder's entry")
    },
  ]

  /// Pages of the log.
  static let reading = [
    ServerCheck("pages follow each other", "pull-2", "pull-4", "chain-2") { server in
      let session = try server.logIn()
      let start = session.ready.head
      _ = try session.push(
        (1...5).map { PushedTransaction(.plain(session.device, $0, server.ids.transaction())) })
      for (maxEntries, maxBytes) in [(1, 1_000_000), (2, 1_000_000), (100, 1)] {
        var position = start
        var count = 0
        while true {
          let page = try session.pull(after: position, maxEntries: maxEntries, maxBytes: maxBytes)
          position = try check(page, after: position)
          count += page.entries.count
          try expect(page.entries.count <= maxEntries, "more entries than were asked for")
          try expect(maxBytes > 1 || page.entries.count <= 1, "more bytes than were asked for")
          if !page.more { break }
          try expect(!page.entries.isEmpty, "there is more, and no entry")
        }
        try expect(count >= 5, "\(count) of 5 entries came")
      }
      let end = try session.pull(
        after: session.read(after: start).isEmpty ? start : headOf(session))
      try expect(end.entries.isEmpty && !end.more, "there are entries after the head")
    },
    ServerCheck("a place that is not in the log", "pull-1", "sync-1", "time-3") { server in
      let session = try server.logIn()
      let head = try session.push(.plain(session.device, 1, server.ids.transaction())).head
      for position in [
        LogPosition(seq: head.seq, hash: .zero), LogPosition(seq: head.seq + 5, hash: head.hash),
        LogPosition(seq: 0, hash: head.hash),
      ] {
        let other = try server.logIn()
        try other.dialogue.expectRefusal(
          of: .pull(Pull(after: position, maxEntries: 1, maxBytes: 1)), "position_unknown", .state)
      }
    },
    ServerCheck("stubs come only for what was named", "pull-3", "chain-2") { server in
      let session = try server.logIn()
      let start = session.ready.head
      let other = server.ids.device()
      _ = try session.push(
        .plain(session.device, 1, server.ids.transaction()),
        .plain(other, 1, server.ids.transaction()),
        .plain(session.device, 2, server.ids.transaction()))
      let whole = try session.pull(after: start)
      try expect(whole.entries.allSatisfy { $0.stubHash == nil }, "a body is left out unasked")
      let page = try session.pull(after: start, own: OwnEntries(device: session.device, upTo: 1))
      // A stub chains as the whole entry does.
      try expect(check(page, after: start), is: whole.last, "the chain over stubs")
      for entry in page.entries where entry.stubHash != nil {
        try expect(entry.transaction.device == session.device, "another device's body is left out")
        try expect(entry.transaction.deviceSequence <= 1, "a later body is left out")
      }
    },
  ]

  private static func headOf(_ session: LoggedIn) throws -> LogPosition {
    guard
      case .heads(let heads) = try session.dialogue.ask(.subscribe(Subscription(topics: [.log])))
    else { throw CheckFailure("subscribe was answered with something else") }
    return try unwrap(heads.head, "the head asked for is not told")
  }
}
