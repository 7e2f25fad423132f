import CSQLite

/// A database of SQLite, set up as its manual advises for an application: a write-ahead log, synced
/// with every commit; statements prepared once; as much cache as it likes, and its file mapped.
final class SQLite {
  let handle: OpaquePointer
  let path: String

  static var version: String { "SQLite \(String(cString: sqlite3_libversion()))" }

  /// Opens the database of a file, which is made where it is not there.
  init(_ path: String) throws {
    var opened: OpaquePointer?
    // One thread uses it: without a lock around every call it is faster.
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    let code = sqlite3_open_v2(path, &opened, flags, nil)
    guard code == SQLITE_OK, let opened else {
      throw Command.Failed(description: "SQLite: cannot open \(path): \(code)")
    }
    handle = opened
    self.path = path
    try execute("PRAGMA journal_mode=WAL")
    try execute("PRAGMA synchronous=FULL")
    try execute("PRAGMA cache_size=-262144")
    try execute("PRAGMA mmap_size=4294967296")
    try execute("PRAGMA temp_store=MEMORY")
  }

  /// Runs statements that give nothing.
  func execute(_ sql: String) throws { try check(sqlite3_exec(handle, sql, nil, nil, nil)) }

  /// A statement, compiled once for many runs.
  func prepare(_ sql: String) throws -> Statement { try Statement(self, sql) }

  /// Runs `body` in a transaction that is on disk when this returns.
  func transaction(_ body: () throws -> Void) throws {
    try begin.run()
    try body()
    try commit.run()
  }

  /// Runs `body` in a transaction that sees one state.
  func read<R>(_ body: () throws -> R) throws -> R {
    try beginRead.run()
    let result = try body()
    try commit.run()
    return result
  }

  private lazy var begin = made("BEGIN IMMEDIATE")
  private lazy var beginRead = made("BEGIN")
  private lazy var commit = made("COMMIT")

  private func made(_ sql: String) -> Statement {
    guard let statement = try? prepare(sql) else { fatalError("SQLite cannot compile \(sql)") }
    return statement
  }

  /// Takes the write-ahead log into the file, and gives the length of that.
  func byteCount() throws -> Int {
    try execute("PRAGMA wal_checkpoint(TRUNCATE)")
    let pages = try prepare(
      "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
    defer { pages.reset() }
    guard try pages.step() else { return 0 }
    return pages.integer(0)
  }

  func check(_ code: Int32) throws {
    guard code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW else {
      throw Command.Failed(
        description: "SQLite: \(code): \(String(cString: sqlite3_errmsg(handle)))")
    }
  }

  func close() {
    for statement in [begin, beginRead, commit] { statement.finalize() }
    sqlite3_close_v2(handle)
  }
}

/// A compiled statement.
///
/// Parameters are numbered from 1, columns from 0.
final class Statement {
  private unowned let database: SQLite
  private var handle: OpaquePointer?

  init(_ database: SQLite, _ sql: String) throws {
    self.database = database
    try database.check(
      sqlite3_prepare_v3(
        database.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil))
  }

  func finalize() {
    sqlite3_finalize(handle)
    handle = nil
  }

  deinit { sqlite3_finalize(handle) }

  @inline(__always)
  func bind(_ place: Int32, _ value: Int) { sqlite3_bind_int64(handle, place, Int64(value)) }

  @inline(__always)
  func bind(_ place: Int32, _ text: String) {
    var text = text
    text.withUTF8 { bytes in
      _ = bytes.withMemoryRebound(to: CChar.self) {
        sqlite3_bind_text(handle, place, $0.baseAddress, Int32($0.count), Self.copied)
      }
    }
  }

  @inline(__always)
  func bind(_ place: Int32, _ bytes: [UInt8]) {
    bytes.withUnsafeBytes {
      _ = sqlite3_bind_blob(handle, place, $0.baseAddress, Int32($0.count), Self.copied)
    }
  }

  private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  /// Goes to the next row; false where there is none.
  @inline(__always)
  func step() throws -> Bool {
    let code = sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    try database.check(code)
    return false
  }

  @inline(__always)
  func reset() { sqlite3_reset(handle) }

  /// Runs a statement that gives nothing.
  @inline(__always)
  func run() throws {
    _ = try step()
    reset()
  }

  @inline(__always)
  func integer(_ column: Int32) -> Int { Int(sqlite3_column_int64(handle, column)) }

  @inline(__always)
  func text(_ column: Int32) -> String {
    guard let start = sqlite3_column_text(handle, column) else { return "" }
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  @inline(__always)
  func bytes(_ column: Int32) -> [UInt8] {
    guard let start = sqlite3_column_blob(handle, column) else { return [] }
    let count = Int(sqlite3_column_bytes(handle, column))
    return [UInt8](UnsafeRawBufferPointer(start: start, count: count))
  }
}
