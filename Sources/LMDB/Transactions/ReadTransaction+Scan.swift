import CLMDB

extension ReadTransaction {
  /// Calls `body` with each record of a range in the order of its keys.
  ///
  /// Each record's checksum is verified. The views handed to `body` are of its call only. Ends at
  /// the end of the range, after `limit` records, or where `body` says `stop`.
  ///
  /// - Complexity: O(log *n* + *k*) for *k* records.
  /// - Throws: ``StorageError/corrupt(database:)`` where a checksum does not fit, and what `body`
  ///   throws.
  public func scan(
    _ database: Database, _ range: KeyRange, _ order: ScanOrder = .ascending, limit: Int? = nil,
    _ body: (_ key: RawSpan, _ value: RawSpan) throws -> ScanStep
  ) throws {
    var left = limit ?? Int.max
    guard left > 0 else { return }
    var cursor = try Cursor(context, database)
    var isInside = try cursor.start(range, order)
    while isInside {
      let key = unsafe Record.bytes(cursor.key)
      guard unsafe Record.isWhole(key: key, record: cursor.value) else {
        throw StorageError.corrupt(database: database.name)
      }
      let value = unsafe Record.value(cursor.value)
      let step = unsafe try body(RawSpan(_unsafeBytes: key), RawSpan(_unsafeBytes: value))
      left -= 1
      guard step == .next, left > 0 else { return }
      isInside = try cursor.advance(range, order)
    }
  }

  /// A copy of the first record of a range, or nil where it is empty.
  ///
  /// - Complexity: O(log *n*).
  /// - Throws: ``StorageError/corrupt(database:)`` where the checksum does not fit.
  public func first(_ database: Database, in range: KeyRange = .all) throws
    -> (key: [UInt8], value: [UInt8])?
  {
    try end(database, range, .ascending)
  }

  /// A copy of the last record of a range, or nil where it is empty.
  ///
  /// - Complexity: O(log *n*).
  /// - Throws: ``StorageError/corrupt(database:)`` where the checksum does not fit.
  public func last(_ database: Database, in range: KeyRange = .all) throws
    -> (key: [UInt8], value: [UInt8])?
  {
    try end(database, range, .descending)
  }

  private func end(_ database: Database, _ range: KeyRange, _ order: ScanOrder) throws
    -> (key: [UInt8], value: [UInt8])?
  {
    var found: (key: [UInt8], value: [UInt8])?
    try scan(database, range, order, limit: 1) { key, value in
      found = (key.copied, value.copied)
      return .stop
    }
    return found
  }

  /// How many records a range has; their values are not looked at.
  ///
  /// - Complexity: O(1) for all keys, else O(log *n* + *k*) for *k* records.
  public func count(_ database: Database, in range: KeyRange = .all) throws(StorageError) -> Int {
    if range == .all {
      context.check(database)
      if let memory = unsafe context.memory { return memory.table(database).records.count }
      var stat = MDB_stat()
      let code = unsafe mdb_stat(context.handle, database.handle, &stat)
      guard code == 0 else { throw context.error(code, "stat") }
      return stat.ms_entries
    }
    var count = 0
    var cursor = try Cursor(context, database)
    var isInside = try cursor.start(range, .ascending)
    while isInside {
      count += 1
      isInside = try cursor.advance(range, .ascending)
    }
    return count
  }
}
