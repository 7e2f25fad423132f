import CLMDB

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The files of an environment's folder: made whole or not at all, and for their owner's eyes only.
struct EnvironmentFiles {
  let folder: String
  let faults: (any StorageFaults)?

  var data: String { folder + "/data.mdb" }
  var lock: String { folder + "/lock.mdb" }
  private var newData: String { folder + "/data.mdb.new" }

  /// Makes the files that are missing and takes others' rights from those that are there.
  func prepare(_ tenancy: Tenancy, _ options: Environment.Options) throws(StorageError) {
    if options.readOnly {
      guard try System.exists(data) else { throw .missing(path: data) }
      return
    }
    let hasData = try System.exists(data)
    let hasLock = try System.exists(lock)
    if !hasData || !hasLock {
      try tenancy.whileMaking { () throws(StorageError) in
        if try !System.exists(data) { try makeData(options) }
        try makeLock()
      }
    }
    try System.restrictMode(data)
    try System.restrictMode(lock)
  }

  /// Checks the data file, and makes its name last where nothing was committed to it so far.
  ///
  /// Whoever made it may have been killed before he synced its folder. As everybody who finds it
  /// new does it, the name is on the device before the first commit is.
  func check(_ options: Environment.Options) throws(StorageError) {
    let newest = try DataFile(data).check()
    if newest.transaction == 0, !options.readOnly {
      try faults?.willPerform(.sync)
      try System.syncFolders(from: folder)
    }
  }

  /// Makes the data file under another name and renames it when it is on the device, so that a file
  /// called by its own name is a whole one, wherever a power cut falls.
  private func makeData(_ options: Environment.Options) throws(StorageError) {
    System.remove(newData)
    var isDone = false
    defer { if !isDone { System.remove(newData) } }
    try makeEmptyEnvironment(options)
    let file = try System.open(newData, O_RDWR)
    try file.setMode(0o600)
    try faults?.willPerform(.sync)
    try file.sync()
    try System.rename(newData, to: data)
    isDone = true
  }

  /// Has the engine write its first two pages.
  private func makeEmptyEnvironment(_ options: Environment.Options) throws(StorageError) {
    // The engine opens by the mode that the umask leaves, which may not let it read its own file.
    let made = try System.open(newData, O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
    try made.setMode(0o600)
    let engine = try EngineHandle()
    var code = unsafe mdb_env_set_mapsize(engine.pointer, options.mapByteCount)
    if code == 0 {
      code = unsafe mdb_env_open(
        engine.pointer, newData, UInt32(MDB_NOSUBDIR | MDB_NOLOCK), 0o600)
    }
    guard code == 0 else { throw .engine(operation: "make \(data)", code: code) }
  }

  private func makeLock() throws(StorageError) {
    do throws(StorageError) {
      let file = try System.open(lock, O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
      try file.setMode(0o600)
    } catch {
      guard case .system(_, _, EEXIST) = error else { throw error }
    }
  }
}
