import CLMDB

/// A place in a database, closed when it goes out of scope and moved within a range.
@safe struct Cursor: ~Copyable {
  /// The engine's; nil in memory.
  private let handle: OpaquePointer?
  private let context: TransactionContext
  /// The table and the place in it, in memory.
  private let table: MemoryTable
  private var index = 0
  private(set) var key = unsafe MDB_val()
  private(set) var value = unsafe MDB_val()

  init(_ context: TransactionContext, _ database: borrowing Database) throws(StorageError) {
    context.check(database)
    if let memory = unsafe context.memory {
      unsafe handle = nil
      table = memory.table(database)
      self.context = context
      return
    }
    table = MemoryTable()
    var opened: OpaquePointer?
    let code = unsafe mdb_cursor_open(context.handle, database.handle, &opened)
    guard code == 0, let opened = unsafe opened else {
      throw context.error(code, "open a cursor")
    }
    unsafe handle = opened
    self.context = context
  }

  deinit {
    if let handle = unsafe handle { unsafe mdb_cursor_close(handle) }
  }

  /// Moves to the first record of a scan; false where the range is empty.
  @inline(__always)
  mutating func start(_ range: borrowing KeyRange, _ order: ScanOrder) throws(StorageError) -> Bool
  {
    switch order {
    case .ascending:
      guard try seek(range.lower) else { return false }
      return isBeforeEnd(range)
    case .descending:
      guard try startFromEnd(range) else { return false }
      return isFromLower(range)
    }
  }

  /// Moves on by one record; false at the end of the range.
  @inline(__always)
  mutating func advance(_ range: borrowing KeyRange, _ order: ScanOrder) throws(StorageError)
    -> Bool
  {
    switch order {
    case .ascending: try move(MDB_NEXT) && isBeforeEnd(range)
    case .descending: try move(MDB_PREV) && isFromLower(range)
    }
  }

  /// Moves on by one record; false behind the last.
  @inline(__always)
  mutating func advance() throws(StorageError) -> Bool { try move(MDB_NEXT) }

  /// Removes the record the cursor stands on; the next one takes its place for `advance`.
  mutating func remove() throws(StorageError) {
    let code = unsafe mdb_cursor_del(handle, 0)
    guard code == 0 else { throw context.error(code, "delete") }
  }

  /// Moves to the first key not below `bytes`.
  private mutating func seek(_ bytes: borrowing [UInt8]) throws(StorageError) -> Bool {
    if bytes.isEmpty { return try move(MDB_FIRST) }
    let raw = bytes.raw
    return try unsafe raw.withUnsafeBytes { bytes throws(StorageError) in
      try unsafe seek(bytes)
    }
  }

  /// Moves to the first key not below `bytes`, of which there are some.
  mutating func seek(_ bytes: UnsafeRawBufferPointer) throws(StorageError) -> Bool {
    if unsafe handle == nil { return unsafe stand(at: table.lowerBound(bytes)) }
    unsafe key = MDB_val(
      mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
    let code = unsafe mdb_cursor_get(handle, &key, &value, MDB_SET_RANGE)
    if code == MDB_NOTFOUND { return false }
    guard code == 0 else { throw context.error(code, "seek") }
    try checkLengths()
    return true
  }

  /// Moves to the last key before the end of the range, wherever its lower bound is.
  private mutating func startFromEnd(_ range: borrowing KeyRange) throws(StorageError) -> Bool {
    let found: Bool
    switch range.end {
    case .none: return try move(MDB_LAST)
    case .before(let bytes):
      if bytes.isEmpty { return false }
      found = try seek(bytes)
    case .prefix(let bytes):
      guard let behind = KeyRange.behind(prefix: bytes) else { return try move(MDB_LAST) }
      found = try seek(behind)
    }
    return found ? try move(MDB_PREV) : try move(MDB_LAST)
  }

  @inline(__always)
  private mutating func move(_ operation: MDB_cursor_op) throws(StorageError) -> Bool {
    if unsafe handle == nil { return moveInMemory(operation) }
    let code = unsafe mdb_cursor_get(handle, &key, &value, operation)
    if code == MDB_NOTFOUND { return false }
    guard code == 0 else { throw context.error(code, "scan") }
    try checkLengths()
    return true
  }

  /// Refuses a record of which damage has made one that leads out of the file.
  @inline(__always)
  private func checkLengths() throws(StorageError) {
    guard unsafe context.canRead(key), unsafe context.canRead(value) else {
      throw unsafe context.corrupt(at: handle)
    }
  }

  private mutating func moveInMemory(_ operation: MDB_cursor_op) -> Bool {
    switch operation {
    case MDB_FIRST: stand(at: 0)
    case MDB_LAST: stand(at: table.records.count - 1)
    case MDB_NEXT: stand(at: index + 1)
    default: stand(at: index - 1)
    }
  }

  /// Stands on the record at a place in memory; false where there is none.
  private mutating func stand(at place: Int) -> Bool {
    index = place
    guard table.records.indices.contains(place) else { return false }
    let record = table.records[place]
    unsafe key = MDB_val(record.key)
    unsafe value = MDB_val(record.stored)
    return true
  }

  @inline(__always)
  private func isBeforeEnd(_ range: borrowing KeyRange) -> Bool {
    switch range.end {
    case .none: return true
    case .before(let bytes): return unsafe Record.bytes(key).isBelow(bytes)
    case .prefix(let bytes): return unsafe Record.bytes(key).starts(withBytes: bytes)
    }
  }

  @inline(__always)
  private func isFromLower(_ range: borrowing KeyRange) -> Bool {
    unsafe !Record.bytes(key).isBelow(range.lower)
  }
}
