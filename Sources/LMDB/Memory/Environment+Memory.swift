import Synchronization

extension Environment {
  /// Opens an environment in memory, whose files are a disk's state: for simulations and tests.
  ///
  /// Everything above the engine is the same: transactions, limits, checksums, errors and faults.
  /// There is no file and no other process, so nothing is synced or locked, and no map that fills.
  ///
  /// - Complexity: O(databases). A write that commits costs O(*n*) for each table of *n* records
  ///   that it changes.
  /// - Throws: ``StorageError/alreadyOpen(path:)`` where another environment has the disk open,
  ///   ``StorageError/missing(path:)``, ``StorageError/databaseMissing(name:)`` and
  ///   ``StorageError/databaseUnknown(missing:)`` as ``open(at:_:)`` does.
  public static func inMemory(on disk: MemoryDisk, _ options: Options = Options())
    throws(StorageError) -> Environment
  {
    try options.check()
    return Environment(try MemoryEngine(disk, options), options: options)
  }
}

extension MemoryEngine {
  /// Keeps a copy of the disk on the disk itself, under that path.
  func copy(to path: String, _ faults: (any StorageFaults)?) throws(StorageError) {
    guard disk.copy(at: path) == nil else { throw .exists(path: path) }
    try faults?.willPerform(.sync)
    let copy = disk.copied()
    disk.state.withLock { $0.copies[path] = copy }
  }

  func statistics(_ options: Environment.Options, quotaByteCount: Int) -> Environment.Statistics {
    let (transaction, pageCountMax) = disk.state.withLock { state in
      (MemoryTransaction(number: state.transaction, tables: state.tables), state.pageCountMax)
    }
    return Environment.Statistics(
      mapByteCount: options.mapByteCount, quotaByteCount: quotaByteCount,
      fileByteCount: pageCountMax * MemoryDisk.pageByteCount,
      usedByteCount: transaction.livePageCount * MemoryDisk.pageByteCount,
      pageByteCount: MemoryDisk.pageByteCount, transaction: Int(transaction.number),
      readerCountMax: options.readerCountMax)
  }

  /// Looks at every record of the last commit.
  func verify(_ progress: (_ pages: Int, _ of: Int) throws -> Void) throws -> Verification {
    let (names, tables) = disk.state.withLock { ($0.names, $0.tables) }
    var result = Verification()
    result.tables = disk.tables
    result.pageCount = MemoryTransaction(number: 0, tables: tables).livePageCount
    for (name, table) in zip(names, tables).sorted(by: { $0.0 < $1.0 }) {
      let damaged = table.damagedRecordCount
      if damaged > 0 { result.note("\(damaged) records do not fit their checksums", in: name) }
    }
    try progress(result.pageCount, result.pageCount)
    return result
  }
}
