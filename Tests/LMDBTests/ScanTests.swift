import LMDB
import TestSupport
import Testing

@Suite struct ScanTests {
  struct Stopped: Error {}

  /// Keys that have heads in common and bytes at both ends of their range.
  static func key(_ random: inout SeededRandom) -> [UInt8] {
    let alphabet: [UInt8] = [0, 1, 0x61, 0xFE, 0xFF]
    return (0..<random.int(1...4)).map { _ in random.pick(alphabet) }
  }

  static func bound(_ random: inout SeededRandom) -> [UInt8] {
    random.one(in: 5) ? [] : key(&random)
  }

  /// A range and what belongs to it by its definition.
  static func range(_ random: inout SeededRandom) -> (KeyRange, ([UInt8]) -> Bool) {
    let (a, b) = (bound(&random), bound(&random))
    switch random.int(0...6) {
    case 0: return (.all, { _ in true })
    case 1: return (.prefix(a), { $0.starts(with: a) })
    case 2: return (.from(a), { !$0.lexicographicallyPrecedes(a) })
    case 3: return (.upTo(a), { $0.lexicographicallyPrecedes(a) })
    case 4:
      return (
        .from(a, upTo: b),
        { !$0.lexicographicallyPrecedes(a) && $0.lexicographicallyPrecedes(b) }
      )
    case 5:
      let key = a + [1]
      return (
        .prefix(a).resuming(after: key),
        { $0.starts(with: a) && key.lexicographicallyPrecedes($0) }
      )
    default:
      let key = a + [1]
      return (
        .prefix(a).resuming(before: key),
        { $0.starts(with: a) && $0.lexicographicallyPrecedes(key) }
      )
    }
  }

  @Test func scansFindWhatAModelFinds() throws {
    var random = SeededRandom()
    let fixture = try Fixture()
    let table = fixture.table
    var model: [[UInt8]: [UInt8]] = [:]
    for _ in 0..<40 {
      try fixture.environment.write { tx in
        for _ in 0..<20 {
          let key = Self.key(&random)
          if random.one(in: 4) {
            let found = try tx.delete(table, key)
            #expect(found == (model.removeValue(forKey: key) != nil))
          } else {
            let value = [UInt8](repeating: UInt8(random.int(0...255)), count: random.int(0...300))
            try tx.put(table, key, value)
            model[key] = value
          }
        }
      }
      let sorted = model.map { Entry(key: $0.key, value: $0.value) }.sorted {
        $0.key.lexicographicallyPrecedes($1.key)
      }
      try fixture.environment.read { tx in
        for _ in 0..<20 {
          let (range, contains) = Self.range(&random)
          let expected = sorted.filter { contains($0.key) }
          let limit = random.one(in: 2) ? random.int(0...5) : nil
          let up = try tx.entries(table, range, .ascending, limit: limit)
          #expect(up == Array(expected.prefix(limit ?? .max)))
          let down = try tx.entries(table, range, .descending, limit: limit)
          #expect(down == Array(expected.reversed().prefix(limit ?? .max)))
          #expect(try tx.count(table, in: range) == expected.count)
          #expect(try tx.first(table, in: range)?.key == expected.first?.key)
          #expect(try tx.last(table, in: range)?.value == expected.last?.value)
        }
      }
    }
  }

  @Test func deletingRangesLeavesWhatAModelLeaves() throws {
    var random = SeededRandom()
    let fixture = try Fixture()
    let table = fixture.table
    for _ in 0..<60 {
      var model: [[UInt8]: [UInt8]] = [:]
      for _ in 0..<random.int(0...300) {
        model[Self.key(&random)] = [UInt8](repeating: 3, count: random.int(0...900))
      }
      let (range, contains) = Self.range(&random)
      let count = try fixture.environment.write { tx in
        try tx.deleteAll(table)
        for (key, value) in model { try tx.put(table, key, value) }
        return try tx.deleteAll(table, in: range)
      }
      let left = model.keys.filter { !contains($0) }.sorted { $0.lexicographicallyPrecedes($1) }
      #expect(count == model.count - left.count)
      #expect(try fixture.records().map(\.key) == left)
    }
  }

  @Test func aScanStopsWhereItIsTold() throws {
    let fixture = try Fixture()
    try fixture.environment.write { tx in
      for key in UInt8(1)...9 { try tx.put(fixture.table, [key], [key]) }
    }
    var seen: [UInt8] = []
    try fixture.environment.read { tx in
      try tx.scan(fixture.table, .from([3])) { key, _ in
        seen += key.copied
        return seen.count == 3 ? .stop : .next
      }
    }
    #expect(seen == [3, 4, 5])
    #expect(throws: Stopped.self) {
      try fixture.environment.read { tx in
        try tx.scan(fixture.table, .all) { _, _ in throw Stopped() }
      }
    }
    // The cursor went with its scan, in a write too.
    try fixture.environment.write { tx in
      #expect(throws: Stopped.self) {
        try tx.reading.scan(fixture.table, .all, .descending) { _, _ in throw Stopped() }
      }
      try tx.delete(fixture.table, [1])
    }
    #expect(try fixture.records().count == 8)
  }

  @Test func pagesJoinToTheWholeInBothOrders() throws {
    let fixture = try Fixture()
    try fixture.environment.write { tx in
      for number in UInt32(0)..<100 {
        var key = KeyBuilder()
        key.append(UInt8(number % 2))
        key.append(number)
        try tx.put(fixture.table, key, [])
      }
    }
    for order in [ScanOrder.ascending, .descending] {
      var range = KeyRange.prefix([1])
      var seen: [[UInt8]] = []
      while true {
        let page = try fixture.environment.read {
          try $0.entries(fixture.table, range, order, limit: 7)
        }
        guard let last = page.last else { break }
        seen += page.map(\.key)
        range =
          order == .ascending ? range.resuming(after: last.key) : range.resuming(before: last.key)
      }
      let all = try fixture.environment.read {
        try $0.entries(fixture.table, .prefix([1]), order).map(\.key)
      }
      #expect(seen == all)
      #expect(seen.count == 50)
    }
  }
}
