import FolioCrypto
import FolioDomain
import FolioWire

extension ServerCheck {
  /// Entries that a client gives back.
  static let refilling = [
    ServerCheck("entries given back get the same hashes", "refill-1", "time-1") { server in
      let session = try server.logIn()
      let start = try session.push(.plain(session.device, 1, server.ids.transaction()))
      let last = try unwrap(start.results[0].place, "it has no place").acceptedAt
      let entries = following(
        start.head, acceptedAt: last,
        [
          .plain(server.ids.device(), 1, server.ids.transaction()),
          .plain(session.device, 2, server.ids.transaction()),
        ])
      let head = entries.reduce(start.head) { $0.after($1.logEntry(using: SHA256.self)) }
      let request = Refill(account: session.ready.account, after: start.head, entries: entries)
      guard case .ack(let ack) = try session.dialogue.ask(.refill(request)) else { return }
      try expect(ack.results.isEmpty, "a refill has results")
      try expect(ack.head, is: head, "the head after the refill")
      try expect(ack.acked?.sequence, is: 2, "what is acknowledged after the refill")
      let read = try session.read(after: start.head)
      try expect(Array(read.prefix(2)) == entries, "an entry came back as another")
    },
    ServerCheck("entries that do not follow", "refill-1", "time-1") { server in
      let session = try server.logIn()
      let start = try session.push(.plain(session.device, 1, server.ids.transaction()))
      let place = try unwrap(start.results[0].place, "it has no place")
      let known = try session.pull(after: session.ready.head).entries[0].transaction
      let good = following(
        start.head, acceptedAt: place.acceptedAt,
        [.plain(session.device, 2, server.ids.transaction())])[0]
      var changes: [(String, WireEntry)] = []
      func add(_ name: String, _ change: (inout WireEntry) -> Void) {
        var entry = good
        change(&entry)
        changes.append((name, entry))
      }
      add("a seq with a gap") { $0.seq += 1 }
      add("an acceptedAt before the last") {
        $0.acceptedAt = Timestamp(milliseconds: place.acceptedAt.milliseconds - 1)
      }
      add("a device's sequence with a gap") { $0.transaction.deviceSequence += 1 }
      add("an id that is known") { $0.transaction.id = known.id }
      for (name, entry) in changes {
        let request = Refill(
          account: session.ready.account, after: start.head, entries: [entry])
        let id = try session.dialogue.send(.refill(request))
        guard case .failure(let error) = try session.dialogue.answer(to: id) else {
          throw CheckFailure("\(name) was taken")
        }
        try expect(error.code, is: "does_not_follow", name)
        try expect(error.errorClass, is: .request, "\(name): the class")
      }
      guard case .hash(let head) = try session.dialogue.ask(.verify(seq: start.head.seq)) else {
        return
      }
      try expect(head, is: start.head, "the head after nothing was taken")
    },
    ServerCheck("a refill elsewhere than at the head", "refill-1") { server in
      let session = try server.logIn()
      let ack = try session.push(.plain(session.device, 1, server.ids.transaction()))
      let time = try unwrap(ack.results[0].place, "it has no place").acceptedAt
      let entries = following(
        session.ready.head, acceptedAt: time,
        [.plain(server.ids.device(), 1, server.ids.transaction())])
      let request = Refill(
        account: session.ready.account, after: session.ready.head, entries: entries)
      try session.dialogue.expectRefusal(of: .refill(request), "head_moved", .state)
    },
    ServerCheck("a refill of another account", "refill-2") { server in
      let session = try server.logIn()
      let ack = try session.push(.plain(session.device, 1, server.ids.transaction()))
      let time = try unwrap(ack.results[0].place, "it has no place").acceptedAt
      let entries = following(
        ack.head, acceptedAt: time, [.plain(session.device, 2, server.ids.transaction())])
      let request = Refill(account: AccountID(.zero), after: ack.head, entries: entries)
      try session.dialogue.expectRefusal(of: .refill(request), "account_mismatch", .state)
    },
  ]

  private static func following(
    _ position: LogPosition, acceptedAt: Timestamp, _ transactions: [Envelope]
  ) -> [WireEntry] {
    transactions.enumerated().map { index, transaction in
      WireEntry(
        seq: position.seq + UInt64(index) + 1, acceptedAt: acceptedAt, kind: .accepted,
        transaction: transaction)
    }
  }
}
