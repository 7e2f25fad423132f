import FolioDomain

/// An account's log while one transaction adds to it.
///
/// Holds the account's row, its devices and its current year; ``save(_:)`` stores them with the
/// entries, so that all of it changes together.
struct LogWriter {
  private let name: String
  private(set) var account: AccountRow
  private var devices: [DeviceID: DeviceRow] = [:]
  private var year: (number: Int, row: YearRow)?
  private(set) var jump: ClockJump?

  init(name: String, account: AccountRow) {
    self.name = name
    self.account = account
  }

  /// An empty log takes the id of the log it is refilled from.
  mutating func adopt(_ id: AccountID) {
    account.id = id
    account.head = LogPosition(seq: 0, hash: startHash(of: id))
  }

  /// The last transaction taken from `device`.
  mutating func device<T: ServerReading & ~Copyable & ~Escapable>(
    _ device: DeviceID, _ transaction: borrowing T
  ) throws -> DeviceRow? {
    if let row = devices[device] { return row }
    let row = try transaction.device(account.number, device)
    devices[device] = row
    return row
  }

  /// The time to give to the next entry: never before that of the last.
  func acceptedAt(_ now: Timestamp) -> Timestamp {
    guard let last = account.lastAcceptedAt else { return now }
    return max(last, now)
  }

  /// Adds an entry after the head, with everything that belongs to it but the rows of ``save(_:)``.
  ///
  /// `isFirst` says that no entry bore its id before: the caller has looked.
  mutating func append<T: ServerWriting & ~Copyable & ~Escapable>(
    _ entry: LogEntry, isFirst: Bool, _ transaction: inout T
  ) throws {
    let number = account.number
    let envelope = entry.transaction
    let hash = nextHash(after: account.head.hash, entry)
    let seqRow = EntryRow.seqRow(entry.seq)
    try transaction.put(
      .entries, EntryRow.key(number, entry.seq),
      EntryRow.row(StoredEntry(entry: entry, hash: hash)))
    try transaction.put(
      .sequences,
      EntryRow.sequenceKey(number, envelope.device, envelope.deviceSequence), seqRow)
    if isFirst {
      try transaction.put(.ids, EntryRow.idKey(number, envelope.id), seqRow)
    }
    devices[envelope.device] = DeviceRow(
      sequence: envelope.deviceSequence, id: envelope.id, seq: entry.seq)
    try extendYear(entry, hash: hash, &transaction)
    if let last = account.lastAcceptedAt,
      entry.acceptedAt.milliseconds - last.milliseconds > LogRules.jumpLimit
    {
      jump = ClockJump(seq: entry.seq, from: last, to: entry.acceptedAt)
      account.jump = jump
    }
    account.head = LogPosition(seq: entry.seq, hash: hash)
    account.lastAcceptedAt = entry.acceptedAt
  }

  private mutating func extendYear<T: ServerWriting & ~Copyable & ~Escapable>(
    _ entry: LogEntry, hash: Hash256, _ transaction: inout T
  ) throws {
    let number = Int(clamping: entry.acceptedAt.year)
    if let current = year, current.number != number { try saveYear(&transaction) }
    if year?.number != number {
      let stored = try transaction.row(.years, YearRow.key(account.number, number))
      let row = try stored.map { try YearRow($0.span.bytes) }
      year = (
        number,
        row
          ?? YearRow(
            first: entry.seq, last: entry.seq, hashBefore: account.head.hash, hashAfter: hash)
      )
    }
    year?.row.last = entry.seq
    year?.row.hashAfter = hash
  }

  private func saveYear<T: ServerWriting & ~Copyable & ~Escapable>(_ transaction: inout T) throws {
    guard let year else { return }
    try transaction.put(.years, YearRow.key(account.number, year.number), year.row.row)
  }

  /// Stores the account, its devices and its year.
  func save<T: ServerWriting & ~Copyable & ~Escapable>(_ transaction: inout T) throws {
    try saveYear(&transaction)
    for (device, row) in devices {
      try transaction.put(.devices, DeviceRow.key(account.number, device), row.row)
    }
    try transaction.put(.accounts, AccountRow.key(name), account.row)
  }
}
