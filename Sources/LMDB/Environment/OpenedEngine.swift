import CLMDB
import Synchronization

/// An environment of the engine, closed unless it is released to an owner.
@safe struct EngineHandle: ~Copyable {
  let pointer: OpaquePointer

  init() throws(StorageError) {
    var created: OpaquePointer?
    let code = unsafe mdb_env_create(&created)
    guard code == 0, let created = unsafe created else {
      throw .engine(operation: "create an environment", code: code)
    }
    unsafe pointer = created
  }

  deinit {
    unsafe mdb_env_close(pointer)
  }

  consuming func release() -> OpaquePointer {
    let pointer = unsafe self.pointer
    discard self
    return unsafe pointer
  }
}

/// An environment being opened: the engine's handle, what it says of itself, and its databases.
@safe struct OpenedEngine: ~Copyable {
  private static let count = Atomic<UInt64>(0)

  let engine: EngineHandle
  let identity = Self.nextIdentity()
  var limits: EnvironmentLimits
  var pageByteCount = 0
  var databases: [String: Database] = [:]

  /// A number that no other environment of this process has.
  static func nextIdentity() -> UInt64 { count.add(1, ordering: .relaxed).newValue }

  private var handle: OpaquePointer { unsafe engine.pointer }

  init(_ options: Environment.Options) throws(StorageError) {
    engine = try EngineHandle()
    limits = EnvironmentLimits(
      mapByteCount: options.mapByteCount, readerCountMax: options.readerCountMax)
  }

  mutating func open(_ path: String, _ options: Environment.Options) throws(StorageError) {
    unsafe try check(mdb_env_set_mapsize(handle, options.mapByteCount), "set the map's size")
    unsafe try check(
      mdb_env_set_maxreaders(handle, UInt32(options.readerCountMax)), "set the readers' number")
    unsafe try check(
      mdb_env_set_maxdbs(handle, MDB_dbi(max(1, options.databases.count))),
      "set the databases' number")
    // Nothing that trades durability for speed is ever set here: each such flag was seen to lose
    // acknowledged transactions in a power cut.
    let flags = UInt32(MDB_NOTLS) | (options.readOnly ? UInt32(MDB_RDONLY) : 0)
    unsafe try check(mdb_env_open(handle, path, flags, 0o600), "open \(path)")
    var info = unsafe MDB_envinfo()
    unsafe try check(mdb_env_info(handle, &info), "ask for the limits")
    unsafe limits = EnvironmentLimits(
      mapByteCount: info.me_mapsize, readerCountMax: Int(info.me_maxreaders))
    var stat = MDB_stat()
    unsafe try check(mdb_env_stat(handle, &stat), "ask for the page size")
    pageByteCount = Int(stat.ms_psize)
    var freed: Int32 = 0
    unsafe try check(mdb_reader_check(handle, &freed), "look for lost readers")
  }

  /// Opens all databases in one transaction that is committed: handles of an aborted one dangle.
  ///
  /// A read transaction does where all are there, so that an open need not wait for a writer.
  mutating func openDatabases(_ options: Environment.Options) throws(StorageError) {
    do throws(StorageError) {
      databases = try openDatabases(options.databases, UInt32(MDB_RDONLY), create: 0)
    } catch .databaseMissing(let name) {
      if options.readOnly { throw .databaseMissing(name: name) }
      try refuseUnknown(options.databases, missing: name)
      databases = try openDatabases(options.databases, 0, create: UInt32(MDB_CREATE))
    }
  }

  /// Refuses to make a database beside one that is not known.
  ///
  /// With one flipped bit in its name a table would look missing, and be made anew and empty. A
  /// newer program's tables beside all of this one's are none of its business.
  private func refuseUnknown(_ names: [String], missing: String) throws(StorageError) {
    var transaction: OpaquePointer?
    unsafe try check(
      mdb_txn_begin(handle, nil, UInt32(MDB_RDONLY), &transaction), "begin a transaction")
    defer { unsafe mdb_txn_abort(transaction) }
    var main: MDB_dbi = 0
    unsafe try check(mdb_dbi_open(transaction, nil, 0, &main), "open the table of tables")
    var cursor: OpaquePointer?
    unsafe try check(mdb_cursor_open(transaction, main, &cursor), "open a cursor")
    defer { unsafe mdb_cursor_close(cursor) }
    let known = Set(names.map { Array($0.utf8) })
    var key = unsafe MDB_val()
    var value = unsafe MDB_val()
    while true {
      let code = unsafe mdb_cursor_get(cursor, &key, &value, MDB_NEXT)
      if code == MDB_NOTFOUND { return }
      try check(code, "read the names of the databases")
      if unsafe !known.contains([UInt8](Record.bytes(key))) {
        throw .databaseUnknown(missing: missing)
      }
    }
  }

  private func openDatabases(_ names: [String], _ flags: UInt32, create: UInt32)
    throws(StorageError) -> [String: Database]
  {
    var transaction: OpaquePointer?
    unsafe try check(mdb_txn_begin(handle, nil, flags, &transaction), "begin a transaction")
    var found: [String: Database] = [:]
    do throws(StorageError) {
      for name in names {
        unsafe found[name] = try openDatabase(transaction, name, create)
      }
    } catch {
      unsafe mdb_txn_abort(transaction)
      throw error
    }
    unsafe try check(mdb_txn_commit(transaction), "commit the opening of the databases")
    return found
  }

  private func openDatabase(_ transaction: OpaquePointer?, _ name: String, _ create: UInt32)
    throws(StorageError) -> Database
  {
    var database: MDB_dbi = 0
    let code = unsafe mdb_dbi_open(transaction, name, create, &database)
    if code == MDB_NOTFOUND { throw .databaseMissing(name: name) }
    try check(code, "open the database \(name)")
    // A table with another order of keys, or with several values for one, is none of this module's.
    var flags: UInt32 = 0
    unsafe try check(mdb_dbi_flags(transaction, database, &flags), "look at the database \(name)")
    guard flags == 0 else {
      throw .engine(operation: "open the database \(name)", code: MDB_INCOMPATIBLE)
    }
    return Database(name: name, handle: database, owner: identity)
  }

  func check(_ code: Int32, _ operation: String) throws(StorageError) {
    guard code == 0 else { throw StorageError(engine: code, operation, limits) }
  }
}
