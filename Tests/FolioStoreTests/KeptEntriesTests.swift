import FolioDomain
import FolioStore
import StoreWorld
import TestSupport
import Testing

/// Entries are kept until the server's stable mark has passed them, and places of the log beyond that.
@Suite struct KeptEntriesTests {
  let bitcoin = TestWorld.assets[0]
  let other = DeviceID(9)
  let now = Timestamp(known: "2026-03-01T07:00:00Z")

  @Test("F20 places of the log stay known after its entries are dropped")
  func placesStayKnown() throws {
    var (fixture, log) = try StoreFixture.joined()
    for id in 1...6_000 { try log.append(id: UInt64(id), .adjust(bitcoin, try Amount("1"))) }
    try fixture.pull(log, stable: 5_990)
    let store = fixture.store
    let status = try store.read { try $0.status() }
    #expect(status.keptFrom == 5_991)
    for seq in [1_024, 1_905, 5_000, 5_990, 6_000] as [UInt64] {
      #expect(try store.read { try $0.position(at: seq) } == log.entries[Int(seq - 1)].position)
    }
    #expect(try store.read { try $0.position(at: 1_025) } == nil)
    #expect(throws: StoreError.entriesNotKept(from: 11, keptFrom: 5_991)) {
      try store.read { try $0.keptEntries(after: 10, maxCount: 1, maxByteCount: 1) }
    }
    let kept = try store.read { try $0.keptEntries(after: 5_990, maxCount: 4, maxByteCount: .max) }
    #expect(kept == Array(log.entries[5_990..<5_994]))
    #expect(try store.verify().isSound)
  }

  @Test func marksThatMoveOnLeaveTheSamePlaces() throws {
    var (fixture, log) = try StoreFixture.joined()
    for id in 1...6_000 { try log.append(id: UInt64(id), .adjust(bitcoin, try Amount("1"))) }
    for page in 1...12 {
      let entries = log.page(after: UInt64(500 * (page - 1)), limit: 500)
      let stable = UInt64(page.isMultiple(of: 3) ? 500 * page - 100 : 0)
      try fixture.store.write { transaction in
        _ = try transaction.apply(entries, stable: stable == 0 ? nil : stable)
      }
      if page == 12 { continue }
      #expect(try fixture.store.read { try $0.status().keptFrom } <= UInt64(500 * page))
    }
    let known = try fixture.store.read { transaction in
      try (1...6_000).filter { try transaction.position(at: UInt64($0)) != nil }
    }
    #expect(known == [1_024] + Array(1_905...6_000))
    #expect(try fixture.store.verify().isSound)
  }

  @Test func keptEntriesAreWholeAndWithinTheirLimits() throws {
    var (fixture, log) = try StoreFixture.joined()
    for id in 1...5 { try log.append(id: UInt64(id), .adjust(bitcoin, try Amount("1"))) }
    try fixture.pull(log)
    let size = log.entries[0].entry.transaction.body.count
    let kept = try fixture.store.read {
      [
        try $0.keptEntries(after: 0, maxCount: 10, maxByteCount: 3 * size),
        try $0.keptEntries(after: 1, maxCount: 2, maxByteCount: .max),
        try $0.keptEntries(after: 2, maxCount: 10, maxByteCount: 1),
        try $0.keptEntries(after: 5, maxCount: 10, maxByteCount: .max),
      ]
    }
    #expect(kept[0] == Array(log.entries[0..<3]))
    #expect(kept[1] == Array(log.entries[1..<3]))
    #expect(kept[2] == Array(log.entries[2..<3]))
    #expect(kept[3].isEmpty)
  }
}
