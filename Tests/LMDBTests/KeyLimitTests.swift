import LMDB
import Testing

@Suite struct KeyLimitTests {
  static let longest = [UInt8](repeating: 0xFF, count: 511)

  @Test func keysHaveOneTo511BytesF42() throws {
    let fixture = try Fixture()
    let table = fixture.table
    let tooLong = StorageError.keyTooLong(byteCount: 512, max: 511)
    try fixture.environment.write { tx in
      try tx.put(table, [0], [1])
      try tx.put(table, Self.longest, [2])
      #expect(throws: StorageError.emptyKey) { try tx.put(table, [], [1]) }
      #expect(throws: tooLong) { try tx.put(table, Self.longest + [0], [1]) }
      #expect(throws: StorageError.emptyKey) { try tx.delete(table, []) }
      #expect(throws: tooLong) { try tx.delete(table, Self.longest + [0]) }
    }
    // None of the refusals ended the transaction.
    #expect(try fixture.records().map(\.key.count) == [1, 511])
    try fixture.environment.read { (tx) throws in
      #expect(try tx.bytes(table, Self.longest) == [2])
      #expect(throws: StorageError.emptyKey) { try tx.bytes(table, []) }
      #expect(throws: tooLong) { try tx.bytes(table, Self.longest + [0]) }
    }
  }

  @Test func boundsOfRangesMayBeLongerThanKeysF42() throws {
    let fixture = try Fixture()
    try fixture.environment.write { tx in
      try tx.put(fixture.table, Self.longest, [])
      try tx.put(fixture.table, [1], [])
    }
    try fixture.environment.read { (tx) throws in
      let after = KeyRange.all.resuming(after: Self.longest)
      #expect(try tx.count(fixture.table, in: after) == 0)
      #expect(try tx.entries(fixture.table, after, .descending).isEmpty)
      #expect(try tx.count(fixture.table, in: .upTo(Self.longest + [0])) == 2)
      #expect(try tx.entries(fixture.table, .upTo(Self.longest + [0]), .descending).count == 2)
    }
  }

  @Test func namesOfTablesAreChecked() throws {
    let bad = ["", "a b", "gr\u{FC}n", "a\0b", String(repeating: "a", count: 512)]
    for name in bad {
      let error = #expect(throws: StorageError.self) {
        try Fixture { $0.databases = ["table", "other", name] }
      }
      #expect(error?.code == "storage.invalid_option")
    }
    _ = try Fixture { $0.databases.append(String(repeating: "a", count: 511)) }
  }
}
