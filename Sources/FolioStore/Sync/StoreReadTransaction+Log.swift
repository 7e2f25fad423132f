public import FolioDomain
internal import LMDB

extension StoreReadTransaction {
  /// What is kept of a device: its last entry in the log as read; nil where it has none.
  public func deviceState(_ device: DeviceID) throws -> DeviceState? {
    guard let span = try base.get(spaces.devices, Keys.bits(device.value)) else { return nil }
    var reader = RecordReader(span, of: spaces.devices.name)
    return try DeviceState(&reader)
  }

  /// The devices that have entries in the log as read, in order of their ids.
  public func devices() throws -> [(device: DeviceID, state: DeviceState)] {
    var found: [(device: DeviceID, state: DeviceState)] = []
    try base.scan(spaces.devices, .all) { key, value in
      var keyReader = KeyReader(key)
      var reader = RecordReader(value, of: spaces.devices.name)
      found.append((DeviceID(try keyReader.readUInt128()), try DeviceState(&reader)))
      return .next
    }
    return found
  }

  /// The place after an entry; nil where its hash is no longer known, or it was not read.
  ///
  /// Known for every entry from `keptFrom` of the status to the cursor, at least.
  public func position(at seq: UInt64) throws -> LogPosition? {
    try hash(at: seq).map { LogPosition(seq: seq, hash: $0) }
  }

  func hash(at seq: UInt64) throws -> Hash256? {
    guard let span = try base.get(spaces.log, Keys.sequence(seq)) else { return nil }
    var reader = RecordReader(span, of: spaces.log.name)
    return try KeptRecord.hash(&reader)
  }

  /// Kept entries after `seq`, in order and without a gap, whole.
  ///
  /// At least one where any is kept, then as many as fit both limits; none at the end of the log.
  /// - Parameters:
  ///   - seq: At least one less than `keptFrom` of the status.
  ///   - maxCount: The limit for their number.
  ///   - maxByteCount: The limit for the sum of the bodies.
  /// - Throws: ``StoreError/entriesNotKept(from:keptFrom:)``.
  public func keptEntries(after seq: UInt64, maxCount: Int, maxByteCount: Int) throws
    -> [ChainedEntry]
  {
    let log = try single(LogRecord.self)
    guard seq + 1 >= log.keptFrom else {
      throw StoreError.entriesNotKept(from: seq + 1, keptFrom: log.keptFrom)
    }
    return try entries(in: spaces.log, after: seq, maxCount: maxCount, maxByteCount: maxByteCount)
  }

  func entries(in space: Database, after seq: UInt64, maxCount: Int, maxByteCount: Int) throws
    -> [ChainedEntry]
  {
    var entries: [ChainedEntry] = []
    var byteCount = 0
    let range = KeyRange.from(Keys.sequence(seq + 1).bytes)
    try base.scan(space, range, limit: max(1, maxCount)) { key, value in
      var keyReader = KeyReader(key)
      var reader = RecordReader(value, of: space.name)
      let found = try KeptRecord.entry(try keyReader.readUInt64(), &reader)
      guard let entry = found else { throw StoreError.missingRecord(space: space.name) }
      byteCount += entry.entry.transaction.body.count
      if !entries.isEmpty, byteCount > maxByteCount { return .stop }
      entries.append(entry)
      return .next
    }
    return entries
  }

  /// The transaction of a kept entry that counts; nil where there is none at that place.
  func keptTransaction(_ seq: UInt64) throws -> Envelope? {
    let found = try entries(in: spaces.log, after: seq - 1, maxCount: 1, maxByteCount: .max)
    guard let entry = found.first?.entry, entry.seq == seq, entry.kind == .accepted else {
      return nil
    }
    return entry.transaction
  }

  /// What was to be said of entries, in their order.
  public func remarks() throws -> [LogRemark] {
    var remarks: [LogRemark] = []
    try base.scan(spaces.remarks, .all) { key, _ in
      var reader = KeyReader(key)
      let seq = try reader.readUInt64()
      guard let kind = LogRemark.Kind(rawValue: try reader.readUInt8()) else {
        throw StoreError.unreadableRecord(space: spaces.remarks.name)
      }
      remarks.append(LogRemark(seq: seq, kind: kind))
      return .next
    }
    return remarks
  }

  /// Entries that a later version may have to apply, and that therefore stay.
  func unappliedEntries() throws -> Set<UInt64> {
    Set(try remarks().lazy.filter { $0.kind == .needsNewerVersion }.map(\.seq))
  }
}
