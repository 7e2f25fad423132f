public import FolioDomain
internal import FolioJSON
internal import LMDB

extension StoreWriteTransaction {
  /// Stores a transaction of those operations in the outbox and lays it over what is held.
  ///
  /// The body's bytes are made here, once. Refused while a restore is under way, and where the
  /// outbox is full, unless it is not bounded for this one. The id is random where none is given.
  /// - Parameter staged: What staging the operations has found in the present state.
  mutating func enqueue(
    _ operations: [FolioDomain.Operation], id: TransactionID? = nil, isBounded: Bool = true,
    knowing staged: StagedOperations? = nil
  ) throws -> TransactionID {
    if try reading.single(SyncRecord.self).isRestoring { throw StoreError.restoreUnfinished }
    var log: LogRecord = try reading.single()
    var outbox: OutboxRecord = try reading.single()
    let body = TransactionBody(seen: seen(&log), operations: operations)
    let (bytes, places) = try encoded(body)
    if isBounded { try requireRoom(in: outbox, for: bytes.count) }
    let record = PendingRecord(
      id: id ?? TransactionID(context.random.next128()),
      recordedAt: EffectiveTime.recordedAt(
        now: context.clock.now(), greatestEffectiveAt: log.greatestEffectiveAt),
      body: bytes)
    outbox.lastSequence += 1
    outbox.count += 1
    outbox.byteCount += UInt64(bytes.count)
    let targets = Targets(
      body.operations, at: places, sequence: outbox.lastSequence, knowing: staged)
    try put(outbox)
    if body.seen?.stateDigest != nil { try put(log) }
    try lay(record, targets, sequence: outbox.lastSequence, isNew: true)
    return record.id
  }

  /// What the store had read of the log, with the state's digest once for each place.
  private func seen(_ log: inout LogRecord) -> Seen? {
    guard let position = log.position, let id = log.log else { return nil }
    let isTold = log.witnessedAt == position.seq
    log.witnessedAt = position.seq
    return Seen(log: id, position: position, stateDigest: isTold ? nil : log.digest.value)
  }

  private func encoded(_ body: TransactionBody) throws -> (bytes: [UInt8], places: [Range<Int>]) {
    do {
      return try body.encodedWithPlaces()
    } catch BodyError.tooLarge(let byteCount, let limit) {
      throw StoreError.bodyTooLarge(byteCount: byteCount, max: limit)
    }
  }

  private func requireRoom(in outbox: OutboxRecord, for byteCount: Int) throws {
    let limits = context.outboxLimits
    let after = outbox.byteCount + UInt64(byteCount)
    if outbox.count >= limits.countMax || after > limits.byteCountMax {
      throw StoreError.outboxFull(
        count: Int(outbox.count), countMax: limits.countMax, byteCount: Int(outbox.byteCount),
        byteCountMax: limits.byteCountMax)
    }
  }

  /// Makes a transaction that another device saved, or this one under an identity it gave up, one of
  /// those that wait here; its id, its time and its body stay.
  ///
  /// It is taken even where the outbox is full: it was saved before.
  mutating func adopt(_ transaction: Envelope) throws {
    if try reading.pendingSequence(of: transaction.id) != nil { return }
    var record = PendingRecord(
      id: transaction.id, recordedAt: transaction.recordedAt, body: transaction.body)
    record.form = transaction.form
    record.keyID = transaction.keyID
    var outbox: OutboxRecord = try reading.single()
    outbox.lastSequence += 1
    outbox.count += 1
    outbox.byteCount += UInt64(record.body.count)
    try put(outbox)
    try lay(
      record, record.targets(sequence: outbox.lastSequence), sequence: outbox.lastSequence,
      isNew: true)
  }

  /// Writes a pending transaction, where it is found, and what it changes.
  ///
  /// - Parameter isNew: Whether what is held has nothing of it yet.
  mutating func lay(
    _ record: PendingRecord, _ targets: Targets, sequence: UInt64, isNew: Bool
  ) throws {
    try base.append(spaces.outbox, Keys.sequence(sequence), record.record)
    try base.put(
      spaces.outboxByID, Keys.bits(record.id.value), Keys.sequence(sequence).bytes)
    for (asset, change) in targets.assets {
      var writer = RecordWriter()
      writer.append(change)
      try base.put(spaces.outboxByAsset, try Keys.pending(asset, sequence), writer.bytes)
    }
    var places = RecordBatch()
    for (key, document) in targets.documents {
      places.add(try Keys.pending(key, sequence), document.places.record)
    }
    try base.put(spaces.outboxByDocument, &places)
    try relay(targets, newest: (sequence, record.recordedAt, isNew))
  }

