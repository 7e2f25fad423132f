import Synchronization

/// What an environment in memory has in the place of the engine.
final class MemoryEngine: Sendable {
  let disk: MemoryDisk

  /// Takes a disk for one environment, with the databases named; those not there are made.
  init(_ disk: MemoryDisk, _ options: Environment.Options) throws(StorageError) {
    self.disk = disk
    try disk.state.withLock { state throws(StorageError) in
      if state.isOpen { throw .alreadyOpen(path: disk.name) }
      if options.readOnly, state.transaction == 0 { throw .missing(path: disk.name) }
      let missing = options.databases.filter { !state.names.contains($0) }
      if let first = missing.first {
        if options.readOnly { throw .databaseMissing(name: first) }
        let known = Set(options.databases)
        guard known.isSuperset(of: state.names) else { throw .databaseUnknown(missing: first) }
        state.names += missing
        state.tables += missing.map { _ in MemoryTable() }
        state.transaction += 1
      }
      state.isOpen = true
    }
  }

  /// The databases of those names by their places on the disk.
  func databases(_ names: [String], owner: UInt64) -> [String: Database] {
    let places = disk.state.withLock { $0.names }
    var found: [String: Database] = [:]
    for (index, name) in places.enumerated() where names.contains(name) {
      found[name] = Database(name: name, handle: UInt32(index), owner: owner)
    }
    return found
  }

  func close() {
    disk.state.withLock { $0.isOpen = false }
  }

  func beginRead(readerCountMax: Int) throws(StorageError) -> MemoryTransaction {
    try disk.state.withLock { state throws(StorageError) in
      guard state.readerCount < readerCountMax else { throw .readersFull(max: readerCountMax) }
      state.readerCount += 1
      return MemoryTransaction(number: state.transaction, tables: state.tables)
    }
  }

  func endRead() {
    disk.state.withLock { $0.readerCount -= 1 }
  }

  func beginWrite() -> MemoryTransaction {
    disk.state.withLock { MemoryTransaction(number: $0.transaction + 1, tables: $0.tables) }
  }

  func commit(_ transaction: MemoryTransaction) {
    guard transaction.isChanged else { return }
    let (number, tables) = (transaction.number, transaction.tables)
    let pageCount = transaction.livePageCount
    disk.state.withLock { state in
      state.transaction = number
      state.tables = tables
      state.pageCountMax = max(state.pageCountMax, pageCount)
    }
  }
}
