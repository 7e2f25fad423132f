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
    var report = IntegrityReport(try naming { try environment.verify() })
    if report.isSound { try read { $0.verify(&report) } }
    return report
  }

  /// Checks every rule that a store must obey that is not open here.
  ///
  /// The pages and records of its file are looked at before the engine sees any of them: to open a
  /// store is to read some, and damage to those can end the process. The store is opened where
  /// nothing is wrong with them.
  /// - Throws: what ``open(at:_:)`` throws.
  /// - Complexity: that of ``verify()``.
  public static func verify(at path: String, _ options: StoreOptions) throws -> IntegrityReport {
    let report = try pagesReport(at: path)
    guard report.isSound else { return report }
    let store = try open(at: path, options)
    defer { store.close() }
    return try store.verify()
  }

  /// What is wrong with the pages and records of a store's file; nothing where there is no file that
  /// could be one, which opening it tells by its own errors.
  private static func pagesReport(at path: String) throws -> IntegrityReport {
    do {
      return IntegrityReport(try Environment.verify(file: path + "/data.mdb"))
    } catch StorageError.missing, StorageError.notAnEnvironment {
      return IntegrityReport()
    } catch let error as StorageError {
      throw StoreError.storage(error)
    }
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
