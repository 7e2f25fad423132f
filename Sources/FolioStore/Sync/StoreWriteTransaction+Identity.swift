public import FolioDomain
internal import LMDB

extension StoreWriteTransaction {
  /// Remembers where the store's server is, and under which name it knows the account.
  public mutating func setServer(url: String, accountName: String) throws {
    var binding: BindingRecord = try reading.single()
    binding.serverURL = url
    binding.accountName = accountName
    try put(binding)
  }

  /// Remembers the account, the server and the log that a server told.
  ///
  /// The caller has compared the accounts: one that is known is replaced only where nothing of its log
  /// has been read.
  /// - Parameters:
  ///   - account: The account.
  ///   - server: The server's id.
  ///   - id: The log's id.
  public mutating func join(account: AccountID, server: UInt128, log id: LogID) throws {
    var binding: BindingRecord = try reading.single()
    var log: LogRecord = try reading.single()
    if log.seq == 0 { binding.account = account }
    binding.account = binding.account ?? account
    binding.server = server
    try put(binding)
    if log.log == id { return }
    log.log = id
    try put(log)
  }

  /// Remembers what the server said it had of this device.
  public mutating func acknowledge(sequence: UInt64, id: TransactionID) throws {
    var sync: SyncRecord = try reading.single()
    sync.acknowledged = (sequence, id)
    try put(sync)
  }

  /// Notes that the server's log was not the one known, at the present time.
  public mutating func recordDivergence() throws {
    var sync: SyncRecord = try reading.single()
    sync.divergences.append(context.clock.now())
    if sync.divergences.count > SyncRecord.divergencesMax { sync.divergences.removeFirst() }
    try put(sync)
  }

  /// Remembers that a sync ended well, at the present time.
  ///
  /// - Parameters:
  ///   - skewMilliseconds: The server's clock less this device's.
  ///   - nextTablesAt: When the server makes its next price table, by its clock.
  public mutating func recordSync(skewMilliseconds: Int64, nextTablesAt: Timestamp?) throws {
    var sync: SyncRecord = try reading.single()
    sync.lastSyncAt = context.clock.now()
    sync.skewMilliseconds = skewMilliseconds
    sync.nextTablesAt = nextTablesAt
    try put(sync)
    try setDecision(nil)
  }

  /// Remembers the question that a sync could not go on without; nil where none waits any more.
  ///
  /// A sync that ends well answers it.
  public mutating func setDecision(_ decision: WaitingDecision?) throws {
    let known: DecisionRecord = try reading.single()
    if known.waiting != decision { try put(DecisionRecord(decision)) }
  }

  /// Marks the store as being restored from its server, or as restored.
  ///
  /// While it is, nothing can be saved: what is held is not whole.
  public mutating func setRestoring(_ isRestoring: Bool) throws {
    var sync: SyncRecord = try reading.single()
    sync.isRestoring = isRestoring
    try put(sync)
  }

  /// Marks the store as one made from a backup file, until somebody has said which side counts.
  public mutating func setRestoredBackup(_ isRestored: Bool) throws {
    var sync: SyncRecord = try reading.single()
    sync.isRestoredBackup = isRestored
    try put(sync)
  }

  /// Takes a new device id, as a copied store has to.
  ///
  /// What is pending is numbered anew from 1, under the same ids and with the same bodies. What the
  /// old device has in the log stays, as another device's.
  /// - Complexity: O(transactions in the outbox).
  public mutating func takeNewIdentity() throws -> DeviceID {
    let device = DeviceID(context.random.next128())
    try put(IdentityRecord(device: device))
    var sync: SyncRecord = try reading.single()
    sync.acknowledged = nil
    try put(sync)
    try base.deleteAll(spaces.own)
    var outbox: OutboxRecord = try reading.single()
    try renumber(from: outbox.lastSequence)
    outbox.lastSequence = outbox.count
    try put(outbox)
    return device
  }

  /// Numbers the outbox from 1, without a gap.
  private mutating func renumber(from lastSequence: UInt64) throws {
    var sequence: UInt64 = 1
    var old: UInt64 = 0
    while let (found, record) = try reading.nextPending(after: old) {
      old = found
      if found != sequence {
        try base.delete(spaces.outbox, Keys.sequence(found))
        try base.put(spaces.outbox, Keys.sequence(sequence), record.record)
        try base.put(
          spaces.outboxByID, Keys.bits(record.id.value), Keys.sequence(sequence).bytes)
        try move(record, from: found, to: sequence)
      }
      sequence += 1
    }
  }

  private mutating func move(_ record: PendingRecord, from old: UInt64, to new: UInt64) throws {
    let targets = record.targets(sequence: new)
    let rules = ListingRules(through: try reading.through())
    for (asset, change) in targets.assets {
      var writer = RecordWriter()
      writer.append(change)
      try base.delete(spaces.outboxByAsset, try Keys.pending(asset, old))
      try base.put(spaces.outboxByAsset, try Keys.pending(asset, new), writer.bytes)
      try update(asset, rules)
    }
    for (key, document) in targets.documents {
      try base.delete(spaces.outboxByDocument, try Keys.pending(key, old))
      try base.put(
        spaces.outboxByDocument, try Keys.pending(key, new), document.places.record)
    }
  }
}

extension StoreReadTransaction {
  func nextPending(after sequence: UInt64) throws -> (sequence: UInt64, PendingRecord)? {
    let range = KeyRange.from(Keys.sequence(sequence + 1).bytes)
    var found: (sequence: UInt64, PendingRecord)?
    try base.scan(spaces.outbox, range, limit: 1) { key, value in
      var keyReader = KeyReader(key)
      var reader = RecordReader(value, of: spaces.outbox.name)
      found = (try keyReader.readUInt64(), try PendingRecord(&reader))
      return .stop
    }
    return found
  }
}
