public import FolioDomain
internal import LMDB

/// A transaction of this store that has not come back in the log.
public struct PendingEntry: Hashable, Sendable {
  /// The transaction, with its exact bytes.
  public var transaction: Envelope
  /// Whether it only uses up its sequence, because what it said could never be accepted.
  public var isVoid: Bool
  /// A pending transaction.
  public init(_ transaction: Envelope, isVoid: Bool) {
    self.transaction = transaction
    self.isVoid = isVoid
  }
}

/// An own transaction that was not accepted.
public struct RejectedEntry: Hashable, Sendable {
  /// Its identity.
  public var id: TransactionID
  /// Its place among the device's transactions when it was given up.
  public var sequence: UInt64
  /// When it was made.
  public var recordedAt: Timestamp
  /// Why, as a stable code.
  public var reason: String
  /// What it said, as it was saved.
  public var body: [UInt8]
}

extension StoreReadTransaction {
  /// Transactions that have not come back in the log, after `sequence`, in their order.
  ///
  /// At least one where there is any, then as many as fit both limits.
  /// - Parameters:
  ///   - sequence: The last one that is not wanted; 0 for all.
  ///   - maxCount: The limit for their number.
  ///   - maxByteCount: The limit for the sum of the bodies.
  public func pending(after sequence: UInt64, maxCount: Int, maxByteCount: Int) throws
    -> [PendingEntry]
  {
    let device = try single(IdentityRecord.self).device
    var found: [PendingEntry] = []
    var byteCount = 0
    let range = KeyRange.from(Keys.sequence(sequence + 1).bytes)
    try base.scan(spaces.outbox, range, limit: max(1, maxCount)) { key, value in
      var keyReader = KeyReader(key)
      let sequence = try keyReader.readUInt64()
      var reader = RecordReader(value, of: spaces.outbox.name)
      let record = try PendingRecord(&reader)
      byteCount += record.body.count
      if !found.isEmpty, byteCount > maxByteCount { return .stop }
      found.append(
        PendingEntry(record.envelope(device: device, sequence: sequence), isVoid: record.isVoid))
      return .next
    }
    return found
  }

  /// The id of this device's transaction at `sequence`, pending or in the log; nil where it was never
  /// made.
  public func ownTransaction(at sequence: UInt64) throws -> TransactionID? {
    if let record = try pendingIfAny(sequence) { return record.id }
    return try ownRecord(sequence)?.id
  }

  /// The exact bytes of this device's transaction at `sequence`, pending or kept; nil where they are
  /// not held.
  public func ownBody(at sequence: UInt64) throws -> [UInt8]? {
    if let record = try pendingIfAny(sequence) { return record.body }
    guard let own = try ownRecord(sequence) else { return nil }
    guard let span = try base.get(spaces.log, Keys.sequence(own.seq)) else { return nil }
    var reader = RecordReader(span, of: spaces.log.name)
    return try KeptRecord.entry(own.seq, &reader)?.entry.transaction.body
  }

  /// Own transactions that were not accepted, in the order in which they were made.
  public func rejected() throws -> [RejectedEntry] {
    var found: [RejectedEntry] = []
    try base.scan(spaces.rejected, .all) { key, value in
      var keyReader = KeyReader(key)
      var reader = RecordReader(value, of: spaces.rejected.name)
      let record = try RejectedRecord(&reader)
      found.append(
        RejectedEntry(
          id: TransactionID(try keyReader.readUInt128()), sequence: record.sequence,
          recordedAt: record.recordedAt, reason: record.reason, body: record.body))
      return .next
    }
    return found.sorted {
      $0.recordedAt == $1.recordedAt ? $0.sequence < $1.sequence : $0.recordedAt < $1.recordedAt
    }
  }

  func pendingSequence(of id: TransactionID) throws -> UInt64? {
    guard let span = try base.get(spaces.outboxByID, Keys.bits(id.value)) else { return nil }
    var reader = KeyReader(span)
    return try reader.readUInt64()
  }

  func pendingRecord(_ sequence: UInt64) throws -> PendingRecord {
    guard let record = try pendingIfAny(sequence) else {
      throw StoreError.missingRecord(space: spaces.outbox.name)
    }
    return record
  }

  func pendingIfAny(_ sequence: UInt64) throws -> PendingRecord? {
    guard let span = try base.get(spaces.outbox, Keys.sequence(sequence)) else { return nil }
    var reader = RecordReader(span, of: spaces.outbox.name)
    return try PendingRecord(&reader)
  }

  func ownRecord(_ sequence: UInt64) throws -> OwnRecord? {
    guard let span = try base.get(spaces.own, Keys.sequence(sequence)) else { return nil }
    var reader = RecordReader(span, of: spaces.own.name)
    return try OwnRecord(&reader)
  }
}
