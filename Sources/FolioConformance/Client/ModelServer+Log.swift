import FolioCrypto
import FolioDomain
import FolioWire

extension ModelServer {
  /// The last transaction of a device that is in the log.
  func acked(_ device: DeviceID?) -> AckedTransaction? {
    log.last { $0.entry.transaction.device == device }.map {
      AckedTransaction(
        sequence: $0.entry.transaction.deviceSequence, id: $0.entry.transaction.id)
    }
  }

  @discardableResult
  func append(_ transaction: Envelope, kind: EntryKind = .accepted) -> EntryPlace {
    let entry = LogEntry(
      seq: head.seq + 1, acceptedAt: time, kind: kind, transaction: transaction,
      bodyHash: SHA256.hash(of: transaction.body))
    log.append((entry, head.after(entry)))
    return EntryPlace(seq: entry.seq, acceptedAt: entry.acceptedAt)
  }

  /// What becomes of a transaction, by the rules of exactly once.
  func take(_ pushed: PushedTransaction) -> PushResult {
    let transaction = pushed.transaction
    let known = log.first {
      $0.entry.transaction.device == transaction.device
        && $0.entry.transaction.deviceSequence == transaction.deviceSequence
    }?.entry
    if let known {
      guard known.transaction.id == transaction.id else { return .forked }
      let place = EntryPlace(seq: known.seq, acceptedAt: known.acceptedAt)
      return known.kind == .void ? .void(place, reason: "placeholder") : .duplicate(place)
    }
    guard transaction.deviceSequence == (acked(transaction.device)?.sequence ?? 0) + 1 else {
      return .gap
    }
    let first = log.first {
      $0.entry.kind == .accepted && $0.entry.transaction.id == transaction.id
    }
    if let first {
      var void = transaction
      void.form = .plain
      void.keyID = 0
      void.body = Array(#"{"first":\#(first.entry.seq),"reason":"duplicate"}"#.utf8)
      return .void(append(void, kind: .void), reason: "duplicate")
    }
    if pushed.isVoid { return .void(append(transaction, kind: .void), reason: "placeholder") }
    return .ok(append(transaction))
  }

  /// Takes entries back, all or none.
  func take(_ refill: Refill) throws(ErrorMessage) {
    if refill.account != account {
      guard log.isEmpty else { throw .accountMismatch }
      account = refill.account
    }
    guard refill.after == head else { throw .headMoved }
    for entry in refill.entries {
      let entry = entry.logEntry(using: SHA256.self)
      log.append((entry, head.after(entry)))
    }
  }

  /// Loses the whole log, as a new disk would; the account is made again, under another id.
  func empty(_ ids: Ids) {
    log = []
    account = AccountID(SHA256.hash(ofUTF8: "\(ids.nonce())"))
    logID = LogID(ids.nonce())
  }

  /// Goes back to the first `count` entries, as a restored backup does.
  func rollBack(to count: Int, _ ids: Ids) {
    log = Array(log.prefix(count))
    logID = LogID(ids.nonce())
  }
}
