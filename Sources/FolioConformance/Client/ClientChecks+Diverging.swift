import FolioDomain
import FolioWire

extension ClientCheck {
  /// A server whose log is another than the client's.
  static let diverging = [
    ClientCheck("a log that was emptied is filled again", "sync-3", "refill-1", "refill-2") {
      trial in
      for _ in 0..<4 { trial.server.foreign(#"{"operations":[]}"#) }
      try trial.runWell("the first run")
      let before = trial.server.log.map(\.position)
      let account = trial.server.account
      trial.server.empty(trial.client.ids)
      try trial.runWell("the server was emptied")
      try expect(trial.server.account, is: account, "the account's id")
      try expect(
        trial.server.log.map(\.position).starts(with: before),
        "the entries did not come back with the same hashes")
      try expect(trial.server.log.count, is: before.count + 1, "the number of entries")
    },
    ClientCheck("a refill that is acknowledged elsewhere", "once-10", "refill-1") { trial in
      for _ in 0..<4 { trial.server.foreign(#"{"operations":[]}"#) }
      try trial.runWell("the first run")
      trial.server.rollBack(to: 2, trial.client.ids)
      trial.server.script = { exchange in
        guard case .refill = exchange.request, var ack = exchange.ack else { return }
        ack.head.seq += 1
        exchange.reply(.ack(ack))
      }
      try trial.runBadly("the head after a refill is another")
    },
    ClientCheck("a log that went back is filled again", "sync-3", "refill-1") { trial in
      for _ in 0..<4 { trial.server.foreign(#"{"operations":[]}"#) }
      try trial.runWell("the first run")
      let before = trial.server.log.map(\.position)
      trial.server.rollBack(to: 2, trial.client.ids)
      try trial.runWell("the server went back")
      try expect(
        trial.server.log.map(\.position).starts(with: before),
        "the entries did not come back with the same hashes")
    },
    ClientCheck("logs that fork: nobody's data is lost", "sync-3", "once-5", "sync-6") { trial in
      for _ in 0..<4 { trial.server.foreign(#"{"operations":[]}"#) }
      try trial.runWell("the first run")
      let lost = Set(trial.server.log.map(\.entry.transaction.id))
      trial.server.rollBack(to: 2, trial.client.ids)
      let device = trial.client.ids.device()
      for sequence in 1...6 as ClosedRange<UInt64> {
        trial.server.append(.plain(device, sequence, trial.client.ids.transaction()))
      }
      try trial.runWell("the server went back and went on")
      let now = Set(trial.server.log.map(\.entry.transaction.id))
      try expect(lost.isSubset(of: now), "\(lost.subtracting(now).count) transactions are lost")
      try trial.server.expectEachOnce()
      try trial.runWell("the logs are one again")
    },
    ClientCheck("a shorter log takes no state's place unasked", "sync-4", "sync-3") { trial in
      for _ in 0..<6 { trial.server.foreign(#"{"operations":[]}"#) }
      try trial.runWell("the first run")
      trial.server.rollBack(to: 1, trial.client.ids)
      trial.server.append(.plain(trial.client.ids.device(), 1, trial.client.ids.transaction()))
      let shorter = trial.server.log
      trial.server.script = { exchange in
        guard case .push(let push) = exchange.request else { return }
        // It takes nothing of what it lacks, and so stays shorter.
        trial.server.log = shorter
        let acked = trial.server.acked(trial.server.auths.last?.device.id)
        exchange.reply(
          .ack(
            Ack(
              results: push.transactions.map { _ in .gap }, acked: acked, head: trial.server.head)))
      }
      try trial.runBadly("the server's log is another, and shorter")
    },
    ClientCheck("logs that fork again and again", "sync-5") { trial in
      for _ in 0..<2 { trial.server.foreign(#"{"operations":[]}"#) }
      try trial.runWell("the first run")
      for _ in 0..<5 {
        trial.server.rollBack(to: 1, trial.client.ids)
        let device = trial.client.ids.device()
        for sequence in 1...12 as ClosedRange<UInt64> {
          trial.server.append(.plain(device, sequence, trial.client.ids.transaction()))
        }
        if try !trial.run() { return }
      }
      throw CheckFailure("the client went along with five forks in a row")
    },
    ClientCheck("another account under the name", "sync-3", "hand-7") { trial in
      trial.server.foreign(#"{"operations":[]}"#)
      try trial.runWell("the first run")
      trial.server.empty(trial.client.ids)
      for _ in 0..<9 { trial.server.foreign(#"{"operations":[]}"#) }
      let head = trial.server.head
      try trial.runBadly("the account's id is another, and its log is not empty")
      try expect(trial.server.head, is: head, "the head of another account's log")
    },
  ]

  /// Errors, known and unknown.
  static let refusals = [
    ClientCheck("waiting as long as it is told", "sync-8", "error-2") { trial in
      var refusedAt: Timestamp?
      var cameAt: Timestamp?
      trial.server.script = { exchange in
        guard case .hello = exchange.request else { return }
        if refusedAt != nil {
          cameAt = cameAt ?? trial.server.time
          return
        }
        refusedAt = trial.server.time
        exchange.refuse(
          ErrorMessage(
            code: "busy", class: .retry, action: .backoff, message: "busy", retryAfter: 2_000))
        exchange.closes = true
      }
      _ = try trial.run()
      guard let refusedAt, let cameAt else { return }
      let wait = cameAt.milliseconds - refusedAt.milliseconds
      try expect(wait >= 1_990, "the client came back after \(wait) ms, not 2,000")
    },
    ClientCheck("a part of the log that is not at hand", "time-4", "error-2") { trial in
      trial.server.script = { exchange in
        if case .pull = exchange.request { exchange.refuse(.archived) }
      }
      try trial.runBadly("pull is refused with archived")
      trial.server.script = { _ in }
      try trial.runWell("it is at hand again")
      try trial.server.expectEachOnce()
    },
    ClientCheck("unknown codes: the class is obeyed", "error-2", "conv-12") { trial in
      for errorClass in [ErrorClass.fatal, .auth, .unknown("musical")] {
        let start = trial.server.requests.count
        trial.server.script = { exchange in
          guard case .auth = exchange.request else { return }
          exchange.refuse(
            ErrorMessage(
              code: "x.off_key", class: errorClass, action: .unknown("sing"), message: ""))
          exchange.closes = true
        }
        try trial.run(for: .seconds(5))
        let count = trial.server.requests.count - start
        try expect(count <= 2, "the client tried again at once after class \(errorClass.text)")
      }
      trial.server.script = { _ in }
      try trial.runWell("the server lets it in")
      try trial.server.expectEachOnce()
    },
  ]
}
