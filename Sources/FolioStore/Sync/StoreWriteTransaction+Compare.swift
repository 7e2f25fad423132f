internal import FolioDomain
internal import LMDB

extension StoreWriteTransaction {
  /// Compares what an entry's writer had read with what this store read.
  ///
  /// A transaction that names another hash for a place in this very log proves that two devices were
  /// shown different ones. It stands in a body, so it is remarked on and holds up nothing. Of a log
  /// with another id nothing can be said but where it agrees: one that was filled again, or came
  /// from a backup, has a new id and the old hashes.
  func check(_ seen: Seen, of entry: LogEntry, _ work: inout PageWork) throws {
    let isThisLog = seen.log == work.log.log
    guard seen.position.seq < entry.seq else {
      if isThisLog { work.remark(.otherLogSeen) }
      return
    }
    let running = runningDigest(at: seen.position.seq, work)
    guard let hash = try running?.hash ?? reading.hash(at: seen.position.seq) else { return }
    guard hash == seen.position.hash else {
      if isThisLog { work.remark(.otherLogSeen) }
      return
    }
    // What waits for a newer version is in the other's state, and not in this one.
    guard let digest = seen.stateDigest, let running, work.log.unknownCount == 0 else { return }
    let agrees = running.state == digest
    work.result.witness = Witness(position: seen.position, agrees: agrees)
    if !agrees { work.remark(.otherStateSeen) }
  }

  private func runningDigest(at seq: UInt64, _ work: PageWork) -> RunningDigest? {
    if let found = RunningDigest.find(seq, in: work.digests) { return found }
    if let found = RunningDigest.find(seq, in: session.digests) { return found }
    return work.remembersSession ? context.digest(at: seq) : nil
  }

  /// Notes an asset that two sides changed, neither having read the other's change.
  func compareSides(
    _ asset: AssetKey, _ entry: LogEntry, seen: Seen?, isOwn: Bool, _ work: inout PageWork
  ) throws {
    if isOwn {
      work.ownEntries[asset] = entry.seq
      return
    }
    if work.assetsReported.contains(asset) { return }
    var isApart = false
    if work.outbox.count > 0 {
      isApart = try reading.hasPending(asset)
    }
    let read = seen?.position.seq ?? 0
    if !isApart, let own = try ownEntry(touching: asset, after: read, &work) {
      isApart = own > read
    }
    if isApart {
      work.assetsReported.insert(asset)
      work.result.changedOnBothSides.append(asset)
    }
  }

  /// The last own entry that touched an asset, of those after a place that are still known.
  private func ownEntry(touching asset: AssetKey, after seq: UInt64, _ work: inout PageWork) throws
    -> UInt64?
  {
    // What came before this opening is asked only for a writer who had not read all of that.
    let isRead = session.hasReadOwn || (work.remembersSession && context.hasReadOwn)
    if !isRead, seq < work.start {
      session.hasReadOwn = true
      let found = try reading.ownEntries(upTo: work.start, of: work.device)
      work.ownEntries.merge(found) { max($0, $1) }
    }
    if let seq = work.ownEntries[asset] ?? session.ownEntries[asset] { return seq }
    return work.remembersSession ? context.ownEntry(touching: asset) : nil
  }
}

extension StoreReadTransaction {
  /// The last entry of a device that touched an asset, for the assets touched by the last entries
  /// up to `seq` that are kept.
  ///
  /// - Complexity: O(bytes of those entries), of which there are few thousand and few megabytes.
  fileprivate func ownEntries(upTo seq: UInt64, of device: DeviceID) throws -> [AssetKey: UInt64] {
    var found: [AssetKey: UInt64] = [:]
    var byteCount = 0
    let range = KeyRange.upTo(Keys.sequence(seq + 1).bytes)
    try base.scan(spaces.log, range, .descending, limit: Session.digestsMax) { key, value in
      var keyReader = KeyReader(key)
      var reader = RecordReader(value, of: spaces.log.name)
      guard let kept = try KeptRecord.entry(try keyReader.readUInt64(), &reader) else {
        return .stop
      }
      let entry = kept.entry
      byteCount += entry.transaction.body.count
      if entry.transaction.device == device {
        for operation in EffectiveEntry(entry, previous: nil).operations {
          if let asset = operation.asset, found[asset] == nil { found[asset] = entry.seq }
        }
      }
      return byteCount > 4 << 20 ? .stop : .next
    }
    return found
  }
}
