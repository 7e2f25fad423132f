public import FolioDomain
internal import LMDB

/// How far another log has been read beside the state.
struct RebuildRecord: SingleRecord {
  static let name = "rebuild"

  var isUnderWay = false
  var position: LogPosition?

  init() {}

  init(_ reader: inout RecordReader) throws(StoreError) {
    isUnderWay = try reader.readBool()
    position = try reader.readBool() ? try reader.readPosition() : nil
  }

  func encode(_ writer: inout RecordWriter) {
    writer.append(isUnderWay)
    writer.append(position) { $0.append($1) }
  }
}

extension StoreReadTransaction {
  /// How far the log of a rebuilding has been read, seq 0 at its beginning; nil where none is under
  /// way.
  public func rebuildPosition() throws -> LogPosition? {
    let rebuild = try single(RebuildRecord.self)
    guard rebuild.isUnderWay else { return nil }
    return rebuild.position ?? LogPosition(seq: 0, hash: .zero)
  }
}

extension StoreWriteTransaction {
  /// Begins to read a log from its start, beside the state, which stays as it is.
  ///
  /// What was read of another one before is dropped.
  public mutating func beginRebuild() throws {
    try base.deleteAll(spaces.staged)
    var rebuild = RebuildRecord()
    rebuild.isUnderWay = true
    try put(rebuild)
  }

  /// Adds entries to the log that is read beside the state.
  ///
  /// - Throws: ``StoreError/noRebuild``, ``StoreError/entryOutOfOrder(expected:found:)``.
  public mutating func stage(_ entries: [ChainedEntry]) throws {
    var rebuild: RebuildRecord = try reading.single()
    guard rebuild.isUnderWay else { throw StoreError.noRebuild }
    for chained in entries {
      let expected = (rebuild.position?.seq ?? 0) + 1
      guard chained.entry.seq == expected else {
        throw StoreError.entryOutOfOrder(expected: expected, found: chained.entry.seq)
      }
      if chained.entry.isStub { throw StoreError.bodyMissing(seq: chained.entry.seq) }
      try base.append(spaces.staged, Keys.sequence(expected), KeptRecord.record(chained))
      rebuild.position = chained.position
    }
    try put(rebuild)
  }

  /// Drops the log that is read beside the state.
  public mutating func abandonRebuild() throws {
    try base.deleteAll(spaces.staged)
    try put(RebuildRecord())
  }

  /// Puts accepted state as the log read beside it makes it in the place of what was accepted.
  ///
  /// What is pending, and is not in that log, stays pending. Snapshots are out of date.
  /// - Parameters:
  ///   - id: The log's id.
  ///   - stable: The server's stable mark.
  ///   - unplaced: Kept entries, by their place in the log held so far, that the server could not take
  ///     as their devices' own. What that log does not have of them becomes pending here, under the
  ///     same ids: nothing that anybody saved is lost with the state it was in.
  ///   - account: The account of that log; nil where it is the known one.
  ///   - bringsBackShown: Whether what is shown is to stay as it is, by transactions that undo the
  ///     difference; they wait to be sent then. A store made from a backup file is an ordinary one
  ///     from there on.
  /// - Throws: ``StoreError/noRebuild``, and what ``apply(_:stable:)`` throws; nothing is changed
  ///   then. `EditError.amountOverflow`, where a difference is beyond an amount's range.
  /// - Complexity: O(entries), in memory of a page; where what is shown is brought back, that too is
  ///   held in memory.
  public mutating func finishRebuild(
    log id: LogID, stable: UInt64, unplaced: [UInt64] = [], account: AccountID? = nil,
    bringsBackShown: Bool = false
  ) throws -> PageResult {
    guard try reading.single(RebuildRecord.self).isUnderWay else { throw StoreError.noRebuild }
    let shown = bringsBackShown ? try ShownState(reading) : nil
    if let account {
      var binding: BindingRecord = try reading.single()
      binding.account = account
      try put(binding)
    }
    var homeless = try unplaced.compactMap { try reading.keptTransaction($0) }
    try forgetLog(id)
    var total = PageResult()
    while true {
      let log: LogRecord = try reading.single()
      let entries = try reading.entries(
        in: spaces.staged, after: log.seq, maxCount: Self.pageCount, maxByteCount: 4 << 20)
      if entries.isEmpty { break }
      let placed = Set(
        entries.lazy.filter { $0.entry.kind == .accepted }.map(\.entry.transaction.id))
      homeless.removeAll { placed.contains($0.id) }
      total.add(try apply(entries, stable: stable))
    }
    try abandonRebuild()
    for transaction in homeless { try adopt(transaction) }
    if let shown {
      total.compensationCount = try bringBack(shown)
      try setRestoredBackup(false)
    }
    try dropSnapshotsOutsideRange()
    return total
  }

  /// Forgets all that was accepted, as if no entry had been read, and keeps what is pending.
  ///
  /// Nothing that was saved here and not yet sent is lost. The account stays.
  public mutating func forgetLog() throws {
    try forgetLog(try reading.single(LogRecord.self).log)
    try dropSnapshotsOutsideRange()
  }

  private mutating func forgetLog(_ id: LogID?) throws {
    let derived = [
      spaces.assets, spaces.categories, spaces.history, spaces.historyByAsset, spaces.documents,
      spaces.documentOrder, spaces.indexed, spaces.indexedDocuments, spaces.log, spaces.own,
      spaces.ids, spaces.remarks, spaces.devices,
    ]
    session.noteAllCollections()
    for space in derived { try base.deleteAll(space) }
    var log = LogRecord()
    log.log = id
    try put(log)
    try put(UnderstandingRecord(level: context.operationLevel))
    try markAllStale()
    session.clear()
    session.isReset = true
    try layOutboxAnew()
  }

  /// Lays the whole outbox over accepted state, where records were dropped.
  private mutating func layOutboxAnew() throws {
    var assets: Set<AssetKey> = []
    var documents: Set<DocumentKey> = []
    try base.scan(spaces.outboxByAsset, .all) { key, _ in
      var reader = KeyReader(key)
      assets.insert(try reader.readAsset())
      return .next
    }
    try base.scan(spaces.outboxByDocument, .all) { key, _ in
      var reader = KeyReader(key)
      let collection = CollectionName(unchecked: try reader.readText())
      documents.insert(
        DocumentKey(collection: collection, id: DocumentID(try reader.readUInt128())))
      return .next
    }
    let rules = ListingRules(through: try reading.through())
    for asset in assets.sorted() { try update(asset, rules) }
    var puts = DocumentPuts()
    for key in documents.sorted() { try updateDocument(key, &puts) }
    try put(&puts)
  }

  private mutating func dropSnapshotsOutsideRange() throws {
    guard let slots = try reading.snapshotSlots() else {
      try base.deleteAll(spaces.snapshots)
      return
    }
    try base.deleteAll(spaces.snapshots, in: .upTo(Keys.slot(slots.lowerBound).bytes))
    try base.deleteAll(spaces.snapshots, in: .slots(from: slots.upperBound.next))
  }

  private static var pageCount: Int { 4_096 }
}

extension PageResult {
  /// Adds what a page after this one came to.
  public mutating func add(_ other: PageResult) {
    ownCount += other.ownCount
    foreignCount += other.foreignCount
    remarks += other.remarks
    witness = other.witness ?? witness
    for asset in other.changedOnBothSides where !changedOnBothSides.contains(asset) {
      changedOnBothSides.append(asset)
    }
  }
}
