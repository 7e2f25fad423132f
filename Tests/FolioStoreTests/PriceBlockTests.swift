import FolioDomain
import TestSupport
import Testing

@testable import FolioStore

/// The record that price tables stand in.
@Suite("Blocks of price tables")
struct PriceBlockTests {
  private let first = Slot(index: 81_920)

  private func randomPrice(_ random: inout SeededRandom) throws -> Price {
    if random.one(in: 12) { return .zero }
    let digits = random.int(1...18)
    let least = digits == 1 ? 0 : (0..<digits - 1).reduce(1) { value, _ in value * 10 }
    let mantissa = random.int(least...max(1, least) * 10 - 1)
    return try #require(Price(mantissa: Int64(mantissa), scale: random.int(0...36)))
  }

  private func moved(_ price: Price, _ random: inout SeededRandom) -> Price {
    let step = max(1, price.mantissa / 500)
    let mantissa = price.mantissa + Int64(random.int(Int(-step)...Int(step)))
    return Price(mantissa: max(0, mantissa), scale: Int(price.scale)) ?? price
  }

  /// Tables as they are given: some slots without one, prices that come, go, stand, move and jump.
  private func randomTables(_ random: inout SeededRandom) throws -> [Slot: [TableRow]] {
    let count = random.int(0...20)
    var numbers = Set((0..<count).map { _ in UInt32(random.int(0...40)) })
    if random.one(in: 4) { numbers.formUnion([.max, .max - 1]) }
    var prices: [UInt32: Price] = [:]
    for number in numbers { prices[number] = try randomPrice(&random) }
    var tables: [Slot: [TableRow]] = [:]
    for place in 0..<PriceBlock.slotCount where !random.one(in: 5) || place == 0 {
      var rows: [TableRow] = []
      for number in numbers.sorted() where !random.one(in: 6) {
        guard var price = prices[number] else { continue }
        if random.one(in: 15) { price = try randomPrice(&random) }
        if random.one(in: 2) { price = moved(price, &random) }
        prices[number] = price
        rows.append(TableRow(number: number, price: price))
      }
      tables[first.advanced(by: place)] = rows
    }
    return tables
  }

  private func block(_ tables: [Slot: [TableRow]], _ random: inout SeededRandom) -> PriceBlock {
    var block = PriceBlock(first: first)
    for slot in tables.keys.sorted().shuffled(using: &random) {
      block.set(tables[slot] ?? [], of: slot)
    }
    return block
  }

  private func decoded(
    _ record: [UInt8], where isWanted: (UInt32) -> Bool = { _ in true }
  ) throws -> PriceBlock {
    var reader = RecordReader(record.span.bytes, of: "prices")
    return try PriceBlock(&reader, first: first, where: isWanted)
  }

  @Test("A block gives back each table as it was put, whatever was there before")
  func tables() throws {
    var random = SeededRandom()
    for _ in 0..<300 {
      let (before, after) = (try randomTables(&random), try randomTables(&random))
      var block = block(before, &random)
      for (slot, rows) in after { block.set(rows, of: slot) }
      let all = before.merging(after) { $1 }
      for place in 0..<PriceBlock.slotCount {
        let slot = first.advanced(by: place)
        #expect(block.rows(of: slot) == all[slot])
      }
      #expect(block == self.block(all, &random), "how it came to be is not to be seen")
    }
  }

  @Test("A block is read as it was written, to the digit")
  func roundTrip() throws {
    var random = SeededRandom()
    for _ in 0..<500 {
      let block = block(try randomTables(&random), &random)
      #expect(try decoded(block.record) == block)
    }
  }

  @Test("Of a block some assets are read, and the others are as if not there")
  func wanted() throws {
    var random = SeededRandom()
    for _ in 0..<200 {
      let tables = try randomTables(&random)
      let record = block(tables, &random).record
      let wanted = tables.mapValues { rows in rows.filter { $0.number % 3 == 0 } }
      let read = try decoded(record) { $0 % 3 == 0 }
      #expect(read == block(wanted, &random))
    }
  }

  @Test("A record that is cut anywhere, or goes on, is refused")
  func cut() throws {
    var random = SeededRandom()
    for _ in 0..<40 {
      let record = block(try randomTables(&random), &random).record
      for count in record.indices {
        #expect(throws: StoreError.unreadableRecord(space: "prices")) {
          try decoded(Array(record[..<count]))
        }
      }
      #expect(throws: StoreError.unreadableRecord(space: "prices")) { try decoded(record + [0]) }
    }
  }

  /// That a byte is another one the record's checksum tells, as of every record.
  ///
  /// Without it nothing traps, and nothing is made of it that could not be a block.
  @Test("A record with any byte changed is refused, or is a block")
  func changed() throws {
    var random = SeededRandom()
    var refused = 0
    for _ in 0..<40 {
      let original = block(try randomTables(&random), &random)
      for place in original.record.indices {
        var record = original.record
        record[place] ^= UInt8(random.int(1...255))
        do {
          let read = try decoded(record)
          #expect(try decoded(read.record) == read)
        } catch {
          #expect(error as? StoreError == .unreadableRecord(space: "prices"))
          refused += 1
        }
      }
    }
    #expect(refused > 0)
  }

  @Test("Random bytes are refused, or are a block")
  func noise() throws {
    var random = SeededRandom()
    for _ in 0..<5_000 {
      let record = (0..<random.int(0...60)).map { _ in
        random.one(in: 3) ? UInt8(random.int(0...3)) : UInt8(random.int(0...255))
      }
      guard let read = try? decoded(record) else { continue }
      #expect(try decoded(read.record) == read)
    }
  }

  @Test("A price that moves by a five-hundredth at most takes less than two and a half bytes")
  func size() throws {
    var random = SeededRandom()
    var rows = try (0..<200).map { number in
      TableRow(
        number: number,
        price: try #require(Price(mantissa: Int64(random.int(1_000...9_999_999)), scale: 4)))
    }
    var block = PriceBlock(first: first)
    for place in 0..<PriceBlock.slotCount {
      block.set(rows, of: first.advanced(by: place))
      for index in rows.indices { rows[index].price = moved(rows[index].price, &random) }
    }
    #expect(block.record.count < 200 * PriceBlock.slotCount * 5 / 2)
  }

  @Test("A block begins at the same slot for all of its slots, before 1970 too")
  func places() {
    for index in Int64(-40)...40 {
      let first = PriceBlock.first(of: Slot(index: index))
      #expect(first.index % 16 == 0)
      #expect((0..<16).contains(index - first.index))
    }
  }
}
