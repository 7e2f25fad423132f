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
  let identity = Self.count.add(1, ordering: .relaxed).newValue
  var limits: EnvironmentLimits
  var pageByteCount = 0
  var databases: [String: Database] = [:]

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
    if let found = try openDatabases(options.databases, UInt32(MDB_RDONLY), create: false) {
      databases = found
    } else if let made = try openDatabases(options.databases, 0, create: true) {
      databases = made
    }
  }

  private func openDatabases(_ names: [String], _ flags: UInt32, create: Bool)
    throws(StorageError) -> [String: Database]?
  {
    var transaction: OpaquePointer?
    unsafe try check(mdb_txn_begin(handle, nil, flags, &transaction), "begin a transaction")
    var found: [String: Database] = [:]
    for name in names {
      var database: MDB_dbi = 0
      let code = unsafe mdb_dbi_open(
        transaction, name, create ? UInt32(MDB_CREATE) : 0, &database)
      if code != 0 { unsafe mdb_txn_abort(transaction) }
      if code == MDB_NOTFOUND { return nil }
      try check(code, "open the database \(name)")
      found[name] = Database(name: name, handle: database, owner: identity)
    }
    unsafe try check(mdb_txn_commit(transaction), "commit the opening of the databases")
    return found
  }

  func check(_ code: Int32, _ operation: String) throws(StorageError) {
    guard code == 0 else { throw StorageError(engine: code, operation, limits) }
  }
}
