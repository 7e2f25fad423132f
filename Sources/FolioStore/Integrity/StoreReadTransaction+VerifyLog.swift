internal import FolioCrypto
internal import FolioDomain
internal import LMDB

extension StoreReadTransaction {
  func checkStateDigest(_ report: inout IntegrityReport) throws {
    var digest = StateDigest.empty
    try scanChanges(.all) { slot, asset, state in
      digest.add(HistoryRow(AssetSlot(asset: asset, slot: slot), state), using: SHA256.self)
    }
    try base.scan(spaces.devices, .all) { key, value in
      var keyReader = KeyReader(key)
      var reader = RecordReader(value, of: spaces.devices.name)
      let device = DeviceID(try keyReader.readUInt128())
      digest.add(DeviceRow(device, try DeviceState(&reader)), using: SHA256.self)
      return .next
    }
    try scanDocuments { key, record in
      if let state = record.accepted { digest.add(DocumentRow(key, state), using: SHA256.self) }
    }
    if digest != (try single(LogRecord.self)).digest {
      report.add(.stateDigestDiffers, spaces.cursor.name)
    }
  }

  /// The kept entries are the log's end: their chain, their bodies, and what the devices' records
  /// rest on.
  func checkLog(_ report: inout IntegrityReport) throws {
    let log = try single(LogRecord.self)
    var previous = try hashBefore(log.keptFrom)
    var next = log.keptFrom
    let own = try single(IdentityRecord.self).device
    var last: [DeviceID: (sequence: UInt64, hash: Hash256)] = [:]
    try base.scan(spaces.log, .from(Keys.sequence(log.keptFrom).bytes)) { key, value in
      var keyReader = KeyReader(key)
      let seq = try keyReader.readUInt64()
      var reader = RecordReader(value, of: spaces.log.name)
      guard let chained = try KeptRecord.entry(seq, &reader), seq == next else {
        report.add(.chainBroken, spaces.log.name, "\(next)")
        return .stop
      }
      next += 1
      let entry = chained.entry
      if SHA256.hash(of: entry.transaction.body) != entry.bodyHash {
        report.add(.bodyDiffers, spaces.log.name, "\(seq)")
      }
      if let previous, LogChain.next(after: previous, entry, using: SHA256.self) != chained.hash {
        report.add(.chainBroken, spaces.log.name, "\(seq)")
      }
      previous = chained.hash
      if try idInLog(at: seq) != entry.transaction.id {
        report.add(.transactionIdDiffers, spaces.ids.name, "\(seq)")
      }
      last[entry.transaction.device] = (entry.transaction.deviceSequence, chained.hash)
      if entry.transaction.device == own {
        let record = try ownRecord(entry.transaction.deviceSequence)
        if record?.seq != seq || record?.id != entry.transaction.id {
          report.add(.deviceDiffers, spaces.own.name, "\(entry.transaction.deviceSequence)")
        }
      }
      return .next
    }
    if next <= log.seq {
      report.add(.cursorAhead, spaces.cursor.name, "\(log.seq)")
    } else if next > log.seq + 1 {
      report.add(.chainBroken, spaces.log.name, "\(log.seq + 1)")
    } else if let position = log.position, log.keptFrom <= position.seq,
      previous != position.hash
    {
      report.add(.chainBroken, spaces.cursor.name, "\(position.seq)")
    }
    for (device, entry) in last {
      let state = try deviceState(device)
      if state?.sequence != entry.sequence || state?.hash != entry.hash {
        report.add(.deviceDiffers, spaces.devices.name, device.text)
      }
    }
  }

  /// Each entry that something waits of is kept whole, and counted.
  func checkWaiting(_ report: inout IntegrityReport) throws {
    let waiting = try unappliedEntries()
    for seq in waiting.sorted() {
      if try keptEntry(seq) == nil {
        report.add(.waitingDiffers, spaces.log.name, "\(seq)")
      }
    }
    if waiting.count != Int(try single(LogRecord.self).unknownCount) {
      report.add(.waitingDiffers, spaces.cursor.name)
    }
  }

  private func hashBefore(_ seq: UInt64) throws -> Hash256? {
    if seq > 1 { return try hash(at: seq - 1) }
    guard let account = try single(BindingRecord.self).account else { return nil }
    return LogChain.start(account: account, using: SHA256.self)
  }

  func checkOutbox(_ report: inout IntegrityReport) throws {
    let outbox = try single(OutboxRecord.self)
    var count: UInt64 = 0
    var byteCount: UInt64 = 0
    var assetCount = 0
    var documentCount = 0
    var previous: UInt64?
    try base.scan(spaces.outbox, .all) { key, value in
      var keyReader = KeyReader(key)
      let sequence = try keyReader.readUInt64()
      var reader = RecordReader(value, of: spaces.outbox.name)
      let record = try PendingRecord(&reader)
      count += 1
      byteCount += UInt64(record.body.count)
      let targets = record.targets(sequence: sequence)
      assetCount += targets.assets.count
      documentCount += targets.documents.count
      let hasGap = previous.map { sequence != $0 + 1 } ?? false
      previous = sequence
      if try hasGap || pendingSequence(of: record.id) != sequence || !hasIndexes(targets, sequence)
      {
        report.add(.outboxDiffers, spaces.outbox.name, "\(sequence)")
      }
      return .next
    }
    let isWithin = previous.map { $0 <= outbox.lastSequence } ?? true
    if count != outbox.count || byteCount != outbox.byteCount || !isWithin {
      report.add(.outboxDiffers, spaces.cursor.name)
    }
    if try base.count(spaces.outboxByID) != Int(count) {
      report.add(.outboxDiffers, spaces.outboxByID.name)
    }
    if try base.count(spaces.outboxByAsset) != assetCount {
      report.add(.outboxDiffers, spaces.outboxByAsset.name)
    }
    if try base.count(spaces.outboxByDocument) != documentCount {
      report.add(.outboxDiffers, spaces.outboxByDocument.name)
    }
  }

  private func hasIndexes(_ targets: Targets, _ sequence: UInt64) throws -> Bool {
    for (asset, change) in targets.assets {
      guard let span = try base.get(spaces.outboxByAsset, try Keys.pending(asset, sequence)) else {
        return false
      }
      var reader = RecordReader(span, of: spaces.outboxByAsset.name)
      if try reader.readPendingAsset() != change { return false }
    }
    for (key, document) in targets.documents {
      guard let span = try base.get(spaces.outboxByDocument, try Keys.pending(key, sequence)) else {
        return false
      }
      var reader = RecordReader(span, of: spaces.outboxByDocument.name)
      if let places = try OperationPlaces(&reader), places != document.places { return false }
    }
    return true
  }
}
