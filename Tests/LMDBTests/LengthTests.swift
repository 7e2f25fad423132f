import TestSupport
import Testing

@testable import LMDB

/// Records whose lengths are damaged, so that they lead out of the file: read without a check of the
/// file, they are errors with a name and no signals.
@Suite struct LengthTests {
  /// Where the head of a record on a leaf is, before its key: the value's length in four bytes, its
  /// kind in two, and the key's length in two.
  private struct Place {
    var head: Int
    var data: [UInt8]
  }

  private static let key = Array("the key that is found again".utf8)
  private static let small = Array("a value on a leaf".utf8)
  private static let large = [UInt8](repeating: 0x5A, count: 9_000)
  private static let corrupt = StorageError.corrupt(database: "table")

  /// Makes a file with that record, the last page of which is near the leaf.
  private func fixture(_ value: [UInt8]) throws -> (Fixture, Place) {
    let fixture = try Fixture()
    try fixture.environment.write { tx in
      try tx.put(fixture.table, Self.key, value)
      try tx.put(fixture.table, [1], [1])
    }
    fixture.environment.close()
    let data = try fixture.data()
    // The leaf of the commit is behind all others that have the key.
    let key = try #require(ChecksumTests.place(of: Self.key, in: data))
    return (fixture, Place(head: key - 8, data: data))
  }

  /// Reads the record in every way there is; each of them fails, or finds no such key.
  private func expectNamed(_ table: Database, _ tx: borrowing ReadTransaction) throws {
    for _ in 0..<2 {
      #expect(throws: Self.corrupt) { try tx.bytes(table, Self.key) }
      #expect(throws: Self.corrupt) { try tx.contains(table, Self.key) }
      #expect(throws: Self.corrupt) { try tx.entries(table, .all) }
      #expect(throws: Self.corrupt) { try tx.entries(table, .all, .descending) }
      #expect(throws: Self.corrupt) { try tx.last(table) }
      #expect(throws: Self.corrupt) { try tx.first(table, in: .prefix(Self.key)) }
    }
  }

  @Test(arguments: [true, false], 0..<32) func aDamagedLengthOfAValueIsNamed(
    isSmall: Bool, bit: Int
  ) throws {
    var (fixture, place) = try fixture(isSmall ? Self.small : Self.large)
    place.data[place.head + bit / 8] ^= 1 << UInt8(bit % 8)
    try fixture.overwriteData(place.data)
    let environment = try Environment.open(at: fixture.path, Fixture.options)
    let table = environment.database("table")
    try environment.read { try expectNamed(table, $0) }
    // A page that a write has changed takes the damage with it.
    try environment.write { tx in
      try tx.put(table, [2], [2])
      try expectNamed(table, tx.reading)
      tx.cancel()
    }
    environment.close()
  }

  /// Bytes of a record may look like the head of a page, which then seems to end within another.
  @Test func aPageThatIsTakenToEndTooSoonIsLookedForAgain() throws {
    let fixture = try Fixture()
    let (pages, byteCount) = (fixture.environment, fixture.environment.pageByteCount)
    var isFound = false
    try fixture.environment.write { tx in
      try tx.put(fixture.table, Self.key, Self.small)
      if let value = try tx.reading.get(fixture.table, Self.key) {
        value.withUnsafeBytes { bytes in
          guard let start = bytes.baseAddress else { return }
          isFound = true
          pages.writtenPages.note(start - byteCount + 4, behind: start, of: byteCount)
        }
      }
      #expect(try tx.reading.bytes(fixture.table, Self.key) == Self.small)
    }
    #expect(isFound)
  }

  @Test(arguments: [(upper: UInt16(3_000), other: UInt16(3_000)), (upper: 64, other: 40)])
  func aHeadOfWhichNotAllFitsIsNotTaken(upper: UInt16, other: UInt16) {
    let page = UnsafeMutableRawBufferPointer.allocate(byteCount: 4_096, alignment: 16)
    defer { page.deallocate() }
    func putHead(at place: Int, upper: UInt16, _ nodes: [UInt16]) {
      let fields = [WrittenPage.flag | TreePage.leafFlag, UInt16(16 + 2 * nodes.count), upper]
      for (number, field) in (fields + nodes).enumerated() {
        page.storeBytes(of: field, toByteOffset: place + 10 + 2 * number, as: UInt16.self)
      }
    }
    page.initializeMemory(as: UInt8.self, repeating: 0)
    // A record at 2,000 with a key of 5 bytes, and before it what looks like a head that names it, too.
    putHead(at: 0, upper: 2_000, [2_000])
    page.storeBytes(of: 5, toByteOffset: 2_006, as: UInt16.self)
    putHead(at: 1_024, upper: upper, [other, 2_000 - 1_024])
    for place in [2_008, 2_013] {
      let field = UnsafeRawPointer(page.baseAddress! + place)
      #expect(WrittenPage.start(behind: field, of: 4_096) == UnsafeRawPointer(page.baseAddress!))
    }
  }

