import CLMDB
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Where the engine has its file in memory, and how much of it can be read there.
///
/// The engine hands a record out by the length that its page says. Where that is damaged the record
/// may lead beyond the end of the file, and reading there is a signal.
struct FileMap: ~Copyable, Sendable {
  private let start: UInt
  private let byteCountMax: Int
  private let descriptor: Int32
  /// As many bytes as the file had when its length was last looked at: it never gets shorter.
  private let readable = Atomic<Int>(0)

  /// The map of an environment in memory, which has none.
  init() {
    start = 0
    byteCountMax = 0
    descriptor = -1
  }

  init(start: UInt, byteCountMax: Int, descriptor: Int32) {
    self.start = start
    self.byteCountMax = byteCountMax
    self.descriptor = descriptor
  }

  /// The part of the file that is known to be there now; it will always be.
  var known: KnownPart {
    KnownPart(start: start, byteCount: readable.load(ordering: .relaxed))
  }

  /// Whether a key or a value begins where the file has a place in memory.
  func isWithin(_ field: MDB_val) -> Bool {
    unsafe UInt(bitPattern: field.mv_data) &- start < UInt(byteCountMax)
  }

  /// Looks at the file's length anew.
  func measure() {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return }
    readable.store(min(Int(status.st_size), byteCountMax), ordering: .relaxed)
  }
}

/// A part of the file in memory, from its start, of which every byte can be read.
struct KnownPart {
  fileprivate let start: UInt
  fileprivate let byteCount: Int

  /// Whether all bytes of a key or a value are in it.
  @inline(__always)
  func holds(_ field: MDB_val) -> Bool {
    let offset = unsafe UInt(bitPattern: field.mv_data) &- start
    return unsafe offset <= UInt(byteCount) && field.mv_size <= byteCount - Int(offset)
  }
}

extension Environment {
  /// Whether a key or a value that the engine handed out can be read to its end, which is not in the
  /// part of the file that a transaction knew at its begin.
  @inline(never)
  func canReadElsewhere(_ field: MDB_val) -> Bool {
    if unsafe map.known.holds(field) { return true }
    if unsafe map.isWithin(field) {
      map.measure()
      return unsafe map.known.holds(field)
    }
    return unsafe isWriting && isOnWrittenPage(field)
  }

  /// Whether a key or a value that a write has in memory of its own fits the page that it is on.
  ///
  /// A value of which no two fit on a page of a tree has pages of its own, and keeps them when it gets
  /// smaller. Their head stands before it: at its end the page's kind and the number of pages.
  private func isOnWrittenPage(_ field: MDB_val) -> Bool {
    guard let start = unsafe UnsafeRawPointer(field.mv_data) else { return true }
    // Bytes of a record may look like a head, so that a page is taken to end too soon: what does not fit
    // is looked at anew.
    if let room = unsafe writtenPages.byteCount(from: start, of: pageByteCount),
      unsafe field.mv_size <= room
    {
      return true
    }
    let kind = unsafe start.loadUnaligned(fromByteOffset: -6, as: UInt16.self)
    let count = unsafe Int(start.loadUnaligned(fromByteOffset: -4, as: UInt32.self))
    let isAlone = kind == TreePage.overflowFlag | WrittenPage.flag
    if isAlone { return unsafe field.mv_size <= count * pageByteCount - TreePage.headerByteCount }
    guard unsafe field.mv_size <= pageByteCount / 2 else { return false }
    let found = unsafe WrittenPage.start(behind: start, of: pageByteCount)
    guard let page = unsafe found else { return false }
    unsafe writtenPages.note(page, behind: start, of: pageByteCount)
    return unsafe field.mv_size <= page + pageByteCount - start
  }
}

extension OpenedEngine {
  /// Finds where the engine has the file in memory, of which it says nothing: the place of a name in
  /// the table of tables, less the place of that in the file.
  func findMap(_ data: String) throws(StorageError) -> FileMap {
    let file = try DataFile(data)
    for _ in 0..<1000 {
      if let start = try mapStart(file) {
        var descriptor: Int32 = 0
        unsafe try check(mdb_env_get_fd(engine.pointer, &descriptor), "ask for the file")
        return FileMap(
          start: start, byteCountMax: limits.mapByteCount, descriptor: descriptor)
      }
    }
    throw .engine(operation: "find the map of \(data)", code: MDB_BAD_TXN)
  }

  /// Where the map begins; nil where another process committed twice meanwhile.
  private func mapStart(_ file: borrowing DataFile) throws(StorageError) -> UInt? {
    var transaction: OpaquePointer?
    unsafe try check(
      mdb_txn_begin(engine.pointer, nil, UInt32(MDB_RDONLY), &transaction), "begin a transaction")
    // What the transaction sees stays in the file while it lasts.
    defer { unsafe mdb_txn_abort(transaction) }
    var main: MDB_dbi = 0
    unsafe try check(mdb_dbi_open(transaction, nil, 0, &main), "open the table of tables")
    var cursor: OpaquePointer?
    unsafe try check(mdb_cursor_open(transaction, main, &cursor), "open a cursor")
    defer { unsafe mdb_cursor_close(cursor) }
    var key = unsafe MDB_val()
    var value = unsafe MDB_val()
    let code = unsafe mdb_cursor_get(cursor, &key, &value, MDB_FIRST)
    // Without a table there is nothing to read.
    if code == MDB_NOTFOUND { return 0 }
    try check(code, "read the names of the databases")
    // Both metas were checked; one that cannot be right now is being written.
    guard let meta = unsafe try? file.meta(of: UInt64(mdb_txn_id(transaction)), pageByteCount),
      let place = try? file.placeOfFirstName(meta)
    else { return nil }
    return unsafe UInt(bitPattern: key.mv_data) &- UInt(place)
  }
}
