import CLMDB

/// The changes of one write, seen by nobody else until it commits.
///
/// It lives inside the closure it is handed to. Changing it ends every view taken from it before;
/// the compiler refuses a view used after a change.
///
/// A failure of the engine inside it, such as a full map, ends it: every change after throws the
/// same error, and it does not commit even where the closure catches the error.
@safe public struct WriteTransaction: ~Copyable, ~Escapable {
  let context: TransactionContext
  private let end = TransactionEnd()
  /// Whether it ends without changing anything.
  public private(set) var isCancelled = false
  /// The marks of the databases that were put to or deleted from, where it was to be marked.
  public private(set) var touched = DatabaseMarks()
  /// How many bytes may be put before the live pages have to be counted against the quota again.
  private var room: Int

  @_lifetime(borrow scope)
  init(_ scope: borrowing WriteScope, room: Int) {
    context = unsafe TransactionContext(
      scope.handle, scope.environment, scope.memory, scope.attachment)
    self.room = Self.share(ofRoom: room)
  }

  /// The object that the transaction was begun with, if any.
  public var attachment: AnyObject? { unsafe context.attachment }

  /// The failure of the engine that has ended the transaction.
  var failure: StorageError? { end.failure }

  /// The state with the changes made so far, for functions that read.
  public var reading: ReadTransaction {
    @_lifetime(borrow self)
    get { ReadTransaction(of: self) }
  }

  /// Makes the write end without committing when its closure returns.
  public mutating func cancel() {
    isCancelled = true
  }

  /// Puts a record, in place of the one that has the key.
  ///
  /// - Complexity: O(log *n* + *m*) for a value of *m* bytes.
  /// - Throws: errors of the key's or value's length, after which the transaction goes on;
  ///   ``StorageError/quotaExceeded(limit:)``, ``StorageError/mapFull(limit:)`` and errors of the
  ///   engine, which end it: whoever catches one between two records does not commit a half.
  public mutating func put(_ database: Database, _ key: RawSpan, _ value: RawSpan)
    throws(StorageError)
  {
    try put(database, key, value, appending: false, marking: true)
  }

  /// Puts a record whose key is likely to be the greatest there is; anywhere else it does what
  /// `put` does.
  ///
  /// A page that is full stays full when the next one is begun, where `put` would leave half of
  /// each: what is only ever added to at the end takes half the room.
  ///
  /// - Complexity: as `put`.
  /// - Throws: as `put`.
  public mutating func append(_ database: Database, _ key: KeyBuilder, _ value: [UInt8])
    throws(StorageError)
  {
    try unsafe put(
      database, key.bytes.span.bytes, value.span.bytes, appending: true, marking: true)
  }

  private mutating func put(
    _ database: Database, _ key: RawSpan, _ value: RawSpan, appending: Bool, marking: Bool
  ) throws(StorageError) {
    context.check(database)
    try context.check(key: key.byteCount)
    let byteCount = value.byteCount
    guard byteCount <= Environment.valueByteCountMax else {
      throw .valueTooLong(byteCount: byteCount, max: Environment.valueByteCountMax)
    }
    try prepare(.put)
    try charge(key.byteCount + byteCount)
    if marking { touched.insert(database) }
    if let memory = unsafe context.memory { return memory.put(database, key, value) }
    let code = unsafe key.withUnsafeBytes { key in
      unsafe value.withUnsafeBytes { value in
        var code = MDB_KEYEXIST
        if appending {
          code = unsafe Self.put(context.handle, database.handle, key, value, MDB_APPEND)
        }
        // The engine refuses to append a key that is not the greatest.
        if code == MDB_KEYEXIST {
          code = unsafe Self.put(context.handle, database.handle, key, value, 0)
        }
        return code
      }
    }
    guard code == 0 else { throw fail(context.error(code, "put")) }
  }

  /// Puts a record; see the same of spans.
  public mutating func put(_ database: Database, _ key: [UInt8], _ value: [UInt8])
    throws(StorageError)
  {
    try put(database, key.raw, value.raw)
  }

  /// Puts a record; see the same of spans.
  ///
  /// - Parameter marking: Whether that counts as a change of the database in ``touched``; not where
  ///   the record is a copy of what is told of elsewhere.
  public mutating func put(
    _ database: Database, _ key: KeyBuilder, _ value: [UInt8], marking: Bool = true
  ) throws(StorageError) {
    try put(database, key.bytes.raw, value.raw, appending: false, marking: marking)
  }

  /// Puts a record; see the same of spans.
  public mutating func put(_ database: Database, _ key: KeyBuilder, _ value: RawSpan)
    throws(StorageError)
  {
    try put(database, key.bytes.raw, value)
  }

  /// Puts the records of a batch in the order of their keys, and takes them out of it.
  ///
  /// - Complexity: O(*k* log *k*) to bring *k* records into order, and O(*k* log *n*) at most to put
  ///   them; neighbours share what their places have in common.
  /// - Throws: as `put`; some of the records may be put then.
  public mutating func put(_ database: Database, _ batch: inout RecordBatch) throws(StorageError) {
    batch.sort()
    for place in 0..<batch.count {
      try put(database, batch.key(at: place), batch.value(at: place))
    }
    batch.removeAll()
  }

