internal import FolioDomain
internal import LMDB

extension StoreWriteTransaction {
  /// Writes what a page came to.
  mutating func finishPage(_ work: inout PageWork) throws {
    for remark in work.result.remarks {
      var key = Keys.sequence(remark.seq)
      key.append(remark.kind.rawValue)
      try base.put(spaces.remarks, key, [])
    }
    for (device, row) in work.devices {
      guard let state = row.state else { continue }
      try base.put(spaces.devices, Keys.bits(device.value), state.record)
    }
    try writeHoldings(&work)
    try writeDocuments(&work)
    try dropKept(&work.log)
    try put(work.log)
    try put(work.outbox)
    if let first = work.firstHoldingChange { try markStale(byTransactionAt: first) }
    session.digests.append(contentsOf: work.digests)
    session.ownEntries.merge(work.ownEntries) { max($0, $1) }
  }

  private mutating func writeHoldings(_ work: inout PageWork) throws {
    var changes: [AssetKey: AssetSlotState] = [:]
    // In the order of the space, which is that of time: neighbours share their pages.
    let places = work.history.indices.sorted {
      let (a, b) = (work.history[$0].key, work.history[$1].key)
      return a.slot == b.slot ? a.asset < b.asset : a.slot < b.slot
    }
    for place in places {
      let row = work.history[place]
      let key = row.key
      let change = AssetSlotState(
        adjustment: row.state.adjustment - (row.stored ?? .zero), category: row.state.category)
      changes[key.asset] = changes[key.asset]?.merged(with: change) ?? change
      try base.append(spaces.history, try Keys.history(key.slot, key.asset), row.state.record)
      if row.stored == nil {
        try base.put(spaces.historyByAsset, try Keys.history(key.asset, key.slot), [])
      }
    }
    for asset in work.assetsTakenBack where changes[asset] == nil {
      changes[asset] = AssetSlotState()
    }
    let rules = ListingRules(
      through: try reading.single(MarketRecord.self).through, hasOutbox: work.outbox.count > 0)
    for (asset, change) in changes.sorted(by: { $0.key < $1.key }) {
      try update(asset, rules, adding: change)
    }
  }

  private mutating func writeDocuments(_ work: inout PageWork) throws {
    for (key, row) in work.documents {
      try updateDocument(key, accepted: row.state, hasOutbox: work.outbox.count > 0)
    }
    for key in work.documentsTakenBack where work.documents[key] == nil {
      try updateDocument(key)
    }
  }

  /// Drops entries that the server's stable mark has passed; of some, the hash stays.
  ///
  /// The hashes of the last few thousand stay, and one in `hashStride` of those before, so that a
  /// common place is found with a server that has gone back.
  private mutating func dropKept(_ log: inout LogRecord) throws {
    let last = min(log.stable, log.seq)
    guard log.keptFrom <= last else { return }
    let unapplied = try reading.unappliedEntries()
    let recent = log.seq > Self.recentHashes ? log.seq - Self.recentHashes : 0
    let first = log.keptFrom > 2 * Self.recentHashes ? log.keptFrom - 2 * Self.recentHashes : 1
    for seq in first...last where !unapplied.contains(seq) {
      let key = Keys.sequence(seq)
      guard let hash = try reading.hash(at: seq) else { continue }
      if seq > recent || seq.isMultiple(of: Self.hashStride) {
        try base.put(spaces.log, key, KeptRecord.hashRecord(hash))
      } else {
        try base.delete(spaces.log, key)
      }
    }
    log.keptFrom = last + 1
  }

  private static var recentHashes: UInt64 { 4_096 }
  private static var hashStride: UInt64 { 1_024 }
}
