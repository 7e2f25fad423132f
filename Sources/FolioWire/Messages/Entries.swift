public import FolioDomain

/// An entry of a log as it travels: whole, or a stub.
public struct WireEntry: Hashable, Sendable {
  /// The place in the log.
  public var seq: UInt64
  /// The server's clock when it took the transaction.
  public var acceptedAt: Timestamp
  /// Whether the operations count.
  public var kind: EntryKind
  /// The transaction; in a stub its body is empty.
  public var transaction: Envelope
  /// In a stub, the SHA-256 of the body that was left out.
  public var stubHash: Hash256?

  /// An entry of those members.
  public init(
    seq: UInt64, acceptedAt: Timestamp, kind: EntryKind, transaction: Envelope,
    stubHash: Hash256? = nil
  ) {
    self.seq = seq
    self.acceptedAt = acceptedAt
    self.kind = kind
    self.transaction = transaction
    self.stubHash = stubHash
  }

  /// The entry of the log, to be sent whole, or as a stub where it is one.
  public init(_ entry: LogEntry) {
    self.init(
      seq: entry.seq, acceptedAt: entry.acceptedAt, kind: entry.kind,
      transaction: entry.transaction, stubHash: entry.isStub ? entry.bodyHash : nil)
  }

  /// The entry of the log, its body hashed by `function` where it is there.
  ///
  /// - Complexity: O(length of the body).
  public func logEntry<H: HashFunction>(using function: H.Type) -> LogEntry {
    if let stubHash {
      return LogEntry(
        seq: seq, acceptedAt: acceptedAt, kind: kind, transaction: transaction,
        bodyHash: stubHash, isStub: true)
    }
    return LogEntry(
      seq: seq, acceptedAt: acceptedAt, kind: kind, transaction: transaction,
      bodyHash: transaction.body.withUnsafeBytes { H.hash(of: $0) })
  }

  /// At most this many bytes is the entry on the wire, a comma included.
  public var encodedByteCountMax: Int {
    let bodyCount = transaction.body.count
    return 400 + (transaction.form == .sealed ? (bodyCount + 2) / 3 * 4 : bodyCount)
  }
}

/// Entries that a server lost, given back by a client that kept them.
///
/// Taken only where `after` is the server's head. A server whose log is empty takes the account's id
/// from here.
public struct Refill: Hashable, Sendable {
  /// The account.
  public var account: AccountID
  /// The place that the entries follow.
  public var after: LogPosition
  /// The entries, whole, at least one, their places following each other.
  public var entries: [WireEntry]

  /// A refill of those members.
  public init(account: AccountID, after: LogPosition, entries: [WireEntry]) {
    self.account = account
    self.after = after
    self.entries = entries
  }
}

/// A request for the entries after a place.
public struct Pull: Hashable, Sendable {
  /// The cursor: the place that the entries are to follow.
  public var after: LogPosition
  /// The most entries wanted, at least 1.
  public var maxEntries: Int
  /// The most bytes wanted, at least 1; one entry comes even where it is longer.
  public var maxBytes: Int
  /// Which of the client's own entries may come as stubs.
  public var own: OwnEntries?

  /// A request of those members.
  public init(after: LogPosition, maxEntries: Int, maxBytes: Int, own: OwnEntries? = nil) {
    self.after = after
    self.maxEntries = maxEntries
    self.maxBytes = maxBytes
    self.own = own
  }
}

/// Entries whose bodies their reader has: those of a device up to a sequence.
public struct OwnEntries: Hashable, Sendable {
  /// The device.
  public var device: DeviceID
  /// The last sequence whose body it has.
  public var upTo: UInt64
  /// The entries of `device` up to sequence `upTo`.
  public init(device: DeviceID, upTo: UInt64) {
    self.device = device
    self.upTo = upTo
  }
}

/// The answer to `pull`.
public struct Page: Hashable, Sendable {
  /// The entries, their places following each other.
  public var entries: [WireEntry]
  /// The place after the last entry; where there is none, the place asked for.
  public var last: LogPosition
  /// Whether there are more; then there is at least one entry here.
  public var more: Bool

  /// A page of those members.
  public init(entries: [WireEntry], last: LogPosition, more: Bool) {
    self.entries = entries
    self.last = last
    self.more = more
  }
}

/// The answer to `verify`: the chain's hash after an entry.
public typealias ChainHash = LogPosition