  /// Removes a record; false where the key is not there.
  ///
  /// - Complexity: O(log *n*).
  /// - Throws: an error of the key's length, after which the transaction goes on; errors of the
  ///   engine, which end it.
  @discardableResult
  public mutating func delete(_ database: Database, _ key: RawSpan) throws(StorageError) -> Bool {
    context.check(database)
    try context.check(key: key.byteCount)
    try prepare(.delete)
    if let memory = unsafe context.memory {
      let wasThere = memory.remove(database, key)
      if wasThere { touched.insert(database) }
      return wasThere
    }
    let code = unsafe key.withUnsafeBytes { key in
      var name = unsafe MDB_val(
        mv_size: key.count, mv_data: UnsafeMutableRawPointer(mutating: key.baseAddress))
      return unsafe mdb_del(context.handle, database.handle, &name, nil)
    }
    if code == MDB_NOTFOUND { return false }
    guard code == 0 else { throw fail(context.error(code, "delete")) }
    touched.insert(database)
    return true
  }

  /// Removes a record; see the same of a span.
  @discardableResult
  public mutating func delete(_ database: Database, _ key: [UInt8]) throws(StorageError) -> Bool {
    try delete(database, key.raw)
  }

  /// Removes a record; see the same of a span.
  @discardableResult
  public mutating func delete(_ database: Database, _ key: KeyBuilder) throws(StorageError) -> Bool
  {
    try delete(database, key.bytes.raw)
  }

  /// Removes every record of a range and says how many there were.
  ///
  /// - Complexity: O(log *n* + *k*) for *k* records; for all keys O(pages).
  /// - Throws: errors of the engine, which end the transaction.
  @discardableResult
  public mutating func deleteAll(_ database: Database, in range: KeyRange = .all)
    throws(StorageError) -> Int
  {
    try prepare(.delete)
    touched.insert(database)
    if let memory = unsafe context.memory { return memory.removeAll(database, in: range) }
    do throws(StorageError) {
      if range == .all { return try dropAll(database) }
      var count = 0
      var cursor = try Cursor(context, database)
      var isInside = try cursor.start(range, .ascending)
      while isInside {
        try cursor.remove()
        count += 1
        isInside = try cursor.advance(range, .ascending)
      }
      return count
    } catch {
      throw fail(error)
    }
  }

  private func dropAll(_ database: Database) throws(StorageError) -> Int {
    let count = try reading.count(database)
    let code = unsafe mdb_drop(context.handle, database.handle, 0)
    guard code == 0 else { throw context.error(code, "delete all") }
    return count
  }

  /// Refuses a transaction that has failed, and lets a test make this step fail.
  @inline(__always)
  private mutating func prepare(_ step: StorageStep) throws(StorageError) {
    if let failure = end.failure { throw failure }
    if let faults = unsafe context.environment.faults {
      do throws(StorageError) { try faults.willPerform(step) } catch { throw fail(error) }
    }
  }

  private mutating func fail(_ error: StorageError) -> StorageError {
    end.failure = error
    return error
  }

  /// Counts a put against the quota: by its size while there is room, by live pages when there is
  /// not.
  @inline(__always)
  private mutating func charge(_ byteCount: Int) throws(StorageError) {
    room -= byteCount + Environment.putByteCount
    if room < 0 { try measureRoom(for: byteCount + Environment.putByteCount) }
  }

  /// How much may be put before pages are counted again, with that much left below the quota.
  ///
  /// Only a part of it, since a small record can take a page: it splits the one it goes to.
  private static func share(ofRoom left: Int) -> Int { max(left / 16, min(left, 1 << 16)) }

  private mutating func measureRoom(for byteCount: Int) throws(StorageError) {
    let left = unsafe try context.environment.room(livePages: context.livePageCount())
    guard left >= byteCount else {
      throw unsafe fail(.quotaExceeded(limit: context.environment.quotaByteCount))
    }
    room = max(Self.share(ofRoom: left) - byteCount, 0)
  }

  /// Has the engine make room for the record and writes value and checksum into it, without a copy
  /// in between.
  @inline(__always)
  private static func put(
    _ transaction: OpaquePointer?, _ database: MDB_dbi, _ key: UnsafeRawBufferPointer,
    _ value: UnsafeRawBufferPointer, _ flags: Int32
  ) -> Int32 {
    var name = unsafe MDB_val(
      mv_size: key.count, mv_data: UnsafeMutableRawPointer(mutating: key.baseAddress))
    var record = unsafe MDB_val(mv_size: value.count + Checksum.byteCount, mv_data: nil)
    let code = unsafe mdb_put(transaction, database, &name, &record, UInt32(MDB_RESERVE | flags))
    guard code == 0, let target = unsafe record.mv_data else { return code }
    unsafe Record.write(key: key, value: value, to: target)
    return 0
  }
}

/// What has ended a write transaction.
///
/// An object, since the compiler cannot put a transaction into another noncopyable value while it
/// has a member of several words to copy.
final class TransactionEnd {
  var failure: StorageError?
}

/// What a write transaction borrows from while its closure runs.
@safe struct WriteScope: ~Copyable {
  let handle: OpaquePointer?
  let environment: Environment
  let memory: MemoryTransaction?
  let attachment: AnyObject?

  init(_ handle: OpaquePointer, _ environment: Environment, _ attachment: AnyObject?) {
    unsafe self.handle = handle
    self.environment = environment
    memory = nil
    self.attachment = attachment
  }

  init(_ memory: MemoryTransaction, _ environment: Environment, _ attachment: AnyObject?) {
    unsafe handle = nil
    self.environment = environment
    self.memory = memory
    self.attachment = attachment
  }
}