  /// Takes a transaction out of what is pending where its entry has come back in the log.
  ///
  /// What it changed is laid anew when the page is finished. Where the log has it under another
  /// device or sequence, because this store was a copy, a placeholder stays: its sequence here is
  /// still to be used up.
  /// - Returns: Whether it was pending here.
  mutating func takeBack(_ entry: LogEntry, _ work: inout PageWork) throws -> Bool {
    let transaction = entry.transaction
    let isOwnDevice = transaction.device == work.device
    if isOwnDevice {
      let record = OwnRecord(id: transaction.id, seq: entry.seq)
      try base.append(
        spaces.own, Keys.sequence(transaction.deviceSequence), record.record)
      // A store that was put back from a copy never makes a sequence that the log has.
      work.outbox.lastSequence = max(work.outbox.lastSequence, transaction.deviceSequence)
    }
    guard work.outbox.count > 0,
      let sequence = try reading.pendingSequence(of: transaction.id)
    else { return false }
    var record = try reading.pendingRecord(sequence)
    let targets = record.targets(sequence: sequence)
    for asset in targets.assets.keys { work.assetsTakenBack.insert(asset) }
    for (key, _) in targets.documents { work.documentsTakenBack.insert(key) }
    try lift(record, sequence: sequence)
    work.outbox.byteCount -= UInt64(record.body.count)
    if entry.kind == .void {
      let reason = Self.reason(of: transaction.body)
      if reason != Self.duplicate { try reject(record, sequence: sequence, reason: reason) }
    }
    if isOwnDevice, transaction.deviceSequence == sequence {
      try base.delete(spaces.outbox, Keys.sequence(sequence))
      try base.delete(spaces.outboxByID, Keys.bits(record.id.value))
      work.outbox.count -= 1
    } else {
      record.giveUp(reason: Self.duplicate)
      work.outbox.byteCount += UInt64(record.body.count)
      try base.put(spaces.outbox, Keys.sequence(sequence), record.record)
    }
    return !record.isVoid || !targets.isEmpty
  }

  /// Takes away where a pending transaction is found.
  ///
  /// What is missing there was not shown: damage of the index that hid it is told here at the latest.
  private mutating func lift(_ record: PendingRecord, sequence: UInt64) throws {
    let targets = record.targets(sequence: sequence)
    for asset in targets.assets.keys {
      guard try base.delete(spaces.outboxByAsset, try Keys.pending(asset, sequence)) else {
        throw StoreError.missingRecord(space: spaces.outboxByAsset.name)
      }
    }
    for (key, _) in targets.documents {
      guard try base.delete(spaces.outboxByDocument, try Keys.pending(key, sequence)) else {
        throw StoreError.missingRecord(space: spaces.outboxByDocument.name)
      }
    }
  }

  /// Makes a pending transaction, which can never be accepted, into a void placeholder that only uses
  /// up its sequence, and lists it with the reason.
  ///
  /// What it did is no longer shown.
  /// - Throws: ``StoreError/notPending(_:)``.
  public mutating func void(_ id: TransactionID, reason: String) throws {
    guard let sequence = try reading.pendingSequence(of: id) else {
      throw StoreError.notPending(id)
    }
    var record = try reading.pendingRecord(sequence)
    if record.isVoid { return }
    var outbox: OutboxRecord = try reading.single()
    let targets = record.targets(sequence: sequence)
    try lift(record, sequence: sequence)
    try reject(record, sequence: sequence, reason: reason)
    outbox.byteCount -= UInt64(record.body.count)
    record.giveUp(reason: reason)
    outbox.byteCount += UInt64(record.body.count)
    try base.put(spaces.outbox, Keys.sequence(sequence), record.record)
    try put(outbox)
    try relay(targets)
  }

  /// Shows what is left where a transaction was taken out, or what there is with one that was laid.
  ///
  /// - Parameter newest: The sequence and the time of that one, whose operations `targets` has, and
  ///   whether what is held has nothing of it yet.
  mutating func relay(
    _ targets: Targets, newest: (sequence: UInt64, recordedAt: Timestamp, isNew: Bool)? = nil
  ) throws {
    let rules = ListingRules(through: try reading.single(MarketRecord.self).through)
    for (asset, change) in targets.assets.sorted(by: { $0.key < $1.key }) {
      try update(asset, rules, laying: newest?.isNew == true ? change : nil)
    }
    var puts = DocumentPuts()
    for (key, document) in targets.documents {
      let known = newest.map {
        LaidOperations(
          sequence: $0.sequence, recordedAt: $0.recordedAt, operations: document.operations,
          isOnNewDocument: document.isNew)
      }
      try updateDocument(key, knowing: known, &puts)
    }
    try put(&puts)
  }

