import LMDB
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The umask belongs to the process, so each of these runs in one of its own.
@Suite struct ModeTests {
  static let files = ["data.mdb", "lock.mdb", FolderLock.fileName]

  /// Makes a store and a copy under a umask and looks at every mode.
  static func expectPrivate(umask mask: mode_t) throws {
    let folder = try TemporaryFolder("lmdb")
    umask(mask)
    let environment = try Environment.open(at: folder.path + "/a/store", Fixture.options)
    try environment.write { try $0.put(environment.database("table"), [1], [1]) }
    try environment.copy(to: folder.path + "/a/copy")
    #expect(mode(folder.path + "/a") == 0o700)
    #expect(mode(folder.path + "/a/store") == 0o700)
    for file in files { #expect(mode(folder.path + "/a/store/" + file) == 0o600) }
    #expect(mode(folder.path + "/a/copy") == 0o600)
  }

  @Test func filesArePrivateWhereTheUmaskTakesNothing() async {
    await #expect(processExitsWith: .success) { try ModeTests.expectPrivate(umask: 0) }
  }

  @Test func filesAreTheirOwnersWhereTheUmaskTakesAll() async {
    await #expect(processExitsWith: .success) { try ModeTests.expectPrivate(umask: 0o777) }
  }

  @Test func rightsThatOthersHadAreTaken() throws {
    let fixture = try Fixture()
    fixture.environment.close()
    for file in Self.files { #expect(chmod(fixture.path + "/" + file, 0o644) == 0) }
    _ = try Environment.open(at: fixture.path, Fixture.options)
    for file in Self.files { #expect(mode(fixture.path + "/" + file) == 0o600) }
  }
}
