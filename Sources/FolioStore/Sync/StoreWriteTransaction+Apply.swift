internal import FolioDomain
internal import LMDB

extension StoreWriteTransaction {
  /// Takes in entries that follow what has been read, with everything that follows from them, and
  /// moves the cursor to the last.
  ///
  /// Each entry becomes part of history, holdings, documents and digests, and is kept; an own
  /// transaction leaves the outbox by its id. Snapshots that are no longer true are marked so. What
  /// is wrong with a body holds up nothing and is remarked on; a fault of an envelope is an error.
  /// - Parameters:
  ///   - entries: Whole entries whose chain the caller has checked, the first of them one past the
  ///     cursor.
  ///   - stable: The server's mark, up to which entries need not be kept; nil where it is as before.
  /// - Throws: ``StoreError/entryOutOfOrder(expected:found:)``,
  ///   ``StoreError/deviceSequenceOutOfOrder(device:expected:found:)``,
  ///   ``StoreError/bodyMissing(seq:)``, errors of the storage.
  /// - Complexity: O(entries and rows they change, each by the logarithm of the store).
  @discardableResult
  public mutating func apply(_ entries: [ChainedEntry], stable: UInt64? = nil) throws
    -> PageResult
  {
    var work = try beginPage()
    for entry in entries { try take(entry, &work) }
    if let stable { work.log.stable = stable }
    try finishPage(&work)
    return work.result
  }

  func beginPage() throws -> PageWork {
    var work = PageWork(
      log: try reading.single(), outbox: try reading.single(),
      device: try reading.single(IdentityRecord.self).device)
    // Another process may have read on, or another log, since this one remembered anything.
    if let last = session.isReset ? nil : context.lastDigest() {
      work.remembersSession = try reading.hash(at: last.seq) == last.hash
    }
    return work
  }

  private mutating func take(_ chained: ChainedEntry, _ work: inout PageWork) throws {
    let entry = chained.entry
    guard entry.seq == work.log.seq + 1 else {
      throw StoreError.entryOutOfOrder(expected: work.log.seq + 1, found: entry.seq)
    }
    if entry.isStub { throw StoreError.bodyMissing(seq: entry.seq) }
    let effect = try admit(chained, &work)
    work.log.position = chained.position
    work.log.greatestEffectiveAt = max(
      work.log.greatestEffectiveAt ?? effect.effectiveAt, effect.effectiveAt)
    try base.append(spaces.log, Keys.sequence(entry.seq), KeptRecord.record(chained))
    try noteID(entry.transaction.id, of: entry.seq)
    let cameBack = try takeBack(entry, &work)
    if cameBack { work.result.ownCount += 1 }
    let isOwn = cameBack || entry.transaction.device == work.device
    if !isOwn { work.result.foreignCount += 1 }
    try apply(effect, of: entry, isOwn: isOwn, &work)
    work.settle()
    work.digests.append(
      RunningDigest(seq: entry.seq, hash: chained.hash, state: work.log.digest.value))
  }

  /// Checks the entry's place among its device's, and says what it does.
  private func admit(_ chained: ChainedEntry, _ work: inout PageWork) throws -> EffectiveEntry {
    let entry = chained.entry
    let device = entry.transaction.device
    if work.devices[device] == nil { work.load(device, try reading.deviceState(device)) }
    let before = work.devices[device]?.state
    let expected = (before?.sequence ?? 0) + 1
    guard entry.transaction.deviceSequence == expected else {
      throw StoreError.deviceSequenceOutOfOrder(
        device: device, expected: expected, found: entry.transaction.deviceSequence)
    }
    let effect = EffectiveEntry(
      entry, previous: before?.effectiveAt, level: context.operationLevel)
    work.set(
      device,
      DeviceState(sequence: expected, hash: chained.hash, effectiveAt: effect.effectiveAt))
    return effect
  }

  private func apply(
    _ effect: EffectiveEntry, of entry: LogEntry, isOwn: Bool, _ work: inout PageWork
  ) throws {
    switch effect.verdict {
    case .void: return
    case .unreadable:
      work.remark(.unreadableBody)
      return
    case .needsNewerVersion: break
    case .applies:
      work.log.firstEffectiveAt = min(
        work.log.firstEffectiveAt ?? effect.effectiveAt, effect.effectiveAt)
    }
    if effect.needsNewerVersion {
      work.remarkWaiting(entry.seq, effect.effectiveAt)
    }
    if let seen = effect.seen { try check(seen, of: entry, &work) }
    for (index, operation) in effect.operations.enumerated() {
      try apply(operation, stamp: effect.stamp(at: index), &work)
      if let asset = operation.asset {
        try compareSides(asset, entry, seen: effect.seen, isOwn: isOwn, &work)
      }
    }
  }

  /// Adds an operation to the row that it changes.
  func apply(_ operation: FolioDomain.Operation, stamp: Stamp, _ work: inout PageWork) throws {
    if let asset = operation.asset {
      let key = AssetSlot(asset: asset, slot: Slot(containing: stamp.effectiveAt))
      let place = try work.historyPlace(of: key) { try reading.historyState($0) }
      work.apply(operation, toHistoryAt: place, stamp: stamp)
    } else if let key = operation.document {
      if work.documents[key] == nil { work.load(key, try reading.acceptedDocument(key)) }
      work.apply(operation, to: key, stamp: stamp)
    }
  }
}