  private mutating func reject(_ record: PendingRecord, sequence: UInt64, reason: String) throws {
    // Listed when it was given up here; the void entry that follows adds nothing.
    let key = Keys.bits(record.id.value)
    if try base.contains(spaces.rejected, key) { return }
    let rejected = RejectedRecord(
      sequence: sequence, recordedAt: record.recordedAt, reason: reason, body: record.body)
    try base.put(spaces.rejected, key, rejected.record)
  }

  private static func reason(of body: [UInt8]) -> String {
    guard let value = try? JSONValue(parsing: body), case .object(let members) = value,
      let member = members.first(where: { $0.name == "reason" }),
      case .string(let reason) = member.value
    else { return "void" }
    return reason
  }

  /// The reason of a void entry whose transaction is in the log already.
  private static var duplicate: String { "duplicate" }
}

/// What the operations of a pending transaction change.
struct Targets {
  /// Each asset, with what is done to it.
  private(set) var assets: [AssetKey: PendingAsset] = [:]
  /// Each document, with what is done to it, in the order of their keys.
  private(set) var documents: [(key: DocumentKey, change: PendingDocument)] = []

  var isEmpty: Bool { assets.isEmpty && documents.isEmpty }

  /// - Parameters:
  ///   - places: Where the operations stand in their body.
  ///   - staged: The operations as they were staged on the present state; nil where they were not.
  init(
    _ operations: [FolioDomain.Operation], at places: [Range<Int>], sequence: UInt64,
    knowing staged: StagedOperations? = nil
  ) {
    for (index, operation) in operations.enumerated() {
      if let asset = operation.asset {
        let order = PendingOrder(
          deviceSequence: sequence, index: UInt32(truncatingIfNeeded: index))
        assets[asset, default: PendingAsset()].apply(operation, order: order)
      }
      guard let key = operation.document, places.indices.contains(index) else { continue }
      var change = PendingDocument(isNew: staged?.isOnNewDocument(index) ?? false)
      change.add(operation, at: places[index])
      documents.append((key, change))
    }
    gatherDocuments()
  }

  /// Brings the documents into order, and the operations on each together.
  private mutating func gatherDocuments() {
    let found = documents
    guard let first = found.first else { return }
    let order: [Int]
    if found.allSatisfy({ $0.key.collection == first.key.collection }) {
      // As nearly always; the name need not be compared again then.
      let ids = found.map(\.key.id.value)
      order = ids.indices.sorted { ids[$0] == ids[$1] ? $0 < $1 : ids[$0] < ids[$1] }
    } else {
      order = found.indices.sorted { a, b in
        let (x, y) = (found[a].key, found[b].key)
        return x == y ? a < b : x < y
      }
    }
    documents.removeAll(keepingCapacity: true)
    for place in order {
      let (key, change) = found[place]
      if let last = documents.indices.last, documents[last].key == key {
        documents[last].change.add(change)
      } else {
        documents.append((key, change))
      }
    }
  }
}

/// What a pending transaction does to a document.
struct PendingDocument {
  private(set) var operations: [FolioDomain.Operation] = []
  private(set) var places = OperationPlaces()
  /// Whether there is known to have been nothing of the document before.
  let isNew: Bool

  init(isNew: Bool) { self.isNew = isNew }

  mutating func add(_ operation: FolioDomain.Operation, at place: Range<Int>) {
    operations.append(operation)
    places.ranges.append(place)
  }

  /// Adds what stands behind it.
  mutating func add(_ other: PendingDocument) {
    operations += other.operations
    places.ranges += other.places.ranges
  }
}

extension PendingRecord {
  /// Makes the transaction a placeholder that only uses up its sequence.
  mutating func giveUp(reason: String) {
    isVoid = true
    body = TransactionBody.placeholderBody(reason: reason)
  }

  /// The operations; none of a placeholder, or of a body that cannot be read.
  var operations: [FolioDomain.Operation] {
    if isVoid { return [] }
    return (try? TransactionBody(decoding: body).operations) ?? []
  }

  func targets(sequence: UInt64) -> Targets {
    let operations = operations
    // A body whose operations could be read has their places.
    let places = operations.isEmpty ? [] : (try? TransactionBody.operationPlaces(body)) ?? []
    return Targets(operations, at: places, sequence: sequence)
  }
}
