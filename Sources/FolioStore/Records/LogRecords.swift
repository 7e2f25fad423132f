internal import FolioDomain

extension DeviceState {
  var record: [UInt8] {
    var writer = RecordWriter()
    writer.append(varint: sequence)
    writer.append(hash)
    writer.append(effectiveAt)
    return writer.bytes
  }

  init(_ reader: inout RecordReader) throws(StoreError) {
    let sequence = try reader.readVarint()
    let hash = try reader.readHash()
    let effectiveAt = try reader.readTimestamp()
    try reader.finish()
    self.init(sequence: sequence, hash: hash, effectiveAt: effectiveAt)
  }
}

/// What is kept of an entry: all of it, so that a server that lost it gets it back byte for byte, or
/// the hash of the chain alone.
enum KeptRecord {
  /// The first byte of a record.
  private static let hashOnly: UInt8 = 0
  private static let whole: UInt8 = 1

  static func hashRecord(_ hash: Hash256) -> [UInt8] {
    var writer = RecordWriter(reserving: 33)
    writer.append(hashOnly)
    writer.append(hash)
    return writer.bytes
  }

  static func record(_ chained: ChainedEntry) -> [UInt8] {
    let entry = chained.entry
    let transaction = entry.transaction
    var writer = RecordWriter(reserving: 128 + transaction.body.count)
    writer.append(whole)
    writer.append(chained.hash)
    writer.append(entry.acceptedAt)
    writer.append(entry.kind.rawValue)
    writer.append(transaction.version)
    writer.append(transaction.id.value)
    writer.append(transaction.device.value)
    writer.append(varint: transaction.deviceSequence)
    writer.append(transaction.recordedAt)
    writer.append(transaction.form.rawValue)
    writer.append(varint: transaction.keyID)
    writer.append(entry.bodyHash)
    writer.append(rest: transaction.body)
    return writer.bytes
  }

  /// The hash of the chain after the entry.
  static func hash(_ reader: inout RecordReader) throws(StoreError) -> Hash256 {
    guard try reader.readByte() <= whole else { throw reader.unreadable }
    return try reader.readHash()
  }

  /// The whole entry; nil where its hash alone is kept.
  static func entry(_ seq: UInt64, _ reader: inout RecordReader) throws(StoreError)
    -> ChainedEntry?
  {
    let form = try reader.readByte()
    guard form <= whole else { throw reader.unreadable }
    let hash = try reader.readHash()
    if form == hashOnly { return nil }
    let acceptedAt = try reader.readTimestamp()
    guard let kind = EntryKind(rawValue: try reader.readByte()) else { throw reader.unreadable }
    let version = try reader.readByte()
    let id = TransactionID(try reader.readUInt128())
    let device = DeviceID(try reader.readUInt128())
    let sequence = try reader.readVarint()
    let recordedAt = try reader.readTimestamp()
    guard let bodyForm = BodyForm(rawValue: try reader.readByte()) else {
      throw reader.unreadable
    }
    let keyID = try reader.readVarint()
    let bodyHash = try reader.readHash()
    let transaction = Envelope(
      version: version, id: id, device: device, deviceSequence: sequence,
      recordedAt: recordedAt, form: bodyForm, keyID: keyID, body: try reader.readRest())
    let entry = LogEntry(
      seq: seq, acceptedAt: acceptedAt, kind: kind, transaction: transaction,
      bodyHash: bodyHash)
    return ChainedEntry(entry, hash: hash)
  }
}

/// A transaction that has not come back in the log.
///
/// Its device is the store's own.
struct PendingRecord: Hashable {
  var id: TransactionID
  var recordedAt: Timestamp
  /// Whether it was given up and only uses up its sequence.
  var isVoid = false
  var form = BodyForm.plain
  var keyID: UInt64 = 0
  var body: [UInt8]

  var record: [UInt8] {
    var writer = RecordWriter(reserving: 40 + body.count)
    writer.append(id.value)
    writer.append(recordedAt)
    writer.append(isVoid)
    writer.append(form.rawValue)
    writer.append(varint: keyID)
    writer.append(rest: body)
    return writer.bytes
  }

  init(id: TransactionID, recordedAt: Timestamp, isVoid: Bool = false, body: [UInt8]) {
    self.id = id
    self.recordedAt = recordedAt
    self.isVoid = isVoid
    self.body = body
  }

  init(_ reader: inout RecordReader) throws(StoreError) {
    id = TransactionID(try reader.readUInt128())
    recordedAt = try reader.readTimestamp()
    isVoid = try reader.readBool()
    guard let form = BodyForm(rawValue: try reader.readByte()) else { throw reader.unreadable }
    self.form = form
    keyID = try reader.readVarint()
    body = try reader.readRest()
  }

  func envelope(device: DeviceID, sequence: UInt64) -> Envelope {
    Envelope(
      id: id, device: device, deviceSequence: sequence, recordedAt: recordedAt, form: form,
      keyID: keyID, body: body)
  }
}

/// An own transaction in the log.
struct OwnRecord {
  var id: TransactionID
  var seq: UInt64

  var record: [UInt8] {
    var writer = RecordWriter(reserving: 24)
    writer.append(id.value)
    writer.append(varint: seq)
    return writer.bytes
  }

  init(id: TransactionID, seq: UInt64) {
    self.id = id
    self.seq = seq
  }

  init(_ reader: inout RecordReader) throws(StoreError) {
    id = TransactionID(try reader.readUInt128())
    seq = try reader.readVarint()
    try reader.finish()
  }
}

/// An own transaction that was not accepted.
struct RejectedRecord {
  var sequence: UInt64
  var recordedAt: Timestamp
  /// Why, as a stable code.
  var reason: String
  /// The body as it was saved, so that nothing of it is lost.
  var body: [UInt8]

  var record: [UInt8] {
    var writer = RecordWriter(reserving: 40 + body.count)
    writer.append(varint: sequence)
    writer.append(recordedAt)
    writer.append(text: reason)
    writer.append(rest: body)
    return writer.bytes
  }

  init(sequence: UInt64, recordedAt: Timestamp, reason: String, body: [UInt8]) {
    self.sequence = sequence
    self.recordedAt = recordedAt
    self.reason = reason
    self.body = body
  }

  init(_ reader: inout RecordReader) throws(StoreError) {
    sequence = try reader.readVarint()
    recordedAt = try reader.readTimestamp()
    reason = try reader.readText()
    body = try reader.readRest()
  }
}
