import LMDB
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Commits that the system itself makes fail.
@Suite struct CommitFailureTests {
  /// Lets files grow to that many bytes and no further.
  static func limitFiles(to byteCount: rlim_t) {
    var limit = rlimit(rlim_cur: byteCount, rlim_max: .max)
    #if canImport(Glibc)
      let code = setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    #else
      let code = setrlimit(RLIMIT_FSIZE, &limit)
    #endif
    #expect(code == 0)
  }

  @Test func aFileThatMayNotGrowMakesACommitFailByName() async {
    await #expect(processExitsWith: .success) {
      let fixture = try Fixture()
      try fixture.environment.write { try $0.put(fixture.table, [1], [1]) }
      signal(SIGXFSZ, SIG_IGN)
      CommitFailureTests.limitFiles(to: 200_000)
      let error = #expect(throws: StorageError.self) {
        try fixture.environment.write { tx in
          try tx.put(fixture.table, [2], [UInt8](repeating: 1, count: 1_000_000))
        }
      }
      #expect(error?.code == "storage.commit_failed")
      #expect(throws: StorageError.reopenNeeded) { try fixture.environment.read { _ in } }
      CommitFailureTests.limitFiles(to: .max)
      fixture.environment.close()
      let again = try Environment.open(at: fixture.path, Fixture.options)
      let table = again.database("table")
      #expect(try again.read { try $0.entries(table, .all) } == [Entry(key: [1], value: [1])])
      try again.write { try $0.put(table, [3], [3]) }
    }
  }
}
