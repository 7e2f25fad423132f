import TestSupport
import Testing

@testable import FolioServer

@Suite struct GroupedRowsTests {
  private func randomKey(_ random: inout SeededRandom) -> [UInt8] {
    (0..<random.int(0...9)).map { _ in UInt8(random.one(in: 3) ? 0xFF : random.int(0...2)) }
  }

  @Test func rowsAreAsInADictionary() {
    var random = SeededRandom()
    var rows = GroupedRows()
    var model: [[UInt8]: [UInt8]] = [:]
    #expect(rows[[]] == nil && rows.count == 0 && rows.rows(in: .all).keys.isEmpty)
    for number in 0..<2_000 {
      let (key, row) = (randomKey(&random), [UInt8(number & 0xFF)])
      rows.put(key, row)
      model[key] = row
      let other = randomKey(&random)
      #expect(rows[other] == model[other])
      #expect(rows.count == model.count)
      guard number % 50 == 0 else { continue }
      let (a, b) = (randomKey(&random), randomKey(&random))
      for range in [.all, RowRange(prefix: a), RowRange(from: a), RowRange(from: a, upTo: b)] {
        let found = rows.rows(in: range)
        let keys = model.keys.filter { key in
          !key.lexicographicallyPrecedes(range.from)
            && range.upTo.map { key.lexicographicallyPrecedes($0) } ?? true
        }.sorted { $0.lexicographicallyPrecedes($1) }
        #expect(found.keys == keys)
        #expect(found.rows == keys.map { model[$0] })
      }
    }
  }
}
