internal import FolioDomain

/// Who writes into this store.
struct IdentityRecord: SingleRecord {
  static let name = "identity"

  var device = DeviceID(0)

  init() {}

  init(device: DeviceID) { self.device = device }

  init(_ reader: inout RecordReader) throws(StoreError) {
    device = DeviceID(try reader.readUInt128())
  }

  func encode(_ writer: inout RecordWriter) {
    writer.append(device.value)
  }
}

/// Which account the store belongs to, and where its server is.
struct BindingRecord: SingleRecord {
  static let name = "binding"

  var accountName: String?
  var account: AccountID?
  var serverURL: String?
  var server: UInt128?

  init() {}

  init(_ reader: inout RecordReader) throws(StoreError) {
    if try reader.readBool() { accountName = try reader.readText() }
    if try reader.readBool() { account = AccountID(try reader.readHash()) }
    if try reader.readBool() { serverURL = try reader.readText() }
    if try reader.readBool() { server = try reader.readUInt128() }
  }

  func encode(_ writer: inout RecordWriter) {
    writer.append(accountName) { $0.append(text: $1) }
    writer.append(account) { $0.append($1.value) }
    writer.append(serverURL) { $0.append(text: $1) }
    writer.append(server) { $0.append($1) }
  }
}

/// How far the log has been read, and what that came to.
struct LogRecord: SingleRecord {
  static let name = "log"

  /// The last entry read; nil before the first.
  var position: LogPosition?
  /// The log that is read; it informs.
  var log: LogID?
  /// The digest of accepted state at `position`.
  var digest = StateDigest.empty
  /// When the first entry took effect that has any.
  var firstEffectiveAt: Timestamp?
  /// The latest effective time of any entry.
  var greatestEffectiveAt: Timestamp?
  /// The server's stable mark.
  var stable: UInt64 = 0
  /// From which entry on every one is kept whole.
  var keptFrom: UInt64 = 1
  /// From which entry on every hash is known.
  var hashesFrom: UInt64 = 1
  /// The position whose digest a saved transaction has told already.
  var witnessedAt: UInt64 = 0
  /// Entries with an operation this version does not know.
  var unknownCount: UInt64 = 0

  init() {}

  init(_ reader: inout RecordReader) throws(StoreError) {
    if try reader.readBool() { position = try reader.readPosition() }
    if try reader.readBool() { log = LogID(try reader.readUInt128()) }
    digest = StateDigest(try reader.readHash())
    if try reader.readBool() { firstEffectiveAt = try reader.readTimestamp() }
    if try reader.readBool() { greatestEffectiveAt = try reader.readTimestamp() }
    stable = try reader.readVarint()
    keptFrom = try reader.readVarint()
    hashesFrom = try reader.readVarint()
    witnessedAt = try reader.readVarint()
    unknownCount = try reader.readVarint()
  }

  func encode(_ writer: inout RecordWriter) {
    writer.append(position) { $0.append($1) }
    writer.append(log) { $0.append($1.value) }
    writer.append(digest.value)
    writer.append(firstEffectiveAt) { $0.append($1) }
    writer.append(greatestEffectiveAt) { $0.append($1) }
    writer.append(varint: stable)
    writer.append(varint: keptFrom)
    writer.append(varint: hashesFrom)
    writer.append(varint: witnessedAt)
    writer.append(varint: unknownCount)
  }

  /// The sequence of the last entry read; 0 before the first.
  var seq: UInt64 { position?.seq ?? 0 }
}

/// What the program understood of operations that made what is held.
struct UnderstandingRecord: SingleRecord {
  static let name = "understanding"

  var level: UInt64 = 1

  init() {}

  init(level: UInt64) { self.level = level }

  init(_ reader: inout RecordReader) throws(StoreError) {
    level = try reader.readVarint()
  }

  func encode(_ writer: inout RecordWriter) { writer.append(varint: level) }
}

/// How much waits to be sent.
struct OutboxRecord: SingleRecord {
  static let name = "outbox"

  /// How many transactions wait.
  var count: UInt64 = 0
  /// How many bytes their bodies have.
  var byteCount: UInt64 = 0
  /// The sequence of the last transaction made; 0 before the first.
  var lastSequence: UInt64 = 0

  init() {}

  init(_ reader: inout RecordReader) throws(StoreError) {
    count = try reader.readVarint()
    byteCount = try reader.readVarint()
    lastSequence = try reader.readVarint()
  }

  func encode(_ writer: inout RecordWriter) {
    writer.append(varint: count)
    writer.append(varint: byteCount)
    writer.append(varint: lastSequence)
  }
}

/// What the last syncs came to.
struct SyncRecord: SingleRecord {
  static let name = "sync"
  /// How many divergences are remembered.
  static let divergencesMax = 16

  /// When the last sync ended well, by this device's clock.
  var lastSyncAt: Timestamp?
  /// The server's clock less this device's, in milliseconds.
  var skewMilliseconds: Int64 = 0
  /// When the server makes its next price table, by its clock.
  var nextTablesAt: Timestamp?
  /// The last own transaction that the server said it had.
  var acknowledged: (sequence: UInt64, id: TransactionID)?
  /// When logs were found to have parted, by this device's clock; the last few.
  var divergences: [Timestamp] = []
  /// Whether the store was made from a backup file and nobody has said which side counts.
  var isRestoredBackup = false
  /// Whether a restore from the server has begun and not ended.
  var isRestoring = false

  init() {}

  init(_ reader: inout RecordReader) throws(StoreError) {
    if try reader.readBool() { lastSyncAt = try reader.readTimestamp() }
    skewMilliseconds = try reader.readSigned()
    if try reader.readBool() { nextTablesAt = try reader.readTimestamp() }
    if try reader.readBool() {
      let sequence = try reader.readVarint()
      acknowledged = (sequence, TransactionID(try reader.readUInt128()))
    }
    for _ in 0..<(try reader.readCount()) { divergences.append(try reader.readTimestamp()) }
    isRestoredBackup = try reader.readBool()
    isRestoring = try reader.readBool()
  }

  func encode(_ writer: inout RecordWriter) {
    writer.append(lastSyncAt) { $0.append($1) }
    writer.append(signed: skewMilliseconds)
    writer.append(nextTablesAt) { $0.append($1) }
    writer.append(acknowledged) {
      $0.append(varint: $1.sequence)
      $0.append($1.id.value)
    }
    writer.append(varint: UInt64(divergences.count))
    for time in divergences { writer.append(time) }
    writer.append(isRestoredBackup)
    writer.append(isRestoring)
  }
}
