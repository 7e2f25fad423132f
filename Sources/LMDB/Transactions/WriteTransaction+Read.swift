extension WriteTransaction {
  /// A view of the value of a key with the changes made so far; it ends with the next change.
  ///
  /// The compiler counts a view as used to the end of the scope it is named in: where a change is
  /// to follow, name it in a scope of its own (`if let view = try tx.get(table, key) { ... }`) or
  /// copy it at once (`try tx.get(table, key)?.copied`).
  ///
  /// - Complexity: O(log *n*), without allocation.
  /// - Throws: as the same of ``ReadTransaction`` does.
  @_lifetime(borrow self)
  public func get(_ database: Database, _ key: RawSpan) throws(StorageError) -> RawSpan? {
    guard let found = try unsafe context.find(database, key) else { return nil }
    let span = unsafe RawSpan(_unsafeBytes: found)
    return unsafe _overrideLifetime(span, borrowing: self)
  }

  /// A view of the value of a key; see the same of a span.
  @_lifetime(borrow self)
  public func get(_ database: Database, _ key: [UInt8]) throws(StorageError) -> RawSpan? {
    guard let found = try unsafe context.find(database, key.raw) else { return nil }
    let span = unsafe RawSpan(_unsafeBytes: found)
    return unsafe _overrideLifetime(span, borrowing: self)
  }

  /// A view of the value of a key; see the same of a span.
  @_lifetime(borrow self)
  public func get(_ database: Database, _ key: KeyBuilder) throws(StorageError) -> RawSpan? {
    guard let found = try unsafe context.find(database, key.bytes.raw) else { return nil }
    let span = unsafe RawSpan(_unsafeBytes: found)
    return unsafe _overrideLifetime(span, borrowing: self)
  }

  /// A copy of the value of a key, or nil where the key is not there.
  public func bytes(_ database: Database, _ key: [UInt8]) throws(StorageError) -> [UInt8]? {
    try reading.bytes(database, key)
  }

  /// A copy of the value of a key, or nil where the key is not there.
  public func bytes(_ database: Database, _ key: KeyBuilder) throws(StorageError) -> [UInt8]? {
    try reading.bytes(database, key)
  }

  /// Whether the key is there.
  public func contains(_ database: Database, _ key: [UInt8]) throws(StorageError) -> Bool {
    try reading.contains(database, key)
  }

  /// Whether the key is there.
  public func contains(_ database: Database, _ key: KeyBuilder) throws(StorageError) -> Bool {
    try reading.contains(database, key)
  }

  /// Calls `body` with each record of a range, as ``ReadTransaction`` does; it cannot change the
  /// transaction.
  public func scan(
    _ database: Database, _ range: KeyRange, _ order: ScanOrder = .ascending, limit: Int? = nil,
    _ body: (_ key: RawSpan, _ value: RawSpan) throws -> ScanStep
  ) throws {
    try reading.scan(database, range, order, limit: limit, body)
  }

  /// A copy of the first record of a range, or nil where it is empty.
  public func first(_ database: Database, in range: KeyRange = .all) throws
    -> (key: [UInt8], value: [UInt8])?
  {
    try reading.first(database, in: range)
  }

  /// A copy of the last record of a range, or nil where it is empty.
  public func last(_ database: Database, in range: KeyRange = .all) throws
    -> (key: [UInt8], value: [UInt8])?
  {
    try reading.last(database, in: range)
  }

  /// How many records a range has.
  public func count(_ database: Database, in range: KeyRange = .all) throws(StorageError) -> Int {
    try reading.count(database, in: range)
  }
}
