import FolioCrypto
public import FolioDomain

/// The log of an account, as a server would keep it, made entry by entry.
public struct LogBuilder: Sendable {
  /// The account.
  public let account: AccountID
  /// The log's id, which bodies name in `seen`.
  public let log: LogID
  /// The entries, each with the hash of the chain after it.
  public private(set) var entries: [(entry: LogEntry, hash: Hash256)] = []
  private var sequences: [DeviceID: UInt64] = [:]
  private var nextID: UInt128 = 1

  /// An empty log.
  public init(account: AccountID = AccountID(Hash256(words: (1, 2, 3, 4))), log: UInt128 = 7) {
    self.account = account
    self.log = LogID(log)
  }

  /// Where the log ends.
  public var head: LogPosition {
    guard let last = entries.last else {
      return LogPosition(seq: 0, hash: LogChain.start(account: account, using: SHA256.self))
    }
    return LogPosition(seq: last.entry.seq, hash: last.hash)
  }

  /// Appends a transaction of those operations, its sequence the device's next.
  ///
  /// - Parameters:
  ///   - recordedAt: What the device says; the time of acceptance where nil.
  ///   - acceptedAt: The server's time; one second after the entry before where nil.
  @discardableResult
  public mutating func append(
    _ operations: [Operation], by device: UInt128 = 1, recordedAt: Timestamp? = nil,
    acceptedAt: Timestamp? = nil, kind: EntryKind = .accepted
  ) throws -> LogEntry {
    let body = TransactionBody(seen: Seen(log: log, position: head), operations: operations)
    return append(
      body: try body.encoded(), by: device, recordedAt: recordedAt, acceptedAt: acceptedAt,
      kind: kind)
  }

  /// Appends a transaction with a body of those bytes.
  @discardableResult
  public mutating func append(
    body: [UInt8], by device: UInt128 = 1, recordedAt: Timestamp? = nil,
    acceptedAt: Timestamp? = nil, kind: EntryKind = .accepted, form: BodyForm = .plain,
    version: UInt8 = 1
  ) -> LogEntry {
    let device = DeviceID(device)
    let accepted = acceptedAt ?? Self.time(after: entries.last?.entry.acceptedAt)
    let sequence = sequences[device, default: 0] + 1
    let transaction = Envelope(
      version: version, id: TransactionID(nextID), device: device, deviceSequence: sequence,
      recordedAt: recordedAt ?? accepted, form: form, body: body)
    return append(transaction, acceptedAt: accepted, kind: kind)
  }

  /// Appends a transaction that was made elsewhere.
  @discardableResult
  public mutating func append(
    _ transaction: Envelope, acceptedAt: Timestamp? = nil, kind: EntryKind = .accepted
  ) -> LogEntry {
    let entry = LogEntry(
      seq: head.seq + 1, acceptedAt: acceptedAt ?? Self.time(after: entries.last?.entry.acceptedAt),
      kind: kind, transaction: transaction, bodyHash: SHA256.hash(of: transaction.body))
    entries.append((entry, LogChain.next(after: head.hash, entry, using: SHA256.self)))
    sequences[transaction.device] = transaction.deviceSequence
    nextID += 1
    return entry
  }

  /// 2026-03-01T07:00:00Z, or a second after an entry.
  private static func time(after last: Timestamp?) -> Timestamp {
    last?.adding(milliseconds: 1_000) ?? Timestamp(milliseconds: 1_772_348_400_000)
  }

  /// What the whole log comes to.
  public var state: AcceptedState {
    var state = AcceptedState()
    for (entry, hash) in entries { state.apply(entry, hash: hash) }
    return state
  }
}
