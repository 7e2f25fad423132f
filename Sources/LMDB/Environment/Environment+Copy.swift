import CLMDB
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension Environment {
  /// Writes a copy of the data file, one state of it, to a new file of mode 0600.
  ///
  /// The copy is written under another name, synced, checked, and then given its own name, which is
  /// synced too: a file of that name is a whole copy. To open it, put it into a folder of its own
  /// as `data.mdb`. Writers wait only while its head is read; pages freed meanwhile are not reused.
  ///
  /// - Complexity: O(*n*) for a file of *n* bytes.
  /// - Throws: ``StorageError/exists(path:)`` where `path` is taken, ``StorageError/nestedWrite``
  ///   inside a write of the same thread, and errors of the system; no file is left then.
  ///
  /// An environment in memory makes no file: ``MemoryDisk/copy(at:)`` has the copy.
  public func copy(to path: String) throws(StorageError) {
    // The engine takes the writer's place for a moment.
    if isWriting { throw .nestedWrite }
    try enter()
    defer { leave() }
    if let memory { return try memory.copy(to: path, faults) }
    guard try System.identity(path) == nil else { throw .exists(path: path) }
    let partial = path + ".partial"
    System.remove(partial)
    defer { System.remove(partial) }
    let file = try System.open(partial, O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
    try file.setMode(0o600)
    let code = unsafe mdb_env_copyfd2(handle, file.number, 0)
    guard code == 0 else {
      if code > 0 { throw .system(operation: "copy to", path: path, number: code) }
      throw StorageError(engine: code, "copy to \(path)", limits)
    }
    try faults?.willPerform(.sync)
    try file.sync()
    _ = try DataFile(partial).check()
    try System.renameKeeping(partial, to: path)
    do throws(StorageError) {
      try faults?.willPerform(.sync)
      try System.syncFolder(System.folder(of: path))
    } catch {
      System.remove(path)
      throw error
    }
  }
}
