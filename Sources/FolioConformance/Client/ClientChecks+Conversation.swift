import FolioDomain
import FolioWire

extension ClientCheck {
  /// Requests, replies, and what a server may not send.
  static let conversation = [
    ClientCheck("a ping is answered", "conv-3", "conv-10") { trial in
      trial.server.script = { exchange in
        if case .pull = exchange.request { exchange.precede(#"{"id":5,"type":"ping"}"#) }
      }
      try trial.runWell("the server pings")
      let pongs = trial.server.received.filter { $0.message == .reply(RequestID(5), .pong) }
      try expect(!pongs.isEmpty, "no pong came")
    },
    ClientCheck("a request of an unknown type", "conv-9") { trial in
      trial.server.script = { exchange in
        if case .pull = exchange.request { exchange.precede(#"{"id":6,"type":"x.sing"}"#) }
      }
      try trial.runWell("the server asks what the client does not know")
      let refusals = trial.server.received.compactMap { received in
        if case .error(RequestID(6), let error) = received.message { error } else { nil }
      }
      try expect(refusals.first?.code, is: "unsupported", "the answer to an unknown request")
    },
    ClientCheck("a reply of an unknown type", "conv-9", "conv-6") { trial in
      trial.server.script = { exchange in
        guard case .pull = exchange.request else { return }
        exchange.lines = [Array(#"{"re":\#(exchange.id.value),"type":"x.page"}"#.utf8) + [0x0A]]
      }
      try trial.runBadly("pull is answered with an unknown type")
    },
    ClientCheck("a reply that nobody asked for", "conv-6") { trial in
      trial.server.script = { exchange in
        guard case .pull = exchange.request else { return }
        exchange.lines.insert(
          Message.reply(
            RequestID(4_000),
            .ack(
              Ack(
                head: LogPosition(
                  seq: 0, hash: .zero)))
          ).line, at: 0)
      }
      try trial.runBadly("an ack comes to no request")
    },
    ClientCheck("a reply of another type", "conv-6") { trial in
      trial.server.script = { exchange in
        guard case .pull(let pull) = exchange.request else { return }
        exchange.reply(.hash(pull.after))
      }
      try trial.runBadly("pull is answered with a hash")
    },
    ClientCheck("a message that only clients send", "conv-6") { trial in
      trial.server.script = { exchange in
        guard case .pull = exchange.request else { return }
        exchange.precede(#"{"id":7,"seq":0,"type":"verify"}"#)
      }
      try trial.runBadly("the server sends verify")
    },
    ClientCheck("no more in flight than was announced", "conv-4", "limit-1") { trial in
      for _ in 0..<12 { trial.server.foreign(#"{"operations":[]}"#) }
      trial.server.script = { exchange in
        guard case .hello = exchange.request, var welcome = exchange.welcome else { return }
        welcome.limits = Limits(inFlight: 1, entries: 1, pageBytes: 1_024)
        exchange.reply(.welcome(welcome))
      }
      try trial.runWell("the server takes one request at a time, of one entry")
      for case .push(let push) in trial.server.requests {
        try expect(push.transactions.count == 1, "more transactions than were announced")
      }
    },
    ClientCheck("notes while requests are in flight", "note-1", "note-2", "sub-1") { trial in
      for _ in 0..<4 { trial.server.foreign(#"{"operations":[]}"#) }
      trial.server.script = { exchange in
        switch exchange.request {
        case .hello, .auth: return
        default: break
        }
        let far = LogPosition(seq: 1_000, hash: .zero)
        let notes = [Note.log(far), .prices(trial.server.market), .assets(.zero)]
        exchange.lines = notes.map { Message.note($0).line } + exchange.lines
      }
      try trial.runWell("notes come before each answer, of a place that the log does not reach")
      try trial.server.expectEachOnce()
    },
    ClientCheck("the server says bye and comes back", "conv-11") { trial in
      var isFirst = true
      trial.server.script = { exchange in
        guard case .push = exchange.request, isFirst else { return }
        isFirst = false
        exchange.lines.append(Message.bye.line)
        exchange.closes = true
      }
      if try !trial.run() { try trial.runWell("the server is back") }
      try trial.server.expectEachOnce()
    },
  ]

  /// The log, as a client reads it.
  static let log = [
    ClientCheck("a new store reads before it writes", "sync-6", "pull-5") { trial in
      for _ in 0..<7 { trial.server.foreign(#"{"operations":[]}"#) }
      try trial.runWell("the log has seven entries")
      let kinds = trial.server.requests.map(\.type)
      let push = kinds.firstIndex(of: .push) ?? kinds.endIndex
      let pulls = kinds[..<push].count { $0 == .pull }
      try expect(pulls >= 3, "\(pulls) of 3 pages were read before the first push")
    },
    ClientCheck("an entry that was changed", "chain-3", "chain-2") { trial in
      for _ in 0..<4 { trial.server.foreign(#"{"operations":[]}"#) }
      trial.server.changePages { page in
        page.entries[0].transaction.recordedAt = Timestamp(milliseconds: 1)
      }
      try trial.runBadly("an entry has another time than was hashed")
      try expect(trial.server.pushed.isEmpty, "the client pushed after a broken chain")
    },
    ClientCheck("a page whose hash is another", "chain-3", "pull-4") { trial in
      trial.server.foreign(#"{"operations":[]}"#)
      trial.server.changePages { $0.last.hash = .zero }
      try trial.runBadly("`last` of each page is not the chain's")
    },
    ClientCheck("a gap in the log", "chain-4", "pull-4") { trial in
      for _ in 0..<3 { trial.server.foreign(#"{"operations":[]}"#) }
      trial.server.changePages { page in
        if page.entries.count > 1 { page.entries.remove(at: 0) }
      }
      try trial.runBadly("an entry is left out")
    },
    ClientCheck("a gap in a device's sequence", "chain-4") { trial in
      let device = trial.client.ids.device()
      trial.server.append(.plain(device, 1, trial.client.ids.transaction()))
      trial.server.append(.plain(device, 3, trial.client.ids.transaction()))
      try trial.runBadly("a device's second transaction is withheld")
    },
    ClientCheck("more, and nothing comes", "pull-4") { trial in
      trial.server.foreign(#"{"operations":[]}"#)
      trial.server.script = { exchange in
        guard case .pull(let pull) = exchange.request else { return }
        exchange.reply(.page(Page(entries: [], last: pull.after, more: true)))
      }
      try trial.runBadly("each page is empty, and says that there is more")
    },
    ClientCheck("a stub that was not asked for", "pull-3") { trial in
      trial.server.foreign(#"{"operations":[]}"#)
      let hash = trial.server.log[0].entry.bodyHash
      trial.server.changePages { page in
        page.entries[0].transaction.body = []
        page.entries[0].stubHash = hash
      }
      try trial.runBadly("another device's body is left out")
    },
    ClientCheck("bodies that cannot be read, and operations of later", "body-4", "body-5") {
      trial in
      trial.server.foreign(#"{"operations":"none"}"#)
      trial.server.foreign(#"{"operations":[{"kind":"x.later","what":[1]}]}"#)
      trial.server.foreign(#"{}"#)
      try trial.runWell("a body cannot be read")
      try trial.runWell("a body could not be read")
    },
    ClientCheck("an entry of a later version is where reading stops", "entry-4") { trial in
      for _ in 0..<4 { trial.server.foreign(#"{"operations":[]}"#) }
      trial.server.foreign(#"{"new":[]}"#, version: 2)
      trial.server.foreign(#"{"operations":[]}"#)
      try trial.runBadly("an entry has version 2")
      try trial.runBadly("the next entry has version 2")
      let cursor = trial.server.auths.last?.points.first?.seq ?? 0
      try expect(cursor >= 3 && cursor <= 4, "the cursor is at \(cursor), where entry 5 is unknown")
    },
    ClientCheck("a log that another device saw otherwise", "body-3") { trial in
      let log = String(trial.server.logID.value, radix: 16)
      let id = String(repeating: "0", count: 32 - log.count) + log
      trial.server.foreign(#"{"operations":[]}"#)
      let hash = String(repeating: "1", count: 64)
      trial.server.foreign(
        #"{"operations":[],"seen":{"hash":"\#(hash)","log":"\#(id)","seq":1}}"#)
      try trial.runBadly("another device has seen another entry 1 of this log")
    },
    ClientCheck("an own transaction that is kept back", "once-8", "sync-7") { trial in
      trial.server.script = { exchange in
        guard case .push = exchange.request, var ack = exchange.ack else { return }
        // It says that it took it, and does not.
        trial.server.log = []
        ack.head = trial.server.start
        exchange.reply(.ack(ack))
      }
      try trial.runBadly("what was acknowledged is not in the log")
    },
  ]
}

extension ModelServer {
  /// Changes every page that has entries.
  func changePages(_ change: @escaping (inout Page) -> Void) {
    script = { exchange in
      guard case .pull = exchange.request, var page = exchange.page, !page.entries.isEmpty else {
        return
      }
      change(&page)
      exchange.reply(.page(page))
    }
  }

  /// Expects that no transaction is in the log twice, and that what was pushed is there.
  func expectEachOnce() throws {
    let accepted = log.filter { $0.entry.kind == .accepted }.map(\.entry.transaction.id)
    try expect(Set(accepted).count == accepted.count, "a transaction is in the log twice")
    for pushed in pushed {
      try expect(
        log.contains { $0.entry.transaction.id == pushed.transaction.id },
        "a transaction that was pushed is not in the log")
    }
  }
}
