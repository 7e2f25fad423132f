import LMDB
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite struct FolderLockTests {
  static let wait = Duration.milliseconds(50)

  static func holder(_ error: StorageError?) -> String? {
    guard case .locked(_, let holder) = error else { return nil }
    return holder
  }

  @Test func sharedHoldsGoTogetherAndKeepAnExclusiveOneOut() throws {
    let folder = try TemporaryFolder("lmdb")
    let one = try FolderLock(folder.path, .shared, wait: Self.wait, label: "first")
    let two = try FolderLock(folder.path, .shared, wait: Self.wait, label: "second")
    let error = #expect(throws: StorageError.self) {
      try FolderLock(folder.path, .exclusive, wait: Self.wait)
    }
    #expect(Self.holder(error) == "first (process \(getpid())), second (process \(getpid()))")
    withExtendedLifetime((one, two)) {}
  }

  @Test func anExclusiveHoldKeepsAllOthersOutAndEndsWithItsValue() throws {
    let folder = try TemporaryFolder("lmdb")
    do {
      let one = try FolderLock(folder.path, .exclusive, wait: Self.wait, label: "restore")
      for mode in [FolderLock.Mode.shared, .exclusive] {
        let error = #expect(throws: StorageError.self) {
          try FolderLock(folder.path, mode, wait: Self.wait)
        }
        #expect(Self.holder(error) == "restore (process \(getpid()))")
      }
      withExtendedLifetime(one) {}
    }
    // A process that another test is just starting may have the lock until it runs its program.
    _ = try FolderLock(folder.path, .exclusive, wait: .seconds(20))
  }

  @Test func aHoldThatIsGivenUpInTimeIsTaken() async throws {
    let folder = try TemporaryFolder("lmdb")
    let path = folder.path
    let one = try FolderLock(path, .shared, wait: Self.wait)
    async let second = FolderLock(path, .exclusive, wait: .seconds(120))
    try await Task.sleep(for: .milliseconds(60))
    withExtendedLifetime(one) {}
    _ = consume one
    _ = try await second
  }

  @Test func manyHoldersAreCountedAndNamesAreCleaned() throws {
    let folder = try TemporaryFolder("lmdb")
    let holds = try (1...5).map {
      try FolderLock(folder.path, .shared, wait: Self.wait, label: "p\u{1B}[1m\n\($0)")
    }
    let error = #expect(throws: StorageError.self) {
      try FolderLock(folder.path, .exclusive, wait: Self.wait)
    }
    let names = (1...3).map { "p[1m\($0) (process \(getpid()))" }.joined(separator: ", ")
    #expect(Self.holder(error) == names + " and 2 more")
    withExtendedLifetime(holds) {}
    let long = try FolderLock(
      folder.path, .shared, wait: Self.wait, label: String(repeating: "\u{E9}", count: 500))
    withExtendedLifetime(long) {}
    let text = try folder.text(of: FolderLock.fileName)
    #expect(text.utf8.count % 128 == 0)
    #expect(!text.contains("\u{FFFD}"))
  }

  @Test func anEnvironmentOfAnotherProcessIsNamed() async throws {
    let fixture = try Fixture { $0.applicationLabel = "the tests" }
    let expected = "the tests (process \(getpid()))"
    await #expect(processExitsWith: .success) {
      [path = fixture.path as String, expected = expected as String] in
      var options = Fixture.options
      // Together is fine, alone is not.
      try Environment.open(at: path, options).close()
      options.exclusive = true
      #expect(throws: StorageError.locked(path: path, holder: expected)) {
        try Environment.open(at: path, options)
      }
    }
    fixture.environment.close()
    await #expect(processExitsWith: .success) { [path = fixture.path as String] in
      var options = Fixture.options
      options.exclusive = true
      try Environment.open(at: path, options).close()
    }
  }

  @Test func aProcessThatIsKilledHoldsNothing() async throws {
    let folder = try TemporaryFolder("lmdb")
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.path as String] in
      let lock = try FolderLock(path, .exclusive, label: "killed")
      kill(getpid(), SIGKILL)
      withExtendedLifetime(lock) {}
    }
    let lock = try FolderLock(folder.path, .exclusive, wait: .seconds(20), label: "next")
    #expect(try folder.text(of: FolderLock.fileName).hasPrefix("\(getpid()) next"))
    withExtendedLifetime(lock) {}
  }

  @Test func theUsualWaitIsFiveSeconds() {
    #expect(Environment.Options().lockWait == .seconds(5))
  }
}
