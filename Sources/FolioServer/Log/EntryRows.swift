import FolioDomain

/// Entries and their indexes as rows.
enum EntryRow {
  static func key(_ account: AccountNumber, _ seq: UInt64) -> [UInt8] {
    var writer = RowWriter(capacity: 12)
    writer.integer(account.value)
    writer.integer(seq)
    return writer.bytes
  }

  /// The keys of an account's entries after `seq`.
  static func range(_ account: AccountNumber, after seq: UInt64 = 0) -> RowRange {
    RowRange(from: key(account, seq == .max ? seq : seq + 1), upTo: key(account, .max))
  }

  static func idKey(_ account: AccountNumber, _ id: TransactionID) -> [UInt8] {
    var writer = RowWriter(capacity: 20)
    writer.integer(account.value)
    writer.integer(id.value)
    return writer.bytes
  }

  static func sequenceKey(_ account: AccountNumber, _ device: DeviceID, _ sequence: UInt64)
    -> [UInt8]
  {
    var writer = RowWriter(capacity: 28)
    writer.integer(account.value)
    writer.integer(device.value)
    writer.integer(sequence)
    return writer.bytes
  }

  /// The key range of everything that begins with the account's number.
  static func all(of account: AccountNumber) -> RowRange {
    var writer = RowWriter(capacity: 4)
    writer.integer(account.value)
    return RowRange(prefix: writer.bytes)
  }

  static func seqRow(_ seq: UInt64) -> [UInt8] {
    var writer = RowWriter(capacity: 8)
    writer.integer(seq)
    return writer.bytes
  }

  static func seq(_ row: [UInt8], of space: Space) throws -> UInt64 {
    var reader = RowReader(row.span.bytes, of: space)
    let seq: UInt64 = try reader.integer()
    try reader.end()
    return seq
  }

  static func row(_ stored: StoredEntry) -> [UInt8] {
    let entry = stored.entry
    let transaction = entry.transaction
    var writer = RowWriter(capacity: 139 + transaction.body.count)
    writer.integer(transaction.version)
    writer.integer(entry.kind.rawValue)
    writer.integer(transaction.form.rawValue)
    writer.integer(entry.seq)
    writer.moment(entry.acceptedAt)
    writer.integer(transaction.device.value)
    writer.integer(transaction.deviceSequence)
    writer.integer(transaction.id.value)
    writer.moment(transaction.recordedAt)
    writer.integer(transaction.keyID)
    writer.hash(entry.bodyHash)
    writer.hash(stored.hash)
    writer.raw(transaction.body)
    return writer.bytes
  }

  /// The entry in `span`; as a stub, without copying its body, where `stub` says so.
  static func stored(
    _ span: RawSpan, stub: (DeviceID, UInt64) -> Bool = { _, _ in false }
  ) throws -> StoredEntry {
    var reader = RowReader(span, of: .entries)
    let version: UInt8 = try reader.integer()
    guard let kind = EntryKind(rawValue: try reader.integer()),
      let form = BodyForm(rawValue: try reader.integer())
    else { throw ServerStorageError.damaged(space: .entries, what: "unknown kind or form") }
    let seq: UInt64 = try reader.integer()
    let acceptedAt = try reader.moment()
    let device = DeviceID(try reader.integer())
    let deviceSequence: UInt64 = try reader.integer()
    let id = TransactionID(try reader.integer())
    let recordedAt = try reader.moment()
    let keyID: UInt64 = try reader.integer()
    let bodyHash = try reader.hash()
    let hash = try reader.hash()
    let isStub = stub(device, deviceSequence)
    let body = isStub ? [] : try reader.raw(reader.remaining)
    return StoredEntry(
      entry: LogEntry(
        seq: seq, acceptedAt: acceptedAt, kind: kind,
        transaction: Envelope(
          version: version, id: id, device: device, deviceSequence: deviceSequence,
          recordedAt: recordedAt, form: form, keyID: keyID, body: body),
        bodyHash: bodyHash, isStub: isStub),
      hash: hash)
  }
}

extension ServerReading where Self: ~Copyable & ~Escapable {
  func account(named name: String) throws -> AccountRow? {
    try row(.accounts, AccountRow.key(name)).map { try AccountRow($0) }
  }

  func entry(_ account: AccountNumber, _ seq: UInt64) throws -> StoredEntry? {
    guard let row = try row(.entries, EntryRow.key(account, seq)) else { return nil }
    return try EntryRow.stored(row.span.bytes)
  }

  /// The chain's hash after `seq`; nil where the log does not go so far.
  func hash(_ account: AccountRow, at seq: UInt64) throws -> Hash256? {
    if seq == account.head.seq { return account.head.hash }
    if seq == 0 { return startHash(of: account.id) }
    return try entry(account.number, seq)?.hash
  }

  func device(_ account: AccountNumber, _ device: DeviceID) throws -> DeviceRow? {
    try row(.devices, DeviceRow.key(account, device)).map { try DeviceRow($0) }
  }

  func seq(_ account: AccountNumber, of id: TransactionID) throws -> UInt64? {
    try row(.ids, EntryRow.idKey(account, id)).map { try EntryRow.seq($0, of: .ids) }
  }
}
