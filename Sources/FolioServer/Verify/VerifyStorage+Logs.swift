import FolioDomain

extension VerifyStorage {
  func verifyLogs<T: ServerReading & ~Copyable & ~Escapable>(
    _ accounts: [(name: String, account: AccountRow)], _ transaction: borrowing T,
    _ verification: inout StorageVerification
  ) {
    var rows: [Space: Int] = [:]
    var ids: Set<AccountID> = []
    var numbers: Set<AccountNumber> = []
    for (name, account) in accounts {
      verification.require(
        ids.insert(account.id).inserted && numbers.insert(account.number).inserted,
        .accountTwice, "account \(name): another has its id or number")
      verification.part("log of \(name)") { verification in
        var check = LogCheck(name: name, account: account)
        try check.run(transaction, &verification)
        for (space, count) in check.rows { rows[space, default: 0] += count }
      }
    }
    guard verification.isSound else { return }
    verification.part("logs") { verification in
      for space in [Space.entries, .ids, .sequences, .devices, .years] {
        let count = try transaction.count(space)
        verification.checked += count
        verification.require(
          count == rows[space] ?? 0, .rowsWithoutEntry,
          "\(space.name): \(count) rows, \(rows[space] ?? 0) that belong to an entry")
      }
    }
  }
}

/// The check of one account's log.
private struct LogCheck {
  let name: String
  let account: AccountRow
  /// How many rows of each space belong to the log.
  private(set) var rows: [Space: Int] = [:]
  private var position: LogPosition
  private var acceptedAt: Timestamp?
  private var devices: [DeviceID: DeviceRow] = [:]
  private var years: [Int: YearRow] = [:]

  init(name: String, account: AccountRow) {
    self.name = name
    self.account = account
    position = LogPosition(seq: 0, hash: startHash(of: account.id))
  }

  mutating func run<T: ServerReading & ~Copyable & ~Escapable>(
    _ transaction: borrowing T, _ verification: inout StorageVerification
  ) throws {
    let range = EntryRow.all(of: account.number)
    try transaction.scan(.entries, range, .ascending) { key, row in
      let stored = try EntryRow.stored(row)
      guard key.copied == EntryRow.key(account.number, position.seq + 1),
        stored.entry.seq == position.seq + 1
      else {
        verification.add(.logGap, "log of \(name): entry \(position.seq + 1) is missing")
        return .stop
      }
      try follow(stored, transaction, &verification)
      return .next
    }
    rows[.entries] = Int(position.seq)
    verification.require(
      position == account.head && acceptedAt == account.lastAcceptedAt, .head,
      "log of \(name): the head is not where the entries end")
    verification.require(
      account.stable <= account.head.seq, .stable,
      "log of \(name): the stable mark is beyond the head")
    try compareDevices(transaction, &verification)
    try compareYears(transaction, &verification)
  }

  private mutating func follow<T: ServerReading & ~Copyable & ~Escapable>(
    _ stored: StoredEntry, _ transaction: borrowing T, _ verification: inout StorageVerification
  ) throws {
    let entry = stored.entry
    let envelope = entry.transaction
    let hash = nextHash(after: position.hash, entry)
    let place = "log of \(name), entry \(entry.seq)"
    verification.require(
      bodyHash(of: envelope.body) == entry.bodyHash, .bodyHash, "\(place): the body's hash")
    verification.require(hash == stored.hash, .chain, "\(place): the chain's hash")
    verification.require(
      acceptedAt.map { $0 <= entry.acceptedAt } ?? true, .acceptedAt, "\(place): goes back in time"
    )
    let last = devices[envelope.device]?.sequence ?? 0
    verification.require(
      envelope.deviceSequence == last + 1, .deviceSequence, "\(place): its device's sequence")
    try compareIndexes(entry, place, transaction, &verification)
    devices[envelope.device] = DeviceRow(
      sequence: envelope.deviceSequence, id: envelope.id, seq: entry.seq)
    let year = Int(clamping: entry.acceptedAt.year)
    years[
      year,
      default: YearRow(
        first: entry.seq, last: entry.seq, hashBefore: position.hash, hashAfter: hash)
    ].last = entry.seq
    years[year]?.hashAfter = hash
    position = LogPosition(seq: entry.seq, hash: hash)
    acceptedAt = entry.acceptedAt
  }

  private mutating func compareIndexes<T: ServerReading & ~Copyable & ~Escapable>(
    _ entry: LogEntry, _ place: String, _ transaction: borrowing T,
    _ verification: inout StorageVerification
  ) throws {
    let envelope = entry.transaction
    let key = EntryRow.sequenceKey(account.number, envelope.device, envelope.deviceSequence)
    let bySequence = try transaction.row(.sequences, key).map {
      try EntryRow.seq($0, of: .sequences)
    }
    verification.require(
      bySequence == entry.seq, .sequenceIndex, "\(place): the index of sequences")
    rows[.sequences, default: 0] += 1
    let first = try transaction.seq(account.number, of: envelope.id)
    if first == entry.seq {
      rows[.ids, default: 0] += 1
    } else {
      verification.require(
        entry.kind == .void && (first.map { $0 < entry.seq } ?? false), .idIndex,
        "\(place): the index of ids")
    }
  }

  private mutating func compareDevices<T: ServerReading & ~Copyable & ~Escapable>(
    _ transaction: borrowing T, _ verification: inout StorageVerification
  ) throws {
    rows[.devices] = devices.count
    for (device, row) in devices {
      let stored = try transaction.device(account.number, device)
      verification.require(
        stored == row, .device, "log of \(name): the last transaction of a device")
    }
  }

  private mutating func compareYears<T: ServerReading & ~Copyable & ~Escapable>(
    _ transaction: borrowing T, _ verification: inout StorageVerification
  ) throws {
    rows[.years] = years.count
    for (year, row) in years {
      let stored = try transaction.row(.years, YearRow.key(account.number, year)).map {
        try YearRow($0.span.bytes)
      }
      verification.require(stored == row, .year, "log of \(name): the part of \(year)")
    }
  }
}
