internal import FolioDomain
internal import LMDB

extension Store {
  /// Applies what was kept for a newer program, where this is one.
  ///
  /// Nothing is written where the store is of a program that understood as much.
  func takeUpgrade() throws {
    let level = try read { try $0.single(UnderstandingRecord.self).level }
    if level < context.operationLevel { try write { try $0.applyUnderstood() } }
  }
}

extension StoreWriteTransaction {
  /// Applies the operations that entries were kept for, as far as this program understands them.
  ///
  /// They merge like any that arrive late: with the stamps that they always had. What the program
  /// before understood of the same entries is not applied again.
  /// - Complexity: O(entries that something was kept of).
  mutating func applyUnderstood() throws {
    let before: UnderstandingRecord = try reading.single()
    guard before.level < context.operationLevel else { return }
    var work = try beginPage()
    work.log.unknownCount = 0
    for seq in try reading.unappliedEntries().sorted() {
      let effectiveAt = try takeRemark(of: seq)
      guard let entry = try reading.keptEntry(seq) else {
        throw StoreError.missingRecord(space: spaces.log.name)
      }
      try apply(entry, at: effectiveAt, before: before.level, &work)
    }
    work.settle()
    // What was remembered of digests is of the state as it was.
    session.clear()
    session.isReset = true
    try finishPage(&work)
    try put(UnderstandingRecord(level: context.operationLevel))
  }

  private func apply(
    _ entry: LogEntry, at effectiveAt: Timestamp, before: UInt64, _ work: inout PageWork
  ) throws {
    // The time is the greatest of all that make it: taken for the previous one, it comes out again.
    let known = EffectiveEntry(entry, previous: effectiveAt, level: before)
    let effect = EffectiveEntry(entry, previous: effectiveAt, level: context.operationLevel)
    if effect.verdict == .applies {
      work.log.firstEffectiveAt = min(work.log.firstEffectiveAt ?? effectiveAt, effectiveAt)
    }
    for (index, operation) in effect.operations.enumerated() {
      let isNew = !known.operations.indices.contains(index) || known.operations[index].isUnknown
      if isNew { try apply(operation, stamp: effect.stamp(at: index), &work) }
    }
    if effect.needsNewerVersion { work.remarkWaiting(entry.seq, effectiveAt) }
  }

  /// Takes the remark away that says that an entry waits.
  ///
  /// - Returns: When the entry took effect.
  private mutating func takeRemark(of seq: UInt64) throws -> Timestamp {
    var key = Keys.sequence(seq)
    key.append(LogRemark.Kind.needsNewerVersion.rawValue)
    let effectiveAt = try reading.waitingSince(key.bytes)
    try base.delete(spaces.remarks, key)
    return effectiveAt
  }
}

extension StoreReadTransaction {
  /// A kept entry; nil where there is none at that place, or its hash alone.
  func keptEntry(_ seq: UInt64) throws -> LogEntry? {
    guard let span = try base.get(spaces.log, Keys.sequence(seq)) else { return nil }
    var reader = RecordReader(span, of: spaces.log.name)
    return try KeptRecord.entry(seq, &reader)?.entry
  }

  fileprivate func waitingSince(_ key: [UInt8]) throws -> Timestamp {
    guard let span = try base.get(spaces.remarks, key) else {
      throw StoreError.missingRecord(space: spaces.remarks.name)
    }
    var reader = RecordReader(span, of: spaces.remarks.name)
    guard try reader.readBool() else {
      throw StoreError.unreadableRecord(space: spaces.remarks.name)
    }
    return try reader.readTimestamp()
  }
}
