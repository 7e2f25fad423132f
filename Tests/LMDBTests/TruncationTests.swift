import LMDB
import TestSupport
import Testing

@Suite struct TruncationTests {
  /// A store whose file has no page to spare at its end.
  static func filled() throws -> Fixture {
    let fixture = try Fixture()
    try fixture.environment.write { tx in
      for number in UInt32(0)..<100 {
        var key = KeyBuilder()
        key.append(number)
        try tx.put(fixture.table, key, [UInt8](repeating: 1, count: 200))
      }
    }
    fixture.environment.close()
    return fixture
  }

  @Test func aFileThatWasCutOffIsRefused() throws {
    let fixture = try Self.filled()
    let whole = try fixture.data()
    let lengths =
      [0, 1, 15, 16, 151, 152, 4095, 4096, 4097, 4247, 4248, 8191, 8192]
      + stride(from: 12288, to: whole.count, by: 4096)
      + [whole.count - 4097, whole.count - 1]
    for length in lengths {
      try fixture.overwriteData(Array(whole[..<length]))
      let error = #expect(throws: StorageError.self) {
        try Environment.open(at: fixture.path, Fixture.options)
      }
      #expect(error?.code == "storage.file_truncated", "\(length) bytes of \(whole.count)")
    }
    try fixture.overwriteData(whole)
    let again = try Environment.open(at: fixture.path, Fixture.options)
    #expect(try again.read { try $0.count(again.database("table")) } == 100)
  }

  /// The engine never writes pages taken and given back in one transaction, so a sound file may end
  /// before its last page.
  @Test func aSoundFileThatIsShorterThanItsPagesOpens() throws {
    let fixture = try Fixture()
    let large = [UInt8](repeating: 1, count: 1_000_000)
    for round in UInt8(0)..<3 {
      try fixture.environment.write { tx in
        try tx.put(fixture.table, [round], [round])
        try tx.put(fixture.table, [100], large)
        try tx.put(fixture.table, [101], large)
        try tx.delete(fixture.table, [101])
        try tx.delete(fixture.table, [100])
      }
    }
    let pages = try fixture.environment.statistics().fileByteCount
    fixture.environment.close()
    try #require(byteCount(fixture.dataFile) < pages)
    let again = try Environment.open(at: fixture.path, Fixture.options)
    #expect(try again.read { try $0.count(again.database("table")) } == 3)
    try again.copy(to: fixture.beside("copy"))
    again.close()
    // The same file with a page less is not sound: that page holds something.
    let whole = try fixture.data()
    try fixture.overwriteData(Array(whole.dropLast(4096)))
    let error = #expect(throws: StorageError.self) {
      try Environment.open(at: fixture.path, Fixture.options)
    }
    #expect(error?.code == "storage.file_truncated")
  }

  @Test func aFileOfAnotherKindIsRefused() throws {
    let folder = try TemporaryFolder("lmdb")
    try folder.write(
      Array("SQLite format 3\0".utf8) + [UInt8](repeating: 7, count: 9000), to: "data.mdb")
    #expect(throws: StorageError.notAnEnvironment(path: folder.path + "/data.mdb")) {
      try Environment.open(at: folder.path, Fixture.options)
    }
  }
}
