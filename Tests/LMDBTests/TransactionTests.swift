import LMDB
import Testing

@Suite struct TransactionTests {
  struct Stopped: Error {}

  @Test func whatIsPutIsReadBack() throws {
    let fixture = try Fixture()
    let table = fixture.table
    try fixture.environment.write { tx in
      try tx.put(table, [1], [10, 11])
      try tx.put(table, [2], [])
      try tx.put(table, [1], [12])
    }
    let read = try fixture.environment.read { tx in
      [try tx.bytes(table, [1]), try tx.bytes(table, [2]), try tx.bytes(table, [3])]
    }
    #expect(read == [[12], [], nil])
    #expect(try fixture.environment.read { try $0.contains(table, [2]) })
    #expect(try fixture.environment.read { try $0.contains(fixture.other, [2]) } == false)
  }

  @Test func appendingPutsWhereverTheKeyBelongs() throws {
    let fixture = try Fixture()
    let order = [5, 9, 7, 9, 1, 12].map { UInt32($0) }
    try fixture.environment.write { tx in
      for (place, number) in order.enumerated() {
        var key = KeyBuilder()
        key.append(number)
        try tx.append(fixture.table, key, [UInt8(place)])
      }
      // A full page stays full, so records added in order take half the room.
      for number in UInt32(100)..<2000 {
        var key = KeyBuilder()
        key.append(number)
        try tx.append(fixture.table, key, [UInt8](repeating: 1, count: 80))
      }
    }
    let records = try fixture.records()
    #expect(records.prefix(5).map(\.key) == [1, 5, 7, 9, 12].map { [0, 0, 0, $0] })
    #expect(records.prefix(5).map(\.value) == [[4], [0], [2], [3], [5]])
    #expect(records.count == 1905)
    let used = try fixture.environment.statistics().usedByteCount
    #expect(used < 1905 * 100 * 5 / 4)
  }

  @Test func valuesOfEverySizeComeBack() throws {
    let fixture = try Fixture()
    for size in [0, 1, 3, 2000, 4092, 4096, 70_000, 5_000_000] {
      let value = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
      try fixture.environment.write { try $0.put(fixture.table, [7], value) }
      #expect(try fixture.environment.read { try $0.bytes(fixture.table, [7]) } == value)
    }
  }

  @Test func aViewIsReadWithoutACopy() throws {
    let fixture = try Fixture()
    try fixture.environment.write { try $0.put(fixture.table, [1], [5, 6, 7]) }
    let sum = try fixture.environment.read { tx in
      guard let view = try tx.get(fixture.table, [1]) else { return 0 }
      return view.copied.reduce(0) { $0 + Int($1) }
    }
    #expect(sum == 18)
  }

  @Test func whatThrowsLeavesNothing() throws {
    let fixture = try Fixture()
    #expect(throws: Stopped.self) {
      try fixture.environment.write { tx in
        try tx.put(fixture.table, [1], [1])
        throw Stopped()
      }
    }
    #expect(try fixture.records().isEmpty)
    // The writer's place was given back.
    try fixture.environment.write { try $0.put(fixture.table, [2], [2]) }
    #expect(try fixture.records().count == 1)
  }

  @Test func whatIsCancelledLeavesNothingAndReturns() throws {
    let fixture = try Fixture()
    let seen = try fixture.environment.write { tx in
      try tx.put(fixture.table, [1], [1])
      tx.cancel()
      return try tx.bytes(fixture.table, [1])
    }
    #expect(seen == [1])
    #expect(try fixture.records().isEmpty)
  }

  @Test func aWriteSeesItsOwnChangesAndAReadInsideItDoesNot() throws {
    let fixture = try Fixture()
    let table = fixture.table
    try fixture.environment.write { tx in
      try tx.put(table, [1], [1])
      #expect(try tx.bytes(table, [1]) == [1])
      #expect(try tx.contains(table, [1]))
      #expect(try tx.count(table) == 1)
      #expect(try tx.first(table)?.value == [1])
      #expect(try tx.last(table)?.key == [1])
      #expect(try tx.reading.entries(table, .all).count == 1)
      #expect(try fixture.environment.read { try $0.count(table) } == 0)
    }
  }

  @Test func aReadKeepsItsStateWhileOthersCommit() throws {
    let fixture = try Fixture()
    let table = fixture.table
    try fixture.environment.write { try $0.put(table, [1], [1]) }
    try fixture.environment.read { tx in
      try fixture.environment.write { writing in
        try writing.put(table, [1], [2])
        try writing.put(table, [2], [2])
      }
      #expect(try tx.bytes(table, [1]) == [1])
      #expect(try tx.count(table) == 1)
    }
    #expect(try fixture.records().count == 2)
  }

  @Test func deletingSaysWhetherItWasThere() throws {
    let fixture = try Fixture()
    try fixture.environment.write { try $0.put(fixture.table, [1], [1]) }
    let found = try fixture.environment.write { tx in
      [try tx.delete(fixture.table, [1]), try tx.delete(fixture.table, [1])]
    }
    #expect(found == [true, false])
  }

  @Test func changesLastWhenItIsOpenedAnew() throws {
    let fixture = try Fixture()
    try fixture.environment.write { try $0.put(fixture.table, [1], [9]) }
    fixture.environment.close()
    let again = try Environment.open(at: fixture.path, Fixture.options)
    #expect(try again.read { try $0.bytes(again.database("table"), [1]) } == [9])
  }
}
