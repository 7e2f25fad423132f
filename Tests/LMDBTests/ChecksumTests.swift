import TestSupport
import Testing

@testable import LMDB

@Suite struct ChecksumTests {
  static func sum(_ bytes: [UInt8]) -> UInt32 {
    var sum = Checksum()
    bytes.withUnsafeBytes { sum.add($0) }
    return sum.value
  }

  /// Examples of RFC 3720, appendix B.4, and the usual check value.
  @Test func knownSumsAreMet() {
    #expect(Self.sum(Array("123456789".utf8)) == 0xE306_9283)
    #expect(Self.sum([UInt8](repeating: 0, count: 32)) == 0x8A91_36AA)
    #expect(Self.sum([UInt8](repeating: 0xFF, count: 32)) == 0x62A8_AB43)
    #expect(Self.sum(Array(0..<32)) == 0x46DD_794E)
    #expect(Self.sum([]) == 0)
  }

  @Test func theInstructionAndTheTableAgree() {
    var random = SeededRandom()
    for length in 0..<200 {
      let bytes = (0..<length).map { _ in UInt8(random.int(0...255)) }
      let table = bytes.withUnsafeBytes { ~Checksum.advance(~0, $0) }
      #expect(Self.sum(bytes) == table)
    }
  }

  /// Where the value of a record lies in a file that holds it once.
  static func place(of value: [UInt8], in data: [UInt8]) -> Int? {
    data.indices.first { data[$0...].starts(with: value) }
  }

  @Test func everyFlippedByteOfARecordIsNamedAndNothingElseIsLost() throws {
    let fixture = try Fixture()
    let value = Array("a value that is found again".utf8)
    try fixture.environment.write { tx in
      try tx.put(fixture.table, [1], value)
      try tx.put(fixture.table, [2], [2])
    }
    fixture.environment.close()
    let whole = try fixture.data()
    let place = try #require(Self.place(of: value, in: whole))
    for offset in 0..<value.count + Checksum.byteCount {
      var damaged = whole
      damaged[place + offset] ^= 0x10
      try fixture.overwriteData(damaged)
      let environment = try Environment.open(at: fixture.path, Fixture.options)
      let table = environment.database("table")
      let corrupt = StorageError.corrupt(database: "table")
      try environment.read { (tx) throws in
        #expect(throws: corrupt) { try tx.bytes(table, [1]) }
        #expect(throws: corrupt) { _ = try tx.get(table, [1]) }
        #expect(throws: corrupt) { try tx.contains(table, [1]) }
        #expect(throws: corrupt) { try tx.entries(table, .all) }
        #expect(throws: corrupt) { try tx.first(table) }
        #expect(try tx.bytes(table, [2]) == [2])
        #expect(try tx.entries(table, .from([2])).count == 1)
      }
      // A damaged record can be put anew.
      try environment.write { tx in
        try tx.put(table, [1], value)
        #expect(try tx.bytes(table, [1]) == value)
        tx.cancel()
      }
      environment.close()
    }
  }

  @Test func aRecordWithoutRoomForItsSumIsNamed() throws {
    let fixture = try Fixture()
    let value = Array("a value that is found again".utf8)
    try fixture.environment.write { try $0.put(fixture.table, [1], value) }
    fixture.environment.close()
    var data = try fixture.data()
    let place = try #require(Self.place(of: value, in: data))
    // The record's length stands before its flags, the key's length, and the key of one byte.
    data[place - 9] = 3
    try fixture.overwriteData(data)
    let environment = try Environment.open(at: fixture.path, Fixture.options)
    #expect(throws: StorageError.corrupt(database: "table")) {
      try environment.read { try $0.bytes(environment.database("table"), [1]) }
    }
  }
}
