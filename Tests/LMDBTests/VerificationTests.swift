import LMDB
import TestSupport
import Testing

@Suite struct VerificationTests {
  /// A store with branches, large values and free pages, closed.
  static func filled() throws -> Fixture {
    let fixture = try Fixture()
    for round in UInt8(0)..<2 {
      try fixture.environment.write { tx in
        for number in UInt16(0)..<300 {
          var key = KeyBuilder()
          key.append(number)
          let size = number % 50 == 0 ? 9000 : 100
          try tx.put(fixture.table, key, [UInt8](repeating: round, count: size))
        }
        try tx.deleteAll(fixture.table, in: .upTo([0, 20]))
        try tx.put(fixture.other, [1], [1])
      }
    }
    return fixture
  }

  @Test func aSoundStoreIsFoundSoundWhileItIsWrittenTo() async throws {
    let fixture = try Self.filled()
    let (environment, table) = (fixture.environment, fixture.table)
    async let writer: Void = Task {
      for round in UInt8(0)..<40 {
        try environment.write { try $0.put(table, [9, round], [UInt8](repeating: 1, count: 500)) }
      }
    }.value
    for _ in 0..<10 {
      var last = 0
      let found = try environment.verify { pages, count in
        #expect(pages >= last && pages <= count)
        last = pages
      }
      #expect(found.damages == [])
      #expect(found.lostPageCount == 0)
      #expect(found.tables.map(\.name) == ["other", "table"])
      #expect(found.tables[0].recordCount == 1)
      #expect(found.tables[1].recordCount >= 280)
    }
    try await writer
    try environment.copy(to: fixture.beside("copy"))
    #expect(try Environment.verify(file: fixture.beside("copy")).isSound)
  }

  @Test func theLookEndsWhereItIsTold() throws {
    struct Enough: Error {}
    let fixture = try Self.filled()
    #expect(throws: Enough.self) { try fixture.environment.verify { _, _ in throw Enough() } }
  }

  @Test func aFileThatIsMissingIsNamed() throws {
    #expect(throws: StorageError.missing(path: "/nowhere/data.mdb")) {
      try Environment.verify(file: "/nowhere/data.mdb")
    }
  }

  /// Every flipped byte is found or lies in a page that is free, in the unused middle of a page or
  /// in a field that nothing depends on; none ends the process.
  @Test func flippedBytesOfRecordsAndTreesAreFound() async {
    await #expect(processExitsWith: .success) {
      var random = SeededRandom("flippedBytesOfRecordsAndTreesAreFound")
      let fixture = try VerificationTests.filled()
      let records = try fixture.records()
      fixture.environment.close()
      let whole = try fixture.data()
      var found = 0
      var flips = 0
      // More than a quarter are found, in the long run.
      while flips < 500 || (found <= 100 && flips < 5_000) {
        flips += 1
        let place = random.int(0...whole.count - 1)
        fixture.overwriteData(at: place, whole[place] ^ UInt8(1 << random.int(0...7)))
        defer { fixture.overwriteData(at: place, whole[place]) }
        do {
          let result = try Environment.verify(file: fixture.dataFile)
          guard result.isSound else {
            found += 1
            continue
          }
          // What is called sound reads as it did before.
          let environment = try Environment.open(at: fixture.path, Fixture.options)
          let table = environment.database("table")
          try environment.read { (tx) throws in
            #expect(try tx.entries(table, .all) == records, "byte \(place)")
            for record in records { #expect(try tx.bytes(table, record.key) == record.value) }
          }
        } catch is StorageError {
          found += 1
        }
      }
      #expect(found > 100)
    }
  }
}
