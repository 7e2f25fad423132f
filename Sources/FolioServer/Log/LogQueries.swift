package import FolioDomain
package import FolioWire

/// What a device is told of its account's log when it has said who it is.
package struct LogFacts: ServerQuery {
  private let account: String
  private let device: DeviceID
  private let points: [LogPosition]

  /// The facts for `device`, which has read the log of `account` at `points`.
  package init(account: String, device: DeviceID, points: [LogPosition]) {
    self.account = account
    self.device = device
    self.points = points
  }

  /// The facts.
  package struct Answer: Hashable, Sendable {
    /// The account as it is stored.
    package var account: AccountRow
    /// The newest of the points that is in the log; nil where none is.
    package var common: LogPosition?
    /// The last transaction taken from the device.
    package var acked: AckedTransaction?
  }

  package func answer<T: ServerReading & ~Copyable & ~Escapable>(_ transaction: borrowing T) throws
    -> Answer
  {
    guard let account = try transaction.account(named: account), !account.isDisabled else {
      throw LogError.unknownAccount
    }
    var common: LogPosition?
    for point in points where point.seq >= common?.seq ?? 0 {
      if try transaction.hash(account, at: point.seq) == point.hash { common = point }
    }
    let device = try transaction.device(account.number, device)
    return Answer(
      account: account, common: common,
      acked: device.map { AckedTransaction(sequence: $0.sequence, id: $0.id) })
  }
}

/// A page of a log.
package struct LogPageQuery: ServerQuery {
  private let account: String
  private let position: LogPosition
  private let entryLimit: Int
  private let byteLimit: Int
  private let own: OwnEntries?

  /// The entries of `account`'s log after `position`: at most `entryLimit`, and no more than about
  /// `byteLimit` bytes as they are sent, but at least one where there is one.
  ///
  /// The entries of device `own.device` up to its sequence `own.upTo` come as stubs.
  package init(
    account: String, after position: LogPosition, entryLimit: Int, byteLimit: Int,
    own: OwnEntries? = nil
  ) {
    self.account = account
    self.position = position
    self.entryLimit = max(1, entryLimit)
    self.byteLimit = byteLimit
    self.own = own
  }

  /// The page.
  package struct Answer: Hashable, Sendable {
    /// The entries.
    package var entries: [WireEntry]
    /// The position after the last of them.
    package var last: LogPosition
    /// Whether the log goes on.
    package var more: Bool
  }

  package func answer<T: ServerReading & ~Copyable & ~Escapable>(_ transaction: borrowing T) throws
    -> Answer
  {
    guard let account = try transaction.account(named: account), !account.isDisabled else {
      throw LogError.unknownAccount
    }
    guard try transaction.hash(account, at: position.seq) == position.hash else {
      throw LogError.unknownPosition
    }
    var page = Answer(entries: [], last: position, more: position.seq < account.head.seq)
    var bytes = 0
    let own = own
    let range = EntryRow.range(account.number, after: position.seq)
    try transaction.scan(.entries, range, .ascending) { _, row in
      let stored = try EntryRow.stored(row) { device, sequence in
        own.map { $0.device == device && sequence <= $0.upTo } ?? false
      }
      let entry = WireEntry(stored.entry)
      bytes += entry.encodedByteCountMax
      if !page.entries.isEmpty, bytes > byteLimit { return .stop }
      page.entries.append(entry)
      page.last = LogPosition(seq: stored.entry.seq, hash: stored.hash)
      return page.entries.count < entryLimit ? .next : .stop
    }
    page.more = page.last.seq < account.head.seq
    return page
  }
}

/// The chain's hash at one place.
package struct LogHashQuery: ServerQuery {
  private let account: String
  private let seq: UInt64

  /// The hash of `account`'s log after entry `seq`.
  package init(account: String, seq: UInt64) {
    self.account = account
    self.seq = seq
  }

  package func answer<T: ServerReading & ~Copyable & ~Escapable>(_ transaction: borrowing T) throws
    -> Hash256
  {
    guard let account = try transaction.account(named: account), !account.isDisabled else {
      throw LogError.unknownAccount
    }
    guard let hash = try transaction.hash(account, at: seq) else {
      throw LogError.unknownPosition
    }
    return hash
  }
}
