import LMDB
import TestSupport
import Testing

@Suite struct DamagedHeadTests {
  /// What no reader of the page looks at: the padding and the bounds in the page's header, the size
  /// of the map, and one flag (0x4000 of the free list).
  static func isUnused(_ offset: Int, bit: Int) -> Bool {
    switch offset {
    case 8, 9, 12...15, 32...39: true
    case 45: bit == 6
    default: false
    }
  }

  /// What is only held against the file in the page of the last commit: the trees and the last
  /// page.
  static func isOfNewest(_ offset: Int) -> Bool {
    switch offset {
    case 46...87, 94...143: true
    default: false
    }
  }

  static let codes: Set = [
    "storage.meta_page_damaged", "storage.not_an_environment", "storage.file_truncated",
  ]

  /// In a process of its own, which a flip that gets through may end.
  @Test func everyFlippedBitOfAMetaPageIsRefusedOrHarmless() async {
    await #expect(processExitsWith: .success) {
      let fixture = try TruncationTests.filled()
      let whole = try fixture.data()
      let newest = whole[144] > whole[4096 + 144] ? 0 : 4096
      var refused = 0
      for (page, offset) in [0, 4096].flatMap({ page in (0..<152).map { (page, $0) } }) {
        for bit in 0..<8 {
          let place = page + offset
          fixture.overwriteData(at: place, whole[place] ^ 1 << UInt8(bit))
          defer { fixture.overwriteData(at: place, whole[place]) }
          do {
            let environment = try Environment.open(at: fixture.path, Fixture.options)
            let isHarmless =
              DamagedHeadTests.isUnused(offset, bit: bit)
              || page != newest && DamagedHeadTests.isOfNewest(offset)
            #expect(isHarmless, "byte \(page + offset), bit \(bit)")
            let table = environment.database("table")
            #expect(try environment.read { try $0.entries(table, .all).count } == 100)
          } catch let error as StorageError {
            refused += 1
            #expect(DamagedHeadTests.codes.contains(error.code), "\(error)")
          }
        }
      }
      #expect(refused > 1000)
    }
  }

  /// Found by letting each write of a commit fail: the engine puts the number of the transaction
  /// back into the page it was writing, and leaves there the roots of the state that never was.
  @Test(arguments: [0, 3]) func whatAFailedCommitLeavesInTheOlderPageIsNoDamage(commits: Int) throws
  {
    let fixture = try Fixture()
    for number in 0..<UInt8(commits) {
      try fixture.environment.write { try $0.put(fixture.table, [number], [number]) }
    }
    fixture.environment.close()
    var bytes = try fixture.data()
    let older = bytes[144] < bytes[4096 + 144] ? 0 : 4096
    for root in [80, 128] {
      bytes.replaceSubrange(older + root..<older + root + 2, with: [0xFF, 0x7F])
    }
    try fixture.overwriteData(bytes)
    let again = try Environment.open(at: fixture.path, Fixture.options)
    #expect(try again.read { try $0.count(again.database("table")) } == commits)
    #expect(try again.verify().damages == [])
    try again.write { try $0.put(again.database("table"), [9], [9]) }
  }

  @Test func aFlippedMagicNumberOfTheSecondPageIsNamed() throws {
    let fixture = try TruncationTests.filled()
    var bytes = try fixture.data()
    bytes[4096 + 16] ^= 1
    try fixture.overwriteData(bytes)
    let error = #expect(throws: StorageError.self) {
      try Environment.open(at: fixture.path, Fixture.options)
    }
    guard case .metaPageDamaged(fixture.dataFile, page: 1, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func anotherFormatIsNamed() throws {
    let fixture = try TruncationTests.filled()
    var bytes = try fixture.data()
    bytes[20] = 2
    bytes[4096 + 20] = 2
    try fixture.overwriteData(bytes)
    #expect(throws: StorageError.formatUnsupported(path: fixture.dataFile, version: 2)) {
      try Environment.open(at: fixture.path, Fixture.options)
    }
  }

  @Test func aDamagedTableOfTablesIsRefused() throws {
    let fixture = try TruncationTests.filled()
    let bytes = try fixture.data()
    let newest = bytes[144] > bytes[4096 + 144] ? 0 : 4096
    let root = Int(bytes[newest + 128]) | Int(bytes[newest + 129]) << 8
    for offset in [0, 10, 12, 16, 17] {
      var damaged = bytes
      damaged[root * 4096 + offset] ^= 0x41
      try fixture.overwriteData(damaged)
      let error = #expect(throws: StorageError.self) {
        try Environment.open(at: fixture.path, Fixture.options)
      }
      #expect(error?.code == "storage.meta_page_damaged")
    }
  }
}
