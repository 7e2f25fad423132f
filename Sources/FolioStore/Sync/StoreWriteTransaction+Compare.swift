internal import FolioDomain

extension StoreWriteTransaction {
  /// Compares what an entry's writer had read with what this store read.
  ///
  /// A transaction that names another hash for a place in this very log proves that two devices were
  /// shown different ones. It stands in a body, so it is remarked on and holds up nothing.
  func check(_ seen: Seen, of entry: LogEntry, _ work: inout PageWork) throws {
    guard seen.log == work.log.log else { return }
    guard seen.position.seq < entry.seq else {
      work.remark(.otherLogSeen)
      return
    }
    let running = runningDigest(at: seen.position.seq, work)
    guard let hash = try running?.hash ?? reading.hash(at: seen.position.seq) else { return }
    guard hash == seen.position.hash else {
      work.remark(.otherLogSeen)
      return
    }
    guard let digest = seen.stateDigest, let running else { return }
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
    if !isApart, let own = ownEntry(touching: asset, work) {
      isApart = own > (seen?.position.seq ?? 0)
    }
    if isApart {
      work.assetsReported.insert(asset)
      work.result.changedOnBothSides.append(asset)
    }
  }

  private func ownEntry(touching asset: AssetKey, _ work: PageWork) -> UInt64? {
    if let seq = work.ownEntries[asset] ?? session.ownEntries[asset] { return seq }
    return work.remembersSession ? context.ownEntry(touching: asset) : nil
  }
}
