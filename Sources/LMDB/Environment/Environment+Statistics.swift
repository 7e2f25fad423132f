import CLMDB

extension Environment {
  /// Sizes and limits of an environment.
  public struct Statistics: Sendable, Hashable {
    /// The most the file can grow to.
    public var mapByteCount: Int
    /// The most the pages in use may take.
    public var quotaByteCount: Int
    /// What all pages ever used take; the file is at most this long and never shrinks.
    public var fileByteCount: Int
    /// What the pages in use take.
    public var usedByteCount: Int
    /// The size of a page.
    public var pageByteCount: Int
    /// The number of the last transaction that committed.
    public var transaction: Int
    /// How many readers there can be, in all processes together.
    public var readerCountMax: Int

    /// Whether four fifths of the quota are used, which is the time to say so.
    public var isNearQuota: Bool { usedByteCount >= quotaByteCount / 5 * 4 }
  }

  /// Sizes and limits as of now.
  ///
  /// - Complexity: O(databases).
  public func statistics() throws -> Statistics {
    try read { transaction in
      if let memory { return memory.statistics(options, quotaByteCount: quotaByteCount) }
      var info = unsafe MDB_envinfo()
      let code = unsafe mdb_env_info(handle, &info)
      guard code == 0 else { throw StorageError(engine: code, "ask for the sizes", limits) }
      return try unsafe Statistics(
        mapByteCount: info.me_mapsize, quotaByteCount: quotaByteCount,
        fileByteCount: (info.me_last_pgno + 1) * pageByteCount,
        usedByteCount: transaction.context.livePageCount() * pageByteCount,
        pageByteCount: pageByteCount, transaction: info.me_last_txnid,
        readerCountMax: limits.readerCountMax)
    }
  }

  /// The number of the last transaction that committed, in this process or another.
  ///
  /// It begins no transaction and waits for nobody.
  /// - Complexity: O(1), without a system call.
  /// - Throws: ``StorageError/closed``, ``StorageError/reopenNeeded``.
  public func lastTransaction() throws(StorageError) -> UInt64 {
    try enter()
    defer { leave() }
    if let memory {
      return UInt64(memory.statistics(options, quotaByteCount: quotaByteCount).transaction)
    }
    var info = unsafe MDB_envinfo()
    let code = unsafe mdb_env_info(handle, &info)
    guard code == 0 else { throw StorageError(engine: code, "ask for the sizes", limits) }
    return unsafe UInt64(info.me_last_txnid)
  }

  /// The version of the engine this program is linked to, such as "0.9.24".
  public static var engineVersion: String {
    var major: Int32 = 0
    var minor: Int32 = 0
    var patch: Int32 = 0
    _ = unsafe mdb_version(&major, &minor, &patch)
    return "\(major).\(minor).\(patch)"
  }
}
