internal import FolioDomain
internal import LMDB

extension StoreWriteTransaction {
  /// Writes what a page came to.
  mutating func finishPage(_ work: inout PageWork) throws {
    for remark in work.result.remarks {
      var key = Keys.sequence(remark.seq)
      key.append(remark.kind.rawValue)
      var writer = RecordWriter()
      if remark.kind == .needsNewerVersion {
        writer.append(work.waiting[remark.seq]) { $0.append($1) }
      }
      try base.put(spaces.remarks, key, writer.bytes)
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
    session.add(work)
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
    var puts = DocumentPuts()
    for (key, row) in work.documents {
      try updateDocument(key, accepted: row.state, hasOutbox: work.outbox.count > 0, &puts)
    }
    for key in work.documentsTakenBack where work.documents[key] == nil {
      try updateDocument(key, &puts)
    }
    try put(&puts)
  }

  /// Drops entries that the server's stable mark has passed; of some, the hash stays.
  ///
  /// The hashes of the last few thousand stay, and one in `hashStride` of those before, so that a
  /// common place is found with a server that has gone back. An entry that a later version may have
  /// to apply stays whole.
  ///
  /// - Complexity: O(entries that the mark has passed since the last time).
  private mutating func dropKept(_ log: inout LogRecord) throws {
    let keptFrom = min(log.stable, log.seq) + 1
    guard log.keptFrom < keptFrom else { return }
    let unapplied = try reading.unappliedEntries()
    let recent = log.seq > Self.recentHashes ? log.seq - Self.recentHashes + 1 : 1
    // The hash before the first kept entry stays too: it is what that entry follows.
    let hashesFrom = max(log.hashesFrom, min(recent, keptFrom - 1))
    for seq in log.hashesFrom..<hashesFrom where !unapplied.contains(seq) {
      if !seq.isMultiple(of: Self.hashStride) {
        try base.delete(spaces.log, Keys.sequence(seq))
      } else if seq >= log.keptFrom {
        try keepHash(of: seq)
      }
    }
    for seq in max(log.keptFrom, hashesFrom)..<keptFrom where !unapplied.contains(seq) {
      try keepHash(of: seq)
    }
    log.hashesFrom = hashesFrom
    log.keptFrom = keptFrom
  }

  private mutating func keepHash(of seq: UInt64) throws {
    guard let hash = try reading.hash(at: seq) else {
      throw StoreError.missingRecord(space: spaces.log.name)
    }
    try base.put(spaces.log, Keys.sequence(seq), KeptRecord.hashRecord(hash))
  }

  private static var recentHashes: UInt64 { 4_096 }
  private static var hashStride: UInt64 { 1_024 }
}
