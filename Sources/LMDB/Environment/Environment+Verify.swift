import CLMDB

extension Environment {
  /// Looks at every page and every record of the last commit, without the engine.
  ///
  /// Read by calls and not from the map, so that no damage can end or hang the process. Others may
  /// go on reading and writing.
  ///
  /// - Parameter progress: Called now and then with how many pages of how many were looked at; what
  ///   it throws ends the look.
  /// - Complexity: O(*n*) for a file of *n* bytes.
  /// - Throws: errors of the head of the file, as ``open(at:_:)`` does, of the system, and what
  ///   `progress` throws. All other damage is in what is returned.
  public func verify(
    _ progress: (_ pages: Int, _ of: Int) throws -> Void = { _, _ in }
  ) throws -> Verification {
    if let memory { return try memory.verify(progress) }
    let file = try DataFile(EnvironmentFiles(folder: path, faults: nil).data)
    // The reader keeps the pages of its state from being used anew; its state is the newest one as
    // long as nobody commits between the two lines.
    for _ in 0..<1000 {
      let found: Verification? = try read { reader in
        let meta = try file.newest()
        guard meta.transaction == reader.context.transaction else { return nil }
        return try file.verify(meta) { try progress($0, meta.lastPage + 1) }
      }
      if let found { return found }
    }
    throw StorageError.engine(operation: "verify", code: MDB_BAD_TXN)
  }

  /// Looks at every page and every record of a data file that this process does not have open, such
  /// as a copy, or one whose damage is not to meet the engine.
  ///
  /// Another process may commit meanwhile: what is found wrong then is looked at anew, ten times at
  /// most.
  ///
  /// - Complexity: O(*n*) for a file of *n* bytes.
  /// - Throws: as the same of an open environment does.
  public static func verify(
    file path: String, _ progress: (_ pages: Int, _ of: Int) throws -> Void = { _, _ in }
  ) throws -> Verification {
    guard try System.exists(path) else { throw StorageError.missing(path: path) }
    let file = try DataFile(path)
    for _ in 0..<10 {
      let meta = try file.check()
      let found = try file.verify(meta) { try progress($0, meta.lastPage + 1) }
      if try found.isSound || file.newest().transaction == meta.transaction { return found }
    }
    throw StorageError.engine(operation: "verify", code: MDB_BAD_TXN)
  }
}
