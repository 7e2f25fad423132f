internal import FolioCrypto
internal import FolioDomain
internal import LMDB

extension StoreWriteTransaction {
  /// Forgets price tables and the asset table; the next sync reads them from their start.
  mutating func forgetMarket() throws {
    for space in [
      spaces.marketAssets, spaces.prices, spaces.pricedAssets, spaces.pricedNumbers,
      spaces.marketCursor, spaces.stagedAssets,
    ] {
      try base.deleteAll(space)
    }
    try dropSnapshots()
  }

  mutating func dropSnapshots() throws { try base.deleteAll(spaces.snapshots) }

  /// Makes both maps of what is held anew, from the history and the outbox.
  mutating func remakeHoldings() throws {
    try clearHoldings()
    let rules = ListingRules(through: try reading.through())
    for asset in try reading.touchedAssets().sorted() { try update(asset, rules) }
  }

  /// Empties both maps of what is held.
  mutating func clearHoldings() throws {
    try base.deleteAll(spaces.assets)
    try base.deleteAll(spaces.categories)
  }

  /// Empties all that is made of the log, but for the log and what it says of devices.
  mutating func clearAccepted() throws {
    try clearHoldings()
    for space in [
      spaces.history, spaces.historyByAsset, spaces.documents, spaces.documentOrder,
      spaces.indexed, spaces.indexedDocuments,
    ] {
      try base.deleteAll(space)
    }
  }

  /// Makes the index of the history by asset anew.
  mutating func remakeHistoryIndex() throws {
    try base.deleteAll(spaces.historyByAsset)
    for (slot, asset) in try reading.historyKeys() {
      try base.put(spaces.historyByAsset, try Keys.history(asset, slot), [])
    }
  }

  /// Makes what is known of successors anew from the asset table.
  mutating func remakeSuccessions() throws {
    let old = try reading.single(SuccessionsRecord.self).successions
    var record = SuccessionsRecord()
    record.successions = try reading.tabledSuccessions()
    try put(record)
    try markStale(bySuccessionsFrom: old)
  }

  /// Empties a small space of which a record cannot be read.
  ///
  /// - Returns: How many records it had that nobody else has.
  mutating func empty(_ part: RepairPart) throws -> Int {
    let space: Database
    switch part {
    case .rejected: space = spaces.rejected
    case .edit: space = spaces.edit
    case .settings: space = spaces.settings
    default:
      // The reading of another log begins again.
      try abandonRebuild()
      return 0
    }
    let count = try base.count(space)
    try base.deleteAll(space)
    return count
  }

  /// Lays the kept entries beside the state, from the first, as far as each is readable and follows
  /// the one before.
  ///
  /// - Returns: The last of them; 0 where the first is not kept, or not sound.
  mutating func stageKeptEntries() throws -> UInt64 {
    try beginRebuild()
    guard let account = try reading.single(BindingRecord.self).account else { return 0 }
    var place = LogPosition(seq: 0, hash: LogChain.start(account: account, using: SHA256.self))
    while let next = reading.soundEntry(after: place) {
      try stage([next])
      place = next.position
    }
    return place.seq
  }

  /// Makes the indexes and counts of the outbox anew from its transactions.
  ///
  /// A transaction that cannot be read is dropped. Where it, or one that is missing, leaves a gap, the
  /// others go on under a new identity, since a server takes none beyond it.
  /// - Returns: The sequences that are lost.
  mutating func remakeOutbox() throws -> [UInt64] {
    let last = try reading.single(OutboxRecord.self).lastSequence
    let found = try reading.readableOutbox(upTo: last)
    for space in [
      spaces.outbox, spaces.outboxByID, spaces.outboxByAsset, spaces.outboxByDocument,
    ] {
      try base.deleteAll(space)
    }
    var outbox = OutboxRecord()
    outbox.count = UInt64(found.count)
    outbox.byteCount = found.reduce(0) { $0 + UInt64($1.record.body.count) }
    outbox.lastSequence = max(last, found.last?.sequence ?? 0)
    try put(outbox)
    for (sequence, record) in found {
      try lay(record, record.targets(sequence: sequence), sequence: sequence, isNew: false)
    }
    // Those that wait follow, without a gap, the last that came back.
    let first = try reading.lastOwnSequence() + 1
    let held = Set(found.map(\.sequence))
    let lost = (min(first, last + 1)..<last + 1).filter { !held.contains($0) }
    if !lost.isEmpty { _ = try takeNewIdentity() }
    return lost
  }
}

extension StoreReadTransaction {
  /// The assets of which anything happened or waits.
  fileprivate func touchedAssets() throws -> Set<AssetKey> {
    var assets = Set(try historyKeys().lazy.map(\.asset))
    try base.scan(spaces.outboxByAsset, .all) { key, _ in
      var reader = KeyReader(key)
      assets.insert(try reader.readAsset())
      return .next
    }
    return assets
  }

  fileprivate func historyKeys() throws -> [(slot: Slot, asset: AssetKey)] {
    var keys: [(slot: Slot, asset: AssetKey)] = []
    try base.scan(spaces.history, .all) { key, _ in
      var reader = KeyReader(key)
      let slot = try reader.readSlot()
      keys.append((slot, try reader.readAsset()))
      return .next
    }
    return keys
  }

  func tabledSuccessions() throws -> Successions {
    var successions = Successions()
    try base.scan(spaces.marketAssets, .all) { key, value in
      var keyReader = KeyReader(key)
      var reader = RecordReader(value, of: spaces.marketAssets.name)
      let info = try AssetInfo(try keyReader.readAsset(), &reader)
      if let successor = info.successor { successions[info.asset] = successor }
      return .next
    }
    return successions
  }

  /// The kept entry after a place, where it can be read and its chain and body are right.
  fileprivate func soundEntry(after place: LogPosition) -> ChainedEntry? {
    guard
      let kept = try? entries(
        in: spaces.log, after: place.seq, maxCount: 1, maxByteCount: .max
      ).first
    else { return nil }
    let entry = kept.entry
    let isSound =
      entry.seq == place.seq + 1 && SHA256.hash(of: entry.transaction.body) == entry.bodyHash
      && LogChain.next(after: place.hash, entry, using: SHA256.self) == kept.hash
    return isSound ? kept : nil
  }

  /// The transactions of the outbox that can be read.
  ///
  /// They are asked for one by one, since a walk ends at the first that is damaged.
  fileprivate func readableOutbox(upTo last: UInt64) throws -> [(
    sequence: UInt64, record: PendingRecord
  )] {
    let end = max(last, try lastOwnSequence() + UInt64(try base.count(spaces.outbox)))
    return (0..<end).compactMap { before in
      guard let record = try? pendingIfAny(before + 1) else { return nil }
      return (before + 1, record)
    }
  }

  /// The sequence of the last own transaction that is known to have arrived: in the log as read, or by
  /// the server's word, where what was read is gone.
  fileprivate func lastOwnSequence() throws -> UInt64 {
    let device = try single(IdentityRecord.self).device
    let read = (try? deviceState(device))?.sequence ?? 0
    return max(read, try single(SyncRecord.self).acknowledged?.sequence ?? 0)
  }
}
