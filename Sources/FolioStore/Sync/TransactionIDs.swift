internal import FolioDomain
internal import LMDB

// The ids of all transactions that the log has, by which what is imported again is known, whichever
// device imported it first. They stay when entries are dropped.

extension StoreReadTransaction {
  /// Those of some ids that transactions of the log have.
  ///
  /// - Complexity: O(entries), in memory of what is asked for.
  func idsInLog(among wanted: Set<TransactionID>) throws -> Set<TransactionID> {
    var found: Set<TransactionID> = []
    if wanted.isEmpty { return found }
    try base.scan(spaces.ids, .all) { _, value in
      let id = try TransactionID(record: value, of: spaces.ids.name)
      if wanted.contains(id) { found.insert(id) }
      return .next
    }
    return found
  }

  /// The id of an entry's transaction; nil where it is not known, or cannot be read.
  func idInLog(at seq: UInt64) throws -> TransactionID? {
    guard let span = try base.get(spaces.ids, Keys.sequence(seq)) else { return nil }
    return try TransactionID(record: span, of: spaces.ids.name)
  }
}

extension StoreWriteTransaction {
  /// Notes the id of an entry's transaction.
  mutating func noteID(_ id: TransactionID, of seq: UInt64) throws {
    try base.append(spaces.ids, Keys.sequence(seq), id.record)
  }

  /// Notes the ids that kept entries and the records of own transactions tell.
  ///
  /// - Complexity: O(entries kept and own transactions).
  mutating func noteKnownIDs() throws {
    var known: [UInt64: TransactionID] = [:]
    try base.reading.scan(spaces.own, .all) { _, value in
      var reader = RecordReader(value, of: spaces.own.name)
      let own = try OwnRecord(&reader)
      known[own.seq] = own.id
      return .next
    }
    try base.reading.scan(spaces.log, .all) { key, value in
      var keyReader = KeyReader(key)
      let seq = try keyReader.readUInt64()
      var reader = RecordReader(value, of: spaces.log.name)
      if let kept = try KeptRecord.entry(seq, &reader) { known[seq] = kept.entry.transaction.id }
      return .next
    }
    for (seq, id) in known.sorted(by: { $0.key < $1.key }) { try noteID(id, of: seq) }
  }

  /// Notes the ids anew: those that can be read, and those that kept entries tell.
  ///
  /// - Complexity: O(entries).
  mutating func remakeIDs() throws {
    let end = try reading.single(LogRecord.self).seq
    // They are asked for one by one, since a walk ends at the first that is damaged.
    let readable = (1..<end + 1).compactMap { seq in
      (try? reading.idInLog(at: seq)).flatMap { $0 }.map { (seq: seq, id: $0) }
    }
    try base.deleteAll(spaces.ids)
    for (seq, id) in readable { try noteID(id, of: seq) }
    try noteKnownIDs()
  }
}

extension TransactionID {
  /// What is kept of an id.
  fileprivate var record: [UInt8] {
    var writer = RecordWriter(reserving: 16)
    writer.append(value)
    return writer.bytes
  }

  fileprivate init(record: RawSpan, of space: String) throws(StoreError) {
    var reader = RecordReader(record, of: space)
    self.init(try reader.readUInt128())
    try reader.finish()
  }
}
