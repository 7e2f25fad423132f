import FolioDomain

extension LogWriter {
  /// Adds entries of a log that this server lost, byte for byte, where they follow its head.
  ///
  /// All of them are checked before the first is added.
  mutating func refill<T: ServerWriting & ~Copyable & ~Escapable>(
    _ entries: [LogEntry], after position: LogPosition, _ transaction: inout T
  ) throws {
    guard position == account.head else { throw LogError.notHead }
    var check = RefillCheck(account: account)
    for (index, entry) in entries.enumerated() {
      let device = entry.transaction.device
      let last = try self.device(device, transaction)?.sequence ?? 0
      let known = try transaction.seq(account.number, of: entry.transaction.id) != nil
      if let fault = entry.transaction.fault {
        throw LogError.entryRejected(index: index, fault)
      }
      if let fault = check.fault(entry, storedSequence: last, idIsKnown: known) {
        throw LogError.doesNotFollow(index: index, fault)
      }
    }
    for entry in entries {
      let isFirst = try transaction.seq(account.number, of: entry.transaction.id) == nil
      try append(entry, isFirst: isFirst, &transaction)
    }
  }
}

/// Whether each of several entries follows the one before.
private struct RefillCheck {
  private var seq: UInt64
  private var acceptedAt: Timestamp?
  private var sequences: [DeviceID: UInt64] = [:]
  private var ids: Set<TransactionID> = []

  init(account: AccountRow) {
    seq = account.head.seq
    acceptedAt = account.lastAcceptedAt
  }

  mutating func fault(_ entry: LogEntry, storedSequence: UInt64, idIsKnown: Bool) -> FollowFault? {
    let transaction = entry.transaction
    guard entry.seq == seq + 1 else { return .seq }
    if let acceptedAt, entry.acceptedAt < acceptedAt { return .acceptedAt }
    let last = sequences[transaction.device] ?? storedSequence
    guard transaction.deviceSequence == last + 1 else { return .sequence }
    let isNew = ids.insert(transaction.id).inserted && !idIsKnown
    guard isNew || entry.kind == .void else { return .id }
    guard !entry.isStub, bodyHash(of: transaction.body) == entry.bodyHash else { return .body }
    seq = entry.seq
    acceptedAt = entry.acceptedAt
    sequences[transaction.device] = transaction.deviceSequence
    return nil
  }
}
