package import FolioDomain
package import FolioWire

/// A request that adds to a log.
package struct LogSubmission: Sendable {
  /// What to add.
  package enum Action: Sendable {
    /// Transactions of devices.
    case push([PushedTransaction])
    /// Entries of a log that the server lost, after its head.
    case refill(account: AccountID, after: LogPosition, entries: [LogEntry])
  }

  /// The account's name.
  package var account: String
  /// The connection's device, whose acknowledged transaction is told.
  package var device: DeviceID
  /// What to add.
  package var action: Action

  /// `action` on the log of `account`, asked for by `device`.
  package init(account: String, device: DeviceID, action: Action) {
    self.account = account
    self.device = device
    self.action = action
  }
}

/// Requests of any number of connections, committed together.
///
/// A request that is refused changes nothing and takes no other with it.
package struct SubmitToLogs: ServerChange {
  private let submissions: [LogSubmission]
  private let now: Timestamp

  /// Those requests at the server's time `now`, in order.
  package init(_ submissions: [LogSubmission], now: Timestamp) {
    self.submissions = submissions
    self.now = now
  }

  package var isSmall: Bool { true }

  package func apply<T: ServerWriting & ~Copyable & ~Escapable>(_ transaction: inout T) throws
    -> [Result<LogReceipt, LogError>]
  {
    var results: [Result<LogReceipt, LogError>] = []
    results.reserveCapacity(submissions.count)
    for submission in submissions {
      do {
        results.append(.success(try apply(submission, &transaction)))
      } catch let error as LogError {
        results.append(.failure(error))
      }
    }
    return results
  }

  private func apply<T: ServerWriting & ~Copyable & ~Escapable>(
    _ submission: LogSubmission, _ transaction: inout T
  ) throws -> LogReceipt {
    guard let account = try transaction.account(named: submission.account), !account.isDisabled
    else { throw LogError.unknownAccount }
    var log = LogWriter(name: submission.account, account: account)
    var results: [PushResult] = []
    switch submission.action {
    case .push(let transactions):
      for pushed in transactions {
        results.append(try log.push(pushed, now: now, &transaction))
      }
    case .refill(let id, let after, let entries):
      if id != account.id {
        guard account.head.seq == 0 else { throw LogError.accountMismatch }
        guard try !transaction.holdsAccount(id) else { throw LogError.accountTaken }
        log.adopt(id)
      }
      try log.refill(entries, after: after, &transaction)
    }
    if log.account != account { try log.save(&transaction) }
    let device = try log.device(submission.device, transaction)
    return LogReceipt(
      results: results, acked: device.map { AckedTransaction(sequence: $0.sequence, id: $0.id) },
      head: log.account.head, jump: log.jump)
  }
}

extension ServerReading where Self: ~Copyable & ~Escapable {
  /// Whether an account of this server has `id`.
  ///
  /// O(accounts).
  func holdsAccount(_ id: AccountID) throws -> Bool {
    var found = false
    try scan(.accounts, .all, .ascending) { _, row in
      found = try AccountRow(row.copied).id == id
      return found ? .stop : .next
    }
    return found
  }
}
