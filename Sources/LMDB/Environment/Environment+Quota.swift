import CLMDB

extension Environment {
  /// How many bytes may be put before the pages in use have to be counted, by the size of the file:
  /// as long as all pages ever used are below the quota, the live ones are too.
  func roomByFileSize() -> Int {
    if let memory {
      return quotaByteCount - memory.statistics(options, quotaByteCount: 0).usedByteCount
    }
    var info = unsafe MDB_envinfo()
    guard unsafe mdb_env_info(handle, &info) == 0 else { return 0 }
    return unsafe quotaByteCount - (info.me_last_pgno + 1) * pageByteCount
  }

  /// How many bytes may be put with that many pages in use.
  func room(livePages: Int) -> Int {
    quotaByteCount - livePages * pageByteCount
  }
}
