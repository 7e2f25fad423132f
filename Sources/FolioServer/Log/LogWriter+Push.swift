import FolioDomain
import FolioWire

extension LogWriter {
  /// Decides on one pushed transaction, and adds it where it is to be added.
  ///
  /// What is known already is answered as it was the first time, whatever its age; only the
  /// sequence after the device's last is taken.
  mutating func push<T: ServerWriting & ~Copyable & ~Escapable>(
    _ pushed: PushedTransaction, now: Timestamp, _ transaction: inout T
  ) throws -> PushResult {
    let envelope = pushed.transaction
    let last = try device(envelope.device, transaction)?.sequence ?? 0
    if envelope.deviceSequence >= 1, envelope.deviceSequence <= last {
      return try known(envelope, transaction)
    }
    if let fault = envelope.fault { return .rejected(reason: fault.rawValue) }
    guard envelope.deviceSequence == last + 1 else { return .gap }

    let place = EntryPlace(seq: account.head.seq + 1, acceptedAt: acceptedAt(now))
    if let first = try transaction.seq(account.number, of: envelope.id) {
      var void = envelope
      void.form = .plain
      void.keyID = 0
      void.body = Self.duplicateBody(first: first)
      try append(entry(void, .void, place), isFirst: false, &transaction)
      return .void(place, reason: VoidReason.duplicate.rawValue)
    }
    if pushed.isVoid {
      try append(entry(envelope, .void, place), isFirst: true, &transaction)
      return .void(place, reason: VoidReason.placeholder.rawValue)
    }
    try append(entry(envelope, .accepted, place), isFirst: true, &transaction)
    return .ok(place)
  }

  /// The stored result of a transaction whose place in its device's sequence is taken.
  private func known<T: ServerReading & ~Copyable & ~Escapable>(
    _ envelope: Envelope, _ transaction: borrowing T
  ) throws -> PushResult {
    let key = EntryRow.sequenceKey(account.number, envelope.device, envelope.deviceSequence)
    guard let row = try transaction.row(.sequences, key),
      let stored = try transaction.entry(
        account.number, try EntryRow.seq(row, of: .sequences))?.entry
    else {
      throw ServerStorageError.damaged(space: .sequences, what: "a device's sequence has a gap")
    }
    guard stored.transaction.id == envelope.id else { return .forked }
    let place = EntryPlace(seq: stored.seq, acceptedAt: stored.acceptedAt)
    guard stored.kind == .void else { return .duplicate(place) }
    let first = try transaction.seq(account.number, of: envelope.id)
    let reason: VoidReason = first == stored.seq ? .placeholder : .duplicate
    return .void(place, reason: reason.rawValue)
  }

  private func entry(_ envelope: Envelope, _ kind: EntryKind, _ place: EntryPlace) -> LogEntry {
    LogEntry(
      seq: place.seq, acceptedAt: place.acceptedAt, kind: kind, transaction: envelope,
      bodyHash: bodyHash(of: envelope.body))
  }

  /// The body of a void entry for an id that entry `first` bore before.
  static func duplicateBody(first: UInt64) -> [UInt8] {
    Array(#"{"first":\#(first),"reason":"duplicate"}"#.utf8)
  }
}
