import LMDB
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite struct CopyTests {
  /// Opens a copy in a folder of its own and reads it.
  static func read(_ path: String, _ fixture: Fixture) throws -> [Entry] {
    let folder = fixture.beside("restored")
    #expect(mkdir(folder, 0o700) == 0)
    #expect(rename(path, folder + "/data.mdb") == 0)
    let environment = try Environment.open(at: folder, Fixture.options)
    return try environment.read { try $0.entries(environment.database("table"), .all) }
  }

  @Test func aCopyHoldsOneStateWhileOthersWrite() async throws {
    let fixture = try Fixture()
    let (environment, table) = (fixture.environment, fixture.table)
    let path = fixture.beside("copy")
    func write(_ round: UInt8) throws {
      try environment.write { tx in
        for key in UInt8(0)..<50 {
          try tx.put(table, [key], [UInt8](repeating: round, count: 3000))
        }
      }
    }
    try write(0)
    async let writer: Void = Task {
      for round in UInt8(1)...60 { try write(round) }
    }.value
    try environment.copy(to: path)
    try await writer
    let records = try Self.read(path, fixture)
    #expect(records.count == 50)
    // All records are of one round.
    #expect(Set(records.map(\.value)).count == 1)
  }

  @Test func aCopyOverwritesNothing() throws {
    let fixture = try Fixture()
    try fixture.folder.write([1, 2, 3], to: "copy")
    #expect(throws: StorageError.exists(path: fixture.beside("copy"))) {
      try fixture.environment.copy(to: fixture.beside("copy"))
    }
    #expect(try fixture.folder.bytes(of: "copy") == [1, 2, 3])
  }

  @Test func aFailedCopyLeavesNothing() throws {
    let faults = Faults()
    let fixture = try Fixture { $0.faults = faults }
    let path = fixture.beside("copy")
    for count in 0..<2 {
      faults.fail(.sync, after: count)
      #expect(throws: Faults.error) { try fixture.environment.copy(to: path) }
      #expect(!isThere(path) && !isThere(path + ".partial"))
    }
    let nowhere = #expect(throws: StorageError.self) {
      try fixture.environment.copy(to: fixture.beside("missing/copy"))
    }
    #expect(nowhere?.code == "storage.system")
    try fixture.environment.copy(to: path)
    #expect(mode(path) == 0o600)
  }

  @Test func whatAKilledCopyLeftIsCleared() throws {
    let fixture = try Fixture()
    try fixture.environment.write { try $0.put(fixture.table, [1], [1]) }
    try fixture.folder.write([1], to: "copy.partial")
    try fixture.environment.copy(to: fixture.beside("copy"))
    #expect(!isThere(fixture.beside("copy.partial")))
    #expect(try Self.read(fixture.beside("copy"), fixture).count == 1)
  }
}