  /// Many a record has bytes of heads in it, which name what stands behind them; all are read, whatever
  /// pages they come to be on.
  @Test func recordsThatLookLikeHeadsAreRead() throws {
    var random = SeededRandom()
    let head: [UInt8] = [0, 0, 0x12, 0, 0x80, 0, 0x80, 0]
    for _ in 0..<8 {
      let fixture = try Fixture()
      var records: [[UInt8]: [UInt8]] = [:]
      try fixture.environment.write { tx in
        for number in 0..<400 {
          let key = [UInt8(random.int(0...255)), UInt8(random.int(0...1))]
          var value = [UInt8](repeating: 0, count: random.int(0...15))
          for _ in 0..<random.int(0...5) {
            value += [UInt8](repeating: 0, count: 8) + head
            for _ in 0..<56 {
              let place = random.int(128...4095)
              value += [UInt8(place & 0xFF), UInt8(place >> 8)]
            }
          }
          try tx.put(fixture.table, key, value)
          records[key] = value
          guard number % 8 == 0 else { continue }
          for (key, value) in records { #expect(try tx.bytes(fixture.table, key) == value) }
        }
      }
      #expect(try fixture.records().count == records.count)
    }
  }

  /// Where the value has pages of its own the engine itself looks for their number behind the key,
  /// and ends there.
  @Test(arguments: 0..<16) func aDamagedLengthOfAKeyIsNamed(bit: Int) throws {
    var (fixture, place) = try fixture(Self.small)
    place.data[place.head + 6 + bit / 8] ^= 1 << UInt8(bit % 8)
    try fixture.overwriteData(place.data)
    let environment = try Environment.open(at: fixture.path, Fixture.options)
    let table = environment.database("table")
    try environment.read { (tx) throws in
      #expect(throws: StorageError.self) { try tx.entries(table, .all) }
      #expect(throws: StorageError.self) { try tx.last(table) }
    }
    environment.close()
  }

  @Test(arguments: 0..<48) func aDamagedNumberOfAValuesPageIsNamed(bit: Int) throws {
    var (fixture, place) = try fixture(Self.large)
    place.data[place.head + 8 + Self.key.count + bit / 8] ^= 1 << UInt8(bit % 8)
    try fixture.overwriteData(place.data)
    let environment = try Environment.open(at: fixture.path, Fixture.options)
    let table = environment.database("table")
    try environment.read { (tx) throws in
      #expect(throws: StorageError.self) { try tx.bytes(table, Self.key) }
      #expect(throws: StorageError.self) { try tx.entries(table, .all) }
    }
    environment.close()
  }

  /// Of what is sound nothing is refused, on whatever pages it is, in the write and after it.
  @Test func recordsOfEveryLengthAreRead() throws {
    let fixture = try Fixture()
    let lengths =
      [0, 1, 1_400, 1_900, 1_990, 2_000, 2_010, 2_020, 2_030, 2_035, 2_040, 2_044, 2_050]
      + [4_060, 4_076, 4_077, 4_080, 4_081, 4_092, 4_096, 8_100, 8_172, 8_173, 70_000, 3_000_000]
    for (number, length) in lengths.enumerated() {
      for keyLength in [1, 2, 9, 40, 511] {
        let key = [UInt8](repeating: UInt8(number), count: keyLength)
        let value = [UInt8](repeating: UInt8(keyLength & 0xFF), count: length)
        try fixture.environment.write { tx in
          try tx.put(fixture.table, key, value)
          #expect(try tx.bytes(fixture.table, key) == value)
          #expect(try tx.first(fixture.table, in: .prefix(key))?.value == value)
        }
        try fixture.environment.read { (tx) throws in
          #expect(try tx.bytes(fixture.table, key) == value)
          #expect(try tx.first(fixture.table, in: .prefix(key))?.value == value)
        }
      }
    }
    #expect(try fixture.records().count == lengths.count * 5)
  }

  /// The engine leaves it the pages that it had.
  @Test func aValueThatGotSmallerIsRead() throws {
    let fixture = try Fixture()
    for length in [9_000, 12, 0] {
      let value = [UInt8](repeating: 3, count: length)
      try fixture.environment.write { tx in
        try tx.put(fixture.table, Self.key, value)
        #expect(try tx.bytes(fixture.table, Self.key) == value)
      }
    }
  }

  private static func key(_ number: Int) -> KeyBuilder {
    var key = KeyBuilder()
    key.append(UInt32(number))
    return key
  }

  /// A write of which not all fits into memory lets the engine write pages before it commits.
  @Test func recordsOfALargeWriteAreRead() throws {
    var options = Fixture.options
    options.mapByteCount = 1 << 30
    let folder = try TemporaryFolder("lengths")
    let environment = try Environment.open(at: folder.path + "/store", options)
    let table = environment.database("table")
    try environment.write { tx in
      for number in 0..<160_000 {
        try tx.put(table, Self.key(number), [UInt8](repeating: 7, count: 1_700))
      }
      for number in stride(from: 0, to: 160_000, by: 97) {
        #expect(try tx.bytes(table, Self.key(number))?.count == 1_700)
      }
      tx.cancel()
    }
    environment.close()
  }
}
