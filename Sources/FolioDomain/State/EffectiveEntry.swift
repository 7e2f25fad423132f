/// What an entry of the log says, as every reader finds it: when it happened, and what it does.
public struct EffectiveEntry: Hashable, Sendable {
  /// When the entry counts as having happened.
  public var effectiveAt: Timestamp
  /// The device that made the transaction.
  public var device: DeviceID
  /// The transaction's place among the device's.
  public var deviceSequence: UInt64
  /// Whether the operations count.
  public var verdict: EntryVerdict
  /// The operations that count, with their places in the transaction; none of an inert one.
  public var operations: [Operation]
  /// What the writer had seen of the log, where it says so and can be read.
  public var seen: Seen?

  /// The effect of an entry.
  ///
  /// - Parameters:
  ///   - entry: The entry, whole: a stub has been given its body.
  ///   - previous: The effective time of the device's entry before; nil for its first.
  ///   - level: What the reader understands; what is beyond it waits.
  /// - Complexity: O(bytes of the body).
  public init(_ entry: LogEntry, previous: Timestamp?, level: UInt64 = Operation.level) {
    precondition(!entry.isStub, "a stub has no body to read")
    let transaction = entry.transaction
    effectiveAt = EffectiveTime.next(
      previous: previous, recordedAt: transaction.recordedAt, acceptedAt: entry.acceptedAt)
    device = transaction.device
    deviceSequence = transaction.deviceSequence
    operations = []
    if entry.kind == .void {
      verdict = .void
    } else if transaction.version != 1 || transaction.form != .plain {
      verdict = .needsNewerVersion
    } else {
      do throws(BodyError) {
        let body = try TransactionBody(decoding: transaction.body)
        operations = body.operations.map { $0.understood(at: level) }
        seen = body.seen
        verdict = .applies
      } catch {
        verdict = .unreadable(error)
      }
    }
  }

  /// The operations with their stamps.
  public var stamped: [(operation: Operation, stamp: Stamp)] {
    operations.enumerated().map { index, operation in (operation, stamp(at: index)) }
  }

  /// The stamp of the operation at a place in the transaction.
  public func stamp(at index: Int) -> Stamp {
    Stamp(
      effectiveAt: effectiveAt, device: device, deviceSequence: deviceSequence,
      index: UInt32(truncatingIfNeeded: index))
  }

  /// Whether something of the entry waits for a version that knows it.
  public var needsNewerVersion: Bool {
    verdict == .needsNewerVersion || operations.contains { $0.isUnknown }
  }
}

/// What becomes of an entry's operations.
public enum EntryVerdict: Hashable, Sendable {
  /// They count.
  case applies
  /// They do not: the entry only uses up its device's sequence.
  case void
  /// They do not, for anybody: the body cannot be read.
  case unreadable(BodyError)
  /// They wait until this program is of a version that can read the entry.
  case needsNewerVersion
}

extension Operation {
  /// What this build understands: a number that grows with every kind of operation that is added.
  ///
  /// A store remembers it, so that a later build finds what was kept for it.
  public static var level: UInt64 { 1 }

  /// The operation, or an unknown one where a reader of that level does not understand it.
  fileprivate func understood(at level: UInt64) -> Operation {
    level >= Self.level || isUnknown ? self : .unknown(kind: kind, json: [])
  }

  private var kind: String {
    switch self {
    case .adjust: "adjust"
    case .categorize: "categorize"
    case .put: "put"
    case .delete: "delete"
    case .unknown(let kind, _): kind
    }
  }

  /// Whether the operation is of a kind that this build does not know.
  public var isUnknown: Bool {
    if case .unknown = self { true } else { false }
  }

  /// The asset that the operation changes, where it changes one.
  public var asset: AssetKey? {
    switch self {
    case .adjust(let asset, _), .categorize(let asset, _): asset
    case .put, .delete, .unknown: nil
    }
  }

  /// The document that the operation changes, where it changes one.
  public var document: DocumentKey? {
    switch self {
    case .put(let put): DocumentKey(collection: put.collection, id: put.document)
    case .delete(let collection, let id): DocumentKey(collection: collection, id: id)
    case .adjust, .categorize, .unknown: nil
    }
  }
}
