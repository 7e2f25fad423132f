internal import FolioSystem
internal import LMDB

extension Store {
  /// Checks every rule that the store must obey, and names each problem.
  ///
  /// First each page and record is looked at without the engine, which damage could bring down. What
  /// records mean is checked where that finds nothing wrong. Other transactions go on meanwhile.
  /// - Throws: ``StoreError/storage(_:)`` where the store cannot be read at all.
  /// - Complexity: O(size of the store), and O(slots x assets) for the snapshots.
  public func verify() throws -> IntegrityReport {
    let found = try naming { try environment.verify() }
    var report = IntegrityReport()
    report.checkedCount = found.tables.reduce(0) { $0 + $1.recordCount }
    for damage in found.damages {
      report.add(
        damage.isOfRecords ? .damagedRecord : .damagedPages, damage.table ?? "", damage.what)
    }
    if !report.isSound { return report }
    try read { $0.verify(&report) }
    return report
  }

  /// Writes a copy of the store, as it is at one moment, into a file that must not be there.
  ///
  /// Other transactions go on meanwhile. The copy has mode 0600 and is on disk when this returns; it
  /// is left out where it fails.
  /// - Throws: ``StoreError/storage(_:)``.
  /// - Complexity: O(size of the store).
  public func backUp(to path: String) throws {
    try naming { try environment.copy(to: path) }
  }

  /// Makes a store in an empty or absent folder from a backup file, checked and marked as that.
  ///
  /// Until it is told otherwise, the store counts as one whose making has not ended.
  /// - Throws: ``StoreError/folderNotEmpty(path:)``, ``StoreError/backupDamaged(path:problemCount:)``
  ///   where a rule of a store is broken in it, ``StoreError/restoreUnfinished`` where it is one of a
  ///   store that was not whole, what ``open(at:_:)`` throws, and errors of the system. What was
  ///   written into the folder by then stays.
  /// - Complexity: that of ``verify()``.
  public static func create(
    at path: String, fromBackup file: String, _ options: StoreOptions
  ) throws -> Store {
    guard try StorePlace.folder(path).isFree() else { throw StoreError.folderNotEmpty(path: path) }
    try checkPages(of: file)
    try Files.makeFolder(path)
    try Files.removeFile(path + "/data.mdb")
    // Its own name it gets when it is whole.
    let partial = path + "/partial.mdb"
    try Files.removeFile(partial)
    try Files.copy(file, to: partial)
    try Files.rename(partial, to: path + "/data.mdb")
    try Files.syncFolder(path)
    let store = try open(at: path, options)
    do {
      let report = try store.verify()
      guard report.isSound else {
        throw StoreError.backupDamaged(path: file, problemCount: report.problems.count)
      }
      if try store.read({ try $0.status() }).isRestoring { throw StoreError.restoreUnfinished }
      try store.write { transaction in
        try transaction.setRestoredBackup(true)
        try transaction.setRestoring(true)
      }
      return store
    } catch {
      store.close()
      throw error
    }
  }

  private static func checkPages(of file: String) throws {
    do {
      let found = try Environment.verify(file: file)
      guard found.damages.isEmpty else {
        throw StoreError.backupDamaged(path: file, problemCount: found.damages.count)
      }
    } catch let error as StorageError {
      throw StoreError.storage(error)
    }
  }

  /// How much room the store takes.
  public func size() throws -> StoreSize {
    let statistics = try naming { try environment.statistics() }
    return StoreSize(
      fileByteCount: statistics.fileByteCount, usedByteCount: statistics.usedByteCount,
      quotaByteCount: statistics.quotaByteCount)
  }
}

/// How much room a store takes.
public struct StoreSize: Hashable, Sendable {
  /// The length of its file, which never shrinks.
  public var fileByteCount: Int
  /// What is in use of it.
  public var usedByteCount: Int
  /// How much may be in use before more is refused.
  public var quotaByteCount: Int

  /// Whether four fifths of the quota are used.
  public var isNearlyFull: Bool { usedByteCount >= quotaByteCount / 5 * 4 }
}
