import FolioDomain
import FolioWire

extension ClientCheck {
  /// What becomes of a client's transactions.
  static let pushing = [
    ClientCheck("an acknowledgement that is lost", "once-1", "once-7", "sync-8") { trial in
      var isFirst = true
      trial.server.script = { exchange in
        guard case .push = exchange.request, isFirst else { return }
        isFirst = false
        exchange.lines = []
        exchange.closes = true
      }
      if try !trial.run() { try trial.runWell("the server is back") }
      try trial.server.expectEachOnce()
      try trial.server.expectSamePlaces()
    },
    ClientCheck("a push that is lost", "once-7", "sync-8") { trial in
      var isFirst = true
      trial.server.script = { exchange in
        guard case .push = exchange.request, isFirst else { return }
        isFirst = false
        trial.server.log = []
        exchange.lines = []
        exchange.closes = true
      }
      if try !trial.run() { try trial.runWell("the server is back") }
      try trial.server.expectEachOnce()
      try trial.server.expectSamePlaces()
    },
    ClientCheck("results that tell to try again", "once-7") { trial in
      var isFirst = true
      trial.server.script = { exchange in
        guard case .push = exchange.request, isFirst, let ack = exchange.ack else { return }
        isFirst = false
        trial.server.log = []
        exchange.reply(
          .ack(Ack(results: ack.results.map { _ in .retry }, head: trial.server.head)))
      }
      if try !trial.run() { try trial.runWell("the server takes transactions again") }
      try trial.server.expectEachOnce()
      try trial.server.expectSamePlaces()
    },
    ClientCheck("a transaction that is rejected becomes a placeholder", "once-6") { trial in
      var rejected: PushedTransaction?
      trial.server.script = { exchange in
        guard case .push(let push) = exchange.request, rejected == nil else { return }
        rejected = push.transactions[0]
        trial.server.log = []
        let results = push.transactions.enumerated().map {
          $0.offset == 0 ? PushResult.rejected(reason: "x.never") : .gap
        }
        exchange.reply(.ack(Ack(results: results, head: trial.server.head)))
      }
      if try !trial.run() { _ = try trial.run() }
      let first = try unwrap(rejected, "nothing was pushed").transaction
      let placeholder = try unwrap(
        trial.server.pushed.first { $0.isVoid }, "no placeholder was pushed"
      ).transaction
      try expect(placeholder.id, is: first.id, "the id of the placeholder")
      try expect(placeholder.deviceSequence, is: first.deviceSequence, "its sequence")
      try expect(
        placeholder.body, is: Array(#"{"reason":"x.never"}"#.utf8), "the body of the placeholder")
      try trial.runWell("the next transaction follows the placeholder")
    },
    ClientCheck("a push that is refused as a whole", "once-6", "once-7") { trial in
      trial.server.script = { exchange in
        guard case .push(let push) = exchange.request, !push.transactions[0].isVoid else { return }
        trial.server.log = []
        exchange.refuse(ErrorMessage(code: "too_long", class: .request, message: "too long"))
      }
      if try !trial.run() { _ = try trial.run() }
      try expect(
        trial.server.log.contains { $0.entry.kind == .void },
        "a transaction that is refused by itself did not become a placeholder")
    },
    ClientCheck("acknowledgements that do not answer what was pushed", "once-10") { trial in
      let wrong: [(String, (inout Ack) -> Void)] = [
        ("there are no results", { $0.results = [] }),
        ("there is a result too many", { $0.results.append(.gap) }),
      ]
      for (name, change) in wrong {
        trial.server.script = { exchange in
          guard case .push = exchange.request, var ack = exchange.ack else { return }
          change(&ack)
          exchange.reply(.ack(ack))
        }
        try trial.runBadly(name)
      }
      trial.server.script = { _ in }
      try trial.runWell("the results are right again")
      try trial.server.expectEachOnce()
      try trial.server.expectSamePlaces()
    },
    ClientCheck("a device that has written more than this store", "once-9") { trial in
      try trial.runWell("the first run")
      let auth = try unwrap(trial.server.auths.first, "there was no login")
      // Another store went on under the same device.
      trial.server.append(.plain(auth.device.id, 2, trial.client.ids.transaction()))
      trial.server.append(.plain(auth.device.id, 3, trial.client.ids.transaction()))
      if try !trial.run() { try trial.runWell("it has another identity now") }
      let last = try unwrap(trial.server.log.last?.entry.transaction, "the log is empty")
      try expect(last.device != auth.device.id, "a copied store goes on under its device id")
      try expect(last.deviceSequence, is: 1, "the first sequence of the new device")
      try trial.server.expectEachOnce()
    },
    ClientCheck("a place in the sequence that is another's", "once-9") { trial in
      try trial.runWell("the first run")
      let device = try unwrap(trial.server.auths.first?.device.id, "there was no login")
      var forked = false
      trial.server.script = { exchange in
        guard case .push(let push) = exchange.request, !forked else { return }
        forked = true
        trial.server.rollBackKeepingID(to: 1)
        trial.server.append(.plain(device, 2, trial.client.ids.transaction()))
        exchange.reply(
          .ack(
            Ack(
              results: push.transactions.map { _ in .forked }, acked: trial.server.acked(device),
              head: trial.server.head)))
      }
      if try !trial.run() { try trial.runWell("it has another identity now") }
      let ids = Set(trial.server.pushed.map(\.transaction.id))
      try expect(ids.count == 2, "the transaction came back under another id")
      try trial.server.expectEachOnce()
      try expect(
        trial.server.log.last?.entry.transaction.device != device,
        "a copied store goes on under its device id")
    },
    ClientCheck("an acknowledgement that has gone back", "once-9", "sync-3") { trial in
      try trial.runWell("the first run")
      try trial.runWell("the second run")
      let before = trial.server.log.map(\.position)
      trial.server.rollBack(to: 1, trial.client.ids)
      try trial.runWell("the server has lost the second transaction")
      try expect(
        trial.server.log.map(\.position).starts(with: before),
        "what the server lost did not come back with the same hashes")
      try trial.server.expectEachOnce()
    },
  ]
}

extension ModelServer {
  /// Takes entries away without any sign of it.
  func rollBackKeepingID(to count: Int) { log = Array(log.prefix(count)) }

  /// Expects that each transaction kept its device and sequence however often it was sent.
  func expectSamePlaces() throws {
    var places: [TransactionID: (DeviceID, UInt64, [UInt8])] = [:]
    for pushed in pushed {
      let transaction = pushed.transaction
      if let place = places[transaction.id] {
        try expect(
          place == (transaction.device, transaction.deviceSequence, transaction.body),
          "a transaction was sent again as another")
      }
      places[transaction.id] = (
        transaction.device, transaction.deviceSequence, transaction.body
      )
    }
  }
}
