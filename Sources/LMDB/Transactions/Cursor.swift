import CLMDB

/// A place in a database, closed when it goes out of scope and moved within a range.
@safe struct Cursor: ~Copyable {
  private let handle: OpaquePointer
  private let context: TransactionContext
  private(set) var key = unsafe MDB_val()
  private(set) var value = unsafe MDB_val()

  init(_ context: TransactionContext, _ database: borrowing Database) throws(StorageError) {
    context.check(database)
    var opened: OpaquePointer?
    let code = unsafe mdb_cursor_open(context.handle, database.handle, &opened)
    guard code == 0, let opened = unsafe opened else {
      throw context.error(code, "open a cursor")
    }
    unsafe handle = opened
    self.context = context
  }

  deinit {
    unsafe mdb_cursor_close(handle)
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

  /// Removes the record the cursor stands on; the next one takes its place for `advance`.
  mutating func remove() throws(StorageError) {
    let code = unsafe mdb_cursor_del(handle, 0)
    guard code == 0 else { throw context.error(code, "delete") }
  }

  /// Moves to the first key not below `bytes`.
  private mutating func seek(_ bytes: borrowing [UInt8]) throws(StorageError) -> Bool {
    if bytes.isEmpty { return try move(MDB_FIRST) }
    let code = unsafe bytes.withUnsafeBytes { bytes in
      unsafe key = MDB_val(
        mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
      return unsafe mdb_cursor_get(handle, &key, &value, MDB_SET_RANGE)
    }
    if code == MDB_NOTFOUND { return false }
    guard code == 0 else { throw context.error(code, "seek") }
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
      // The first key behind all that begin with the prefix: the prefix with its last byte that is
      // not 255 raised by one. With no such byte nothing is behind it.
      guard let last = bytes.lastIndex(where: { $0 != 0xFF }) else { return try move(MDB_LAST) }
      var behind = Array(bytes[...last])
      behind[last] += 1
      found = try seek(behind)
    }
    return found ? try move(MDB_PREV) : try move(MDB_LAST)
  }

  @inline(__always)
  private mutating func move(_ operation: MDB_cursor_op) throws(StorageError) -> Bool {
    let code = unsafe mdb_cursor_get(handle, &key, &value, operation)
    if code == MDB_NOTFOUND { return false }
    guard code == 0 else { throw context.error(code, "scan") }
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
