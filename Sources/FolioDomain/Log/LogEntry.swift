/// A place in an account's log: how many entries, and the chain's hash there.
public struct LogPosition: Hashable, Sendable {
  /// The sequence number of the last entry up to here; 0 is the empty log.
  public var seq: UInt64
  /// The hash of the chain after that entry.
  public var hash: Hash256
  /// The position after entry `seq`, where the chain has `hash`.
  public init(seq: UInt64, hash: Hash256) {
    self.seq = seq
    self.hash = hash
  }
}

/// How a body is written: as canonical JSON, or sealed.
public enum BodyForm: UInt8, Hashable, Sendable {
  /// A JSON object in canonical form.
  case plain = 0
  /// Sealed bytes, opaque without the account's key.
  case sealed = 1
}

/// A transaction as it travels: its envelope, and its body's exact bytes.
public struct Envelope: Hashable, Sendable {
  /// The version of the entry's format; 1.
  public var version: UInt8
  /// The transaction's identity.
  public var id: TransactionID
  /// The device that made it; rewritten only when a store takes a new identity.
  public var device: DeviceID
  /// Its place among the device's transactions, from 1 without a gap.
  public var deviceSequence: UInt64
  /// When the device says it was made.
  public var recordedAt: Timestamp
  /// How the body is written.
  public var form: BodyForm
  /// Which key sealed the body; 0 for a plain one.
  public var keyID: UInt64
  /// The body's exact bytes, never written anew.
  public var body: [UInt8]

  /// A transaction with those members.
  public init(
    version: UInt8 = 1, id: TransactionID, device: DeviceID, deviceSequence: UInt64,
    recordedAt: Timestamp, form: BodyForm = .plain, keyID: UInt64 = 0, body: [UInt8]
  ) {
    self.version = version
    self.id = id
    self.device = device
    self.deviceSequence = deviceSequence
    self.recordedAt = recordedAt
    self.form = form
    self.keyID = keyID
    self.body = body
  }
}

/// Whether an entry's operations count.
public enum EntryKind: UInt8, Hashable, Sendable {
  /// They do.
  case accepted = 0
  /// They do not: the entry only uses up its device's sequence.
  case void = 1
}

/// An entry of an account's log: a transaction, its place, and when the server took it.
public struct LogEntry: Hashable, Sendable {
  /// The place in the log, from 1 without a gap.
  public var seq: UInt64
  /// The server's clock when it took the transaction; it never goes back within a log.
  public var acceptedAt: Timestamp
  /// Whether the operations count.
  public var kind: EntryKind
  /// The transaction.
  ///
  /// In a stub, `body` is empty and `bodyHash` stands for it.
  public var transaction: Envelope
  /// SHA-256 of the body.
  public var bodyHash: Hash256
  /// Whether the body was left out, because the reader has it.
  public var isStub: Bool

  /// An entry with those members.
  public init(
    seq: UInt64, acceptedAt: Timestamp, kind: EntryKind, transaction: Envelope,
    bodyHash: Hash256, isStub: Bool = false
  ) {
    self.seq = seq
    self.acceptedAt = acceptedAt
    self.kind = kind
    self.transaction = transaction
    self.bodyHash = bodyHash
    self.isStub = isStub
  }
}
