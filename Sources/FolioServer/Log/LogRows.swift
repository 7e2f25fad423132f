package import FolioDomain

/// The number of an account within one server: short, and never used again.
package struct AccountNumber: Hashable, Sendable {
  /// The number, from 1.
  package var value: UInt32
}

/// An account as the server keeps it.
package struct AccountRow: Hashable, Sendable {
  /// Its number in this folder.
  package var number: AccountNumber
  /// Its identity: random bytes, or those of the log it was refilled from.
  package var id: AccountID
  /// Its log as this server keeps it; new where a backup was restored.
  package var log: LogID
  /// The end of the log.
  package var head: LogPosition
  /// The server's time at the last entry; nil in an empty log.
  package var lastAcceptedAt: Timestamp?
  /// How far the log stood at the last backup.
  package var stable: UInt64
  /// When the account was made.
  package var createdAt: Timestamp
  /// Whether nobody gets in.
  package var isDisabled: Bool
  /// The last step forward of the server's clock that was longer than ``LogRules/jumpLimit``.
  package var jump: ClockJump?
}

/// A step forward of the server's clock between two entries of a log.
package struct ClockJump: Hashable, Sendable {
  /// The entry that came after it.
  package var seq: UInt64
  /// When the entry before was taken.
  package var from: Timestamp
  /// When this one was.
  package var to: Timestamp
}

/// The last transaction that was taken from a device.
package struct DeviceRow: Hashable, Sendable {
  /// Its place among the device's.
  package var sequence: UInt64
  /// Its identity.
  package var id: TransactionID
  /// The entry that holds it.
  package var seq: UInt64
}

/// The part of a log that was accepted in one year, in UTC.
package struct YearRow: Hashable, Sendable {
  /// The first entry.
  package var first: UInt64
  /// The last entry.
  package var last: UInt64
  /// The chain's hash before the first.
  package var hashBefore: Hash256
  /// The chain's hash after the last.
  package var hashAfter: Hash256
}

/// An entry with the hash that the chain has after it.
package struct StoredEntry: Hashable, Sendable {
  /// The entry, whole.
  package var entry: LogEntry
  /// The chain's hash after it.
  package var hash: Hash256
}

extension AccountRow {
  static func key(_ name: String) -> [UInt8] { Array(name.utf8) }

  init(_ row: [UInt8]) throws {
    var reader = RowReader(row.span.bytes, of: .accounts)
    number = AccountNumber(value: try reader.integer())
    id = AccountID(try reader.hash())
    log = LogID(try reader.integer())
    head = LogPosition(seq: try reader.integer(), hash: try reader.hash())
    let lastAcceptedAt = try reader.moment()
    self.lastAcceptedAt = head.seq == 0 ? nil : lastAcceptedAt
    stable = try reader.integer()
    createdAt = try reader.moment()
    isDisabled = try reader.flag()
    jump =
      try reader.flag()
      ? ClockJump(seq: reader.integer(), from: reader.moment(), to: reader.moment()) : nil
    try reader.end()
  }

  var row: [UInt8] {
    var writer = RowWriter(capacity: jump == nil ? 118 : 142)
    writer.integer(number.value)
    writer.hash(id.value)
    writer.integer(log.value)
    writer.integer(head.seq)
    writer.hash(head.hash)
    writer.moment(lastAcceptedAt ?? Timestamp(milliseconds: 0))
    writer.integer(stable)
    writer.moment(createdAt)
    writer.flag(isDisabled)
    writer.flag(jump != nil)
    if let jump {
      writer.integer(jump.seq)
      writer.moment(jump.from)
      writer.moment(jump.to)
    }
    return writer.bytes
  }
}

extension DeviceRow {
  static func key(_ account: AccountNumber, _ device: DeviceID) -> [UInt8] {
    var writer = RowWriter(capacity: 20)
    writer.integer(account.value)
    writer.integer(device.value)
    return writer.bytes
  }

  init(_ row: [UInt8]) throws {
    var reader = RowReader(row.span.bytes, of: .devices)
    sequence = try reader.integer()
    id = TransactionID(try reader.integer())
    seq = try reader.integer()
    try reader.end()
  }

  var row: [UInt8] {
    var writer = RowWriter(capacity: 32)
    writer.integer(sequence)
    writer.integer(id.value)
    writer.integer(seq)
    return writer.bytes
  }
}

extension YearRow {
  static func key(_ account: AccountNumber, _ year: Int) -> [UInt8] {
    var writer = RowWriter(capacity: 8)
    writer.integer(account.value)
    // The sign is flipped, so that years before 0 stand before those after.
    writer.integer(UInt32(bitPattern: Int32(clamping: year)) ^ 0x8000_0000)
    return writer.bytes
  }

  static func year(ofKey key: RawSpan) throws -> Int {
    var reader = RowReader(key, of: .years)
    _ = try reader.integer(UInt32.self)
    let year = Int(Int32(bitPattern: try reader.integer(UInt32.self) ^ 0x8000_0000))
    try reader.end()
    return year
  }

  init(_ span: RawSpan) throws {
    var reader = RowReader(span, of: .years)
    first = try reader.integer()
    last = try reader.integer()
    hashBefore = try reader.hash()
    hashAfter = try reader.hash()
    try reader.end()
  }

  var row: [UInt8] {
    var writer = RowWriter(capacity: 80)
    writer.integer(first)
    writer.integer(last)
    writer.hash(hashBefore)
    writer.hash(hashAfter)
    return writer.bytes
  }
}
