import CLMDB

/// What both kinds of transaction work with: the engine's transaction and the environment it is of.
///
/// It is only made inside the environment's closures and lives no longer than they do, so the
/// environment is alive whenever it is used.
@safe struct TransactionContext {
  /// The engine's; nil in memory.
  let handle: OpaquePointer?
  unowned(unsafe) let environment: Environment
  /// What stands in the place of the engine's in memory; nil on a folder.
  unowned(unsafe) let memory: MemoryTransaction?
  /// What the caller wants at hand; whoever runs the transaction holds it.
  unowned(unsafe) let attachment: AnyObject?
  /// What was known at the begin of what can be read of the file.
  private let known: KnownPart

  init(
    _ handle: OpaquePointer?, _ environment: Environment, _ memory: MemoryTransaction?,
    _ attachment: AnyObject?
  ) {
    unsafe self.handle = handle
    unsafe self.environment = environment
    unsafe self.memory = memory
    unsafe self.attachment = attachment
    known = environment.map.known
  }

  /// A database of another environment would quietly be a different table here.
  @inline(__always)
  func check(_ database: borrowing Database) {
    precondition(
      unsafe database.owner == environment.identity, "the database is of another environment")
  }

  @inline(__always)
  func check(key byteCount: Int) throws(StorageError) {
    if byteCount == 0 { throw .emptyKey }
    if byteCount > Environment.keyByteCountMax {
      throw .keyTooLong(byteCount: byteCount, max: Environment.keyByteCountMax)
    }
  }

  func error(_ code: Int32, _ operation: String) -> StorageError {
    unsafe StorageError(engine: code, operation, environment.limits)
  }

  /// The value of a record, checked and without its checksum, where the engine holds it.
  @inline(__always)
  func find(_ database: borrowing Database, _ key: RawSpan) throws(StorageError)
    -> UnsafeRawBufferPointer?
  {
    check(database)
    try check(key: key.byteCount)
    if let memory = unsafe memory { return unsafe try memory.find(database, key) }
    let handle = database.handle
    var value = unsafe MDB_val()
    var isWhole = false
    let code = unsafe key.withUnsafeBytes { bytes in
      var name = unsafe MDB_val(
        mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
      let code = unsafe mdb_get(self.handle, handle, &name, &value)
      if code == 0 {
        isWhole = unsafe canRead(value) && Record.isWhole(key: bytes, record: value)
      }
      return code
    }
    if code == MDB_NOTFOUND { return nil }
    guard code == 0 else { throw error(code, "get") }
    guard isWhole else { throw .corrupt(database: database.name) }
    return unsafe Record.value(value)
  }

  /// Whether a key or a value that the engine handed out can be read to its end.
  @inline(__always)
  func canRead(_ field: MDB_val) -> Bool {
    unsafe known.holds(field) || environment.canReadElsewhere(field)
  }

  /// The error of a damaged record in the database that a cursor of the engine is in.
  func corrupt(at cursor: OpaquePointer?) -> StorageError {
    let number = unsafe mdb_cursor_dbi(cursor)
    let names = unsafe environment.databases.values.filter { $0.handle == number }.map(\.name)
    return .corrupt(database: names.first ?? "")
  }

  /// The number of the transaction whose state this is, or of this one where it writes.
  var transaction: UInt64 {
    if let handle = unsafe handle { return unsafe UInt64(mdb_txn_id(handle)) }
    return unsafe memory?.number ?? 0
  }

  /// How many pages of the map hold something.
  func livePageCount() throws(StorageError) -> Int {
    if let memory = unsafe memory { return memory.livePageCount }
    var pages = 2
    for index in unsafe 0..<(2 + environment.databaseCount) {
      var stat = MDB_stat()
      let code = unsafe mdb_stat(handle, MDB_dbi(index), &stat)
      guard code == 0 else { throw error(code, "stat") }
      pages += stat.ms_branch_pages + stat.ms_leaf_pages + stat.ms_overflow_pages
    }
    return pages
  }
}

/// How a value lies in the file: its bytes, then their checksum, least byte first.
enum Record {
  @inline(__always)
  static func isWhole(key: UnsafeRawBufferPointer, record: MDB_val) -> Bool {
    guard unsafe record.mv_size >= Checksum.byteCount, let start = unsafe record.mv_data else {
      return false
    }
    let sum = unsafe Checksum.ofRecord(key: key, value: value(record))
    let stored = unsafe UnsafeRawPointer(start).loadUnaligned(
      fromByteOffset: record.mv_size - Checksum.byteCount, as: UInt32.self)
    return sum == UInt32(littleEndian: stored)
  }

  @inline(__always)
  static func value(_ record: MDB_val) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(
      start: record.mv_data, count: record.mv_size - Checksum.byteCount)
  }

  /// Writes a value and the checksum of it and its key.
  @inline(__always)
  static func write(
    key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer,
    to target: UnsafeMutableRawPointer
  ) {
    if let source = value.baseAddress {
      unsafe target.copyMemory(from: source, byteCount: value.count)
    }
    let sum = unsafe Checksum.ofRecord(key: key, value: value)
    unsafe target.storeBytes(of: sum.littleEndian, toByteOffset: value.count, as: UInt32.self)
  }

  @inline(__always)
  static func bytes(_ field: MDB_val) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: field.mv_data, count: field.mv_size)
  }
}
