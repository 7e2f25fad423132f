public import FolioDomain

/// Transactions for the log, those of one device in the order of its sequence.
public struct Push: Hashable, Sendable {
  /// The transactions, at least one.
  public var transactions: [PushedTransaction]
  /// A push of those.
  public init(transactions: [PushedTransaction]) { self.transactions = transactions }
}

/// A transaction as a device sends it.
public struct PushedTransaction: Hashable, Sendable {
  /// The transaction.
  public var transaction: Envelope
  /// Whether it only uses up its sequence, because what it said can never be accepted.
  public var isVoid: Bool
  /// `transaction`, as a placeholder where `isVoid` says so.
  public init(_ transaction: Envelope, isVoid: Bool = false) {
    self.transaction = transaction
    self.isVoid = isVoid
  }
}

/// The answer to `push` and `refill`, sent once what it says is durable.
public struct Ack: Hashable, Sendable {
  /// What became of each transaction, in their order; none for a refill.
  public var results: [PushResult]
  /// The last transaction of the connection's device that the server has.
  public var acked: AckedTransaction?
  /// Where the log ends now.
  public var head: LogPosition

  /// An answer of those members.
  public init(results: [PushResult] = [], acked: AckedTransaction? = nil, head: LogPosition) {
    self.results = results
    self.acked = acked
    self.head = head
  }
}

/// What became of a pushed transaction.
public enum PushResult: Hashable, Sendable {
  /// It is in the log from now on.
  case ok(EntryPlace)
  /// It was in the log already.
  case duplicate(EntryPlace)
  /// A void entry stands in its place, for that reason.
  case void(EntryPlace, reason: String)
  /// Earlier transactions of its device are missing.
  case gap
  /// Another transaction has its place in its device's sequence.
  case forked
  /// It was not tried; sending it again later may do.
  case retry
  /// It can never be accepted as it is, for that reason; its sequence is not used up.
  case rejected(reason: String)
}

/// Where an entry stands, and since when.
public struct EntryPlace: Hashable, Sendable {
  /// Its place in the log.
  public var seq: UInt64
  /// The server's clock when it took it.
  public var acceptedAt: Timestamp
  /// Place `seq`, taken at `acceptedAt`.
  public init(seq: UInt64, acceptedAt: Timestamp) {
    self.seq = seq
    self.acceptedAt = acceptedAt
  }
}
