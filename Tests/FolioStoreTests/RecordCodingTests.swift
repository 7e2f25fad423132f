import FolioDomain
import StoreWorld
import TestSupport
import Testing

@testable import FolioStore

/// How numbers and holdings are written, beside the plainest way to do it.
@Suite("Coding of records")
struct RecordCodingTests {
  /// The least number of bytes that show the number and its sign, none for 0, by trying all.
  private func plain(_ value: Int256) -> [UInt8] {
    var bytes = (0..<16).map { UInt8(truncatingIfNeeded: value.low >> UInt128(8 * $0)) }
    bytes += (0..<16).map { UInt8(truncatingIfNeeded: value.high >> Int128(8 * $0)) }
    if value.isZero { return [0] }
    let sign: UInt8 = value.isNegative ? 0xff : 0
    let count = (1...32).first { count in
      bytes[count...].allSatisfy { $0 == sign } && (bytes[count - 1] >= 0x80) == value.isNegative
    }
    return [UInt8(count ?? 32)] + bytes[..<(count ?? 32)]
  }

  private func numbers(_ random: inout SeededRandom) -> [Int256] {
    var numbers: [Int256] = [.zero, Int256(1), Int256(-1), Int256(.max), Int256(.min)]
    numbers += [Int256(high: .max, low: .max), Int256(high: .min, low: 0)]
    for bit in 0..<255 {
      let one =
        bit < 128
        ? Int256(high: 0, low: 1 << UInt128(bit)) : Int256(high: 1 << Int128(bit - 128), low: 0)
      numbers += [one, one + Int256(-1), Int256.zero - one, Int256.zero - one + Int256(-1)]
      let low = UInt128(random.next()) << 64 | UInt128(random.next())
      let high = Int128(Int64(bitPattern: random.next())) >> Int128(bit / 4)
      numbers.append(Int256(high: high, low: low))
    }
    return numbers
  }

  @Test("A number takes the fewest bytes that show it, and comes back")
  func int256() throws {
    var random = SeededRandom()
    for number in numbers(&random) {
      var writer = RecordWriter()
      writer.append(number)
      #expect(writer.bytes == plain(number))
      // Something may follow it, or nothing.
      for rest in [0, 1, 7, 40] {
        let bytes = writer.bytes + Array(repeating: 0xa5, count: rest)
        let span = bytes.span
        var reader = RecordReader(unsafe span.bytes, of: "x")
        #expect(try reader.readInt256() == number)
        #expect(reader.remaining == rest)
      }
    }
  }

  @Test("The record of a holding comes back whole, and is refused where a part of it is missing")
  func holdings() throws {
    var random = SeededRandom()
    let amounts = numbers(&random)
    for parts in 0..<32 {
      var record = AssetRecord()
      record.accepted.amount = amounts[random.int(0...amounts.count - 1)]
      record.accepted.wasInSnapshot = parts & 1 != 0
      if parts & 2 != 0 {
        record.latest = PricedRecord.Latest(
          slot: Slot(index: Int64(random.int(-90_000...90_000))),
          price: try #require(Price(mantissa: Int64(random.int(0...999_999_999)), scale: 3)))
      }
      if parts & 4 != 0 {
        record.accepted.category = StampedCategory(
          TestWorld.categories[random.int(0...4)],
          stamp: Stamp(
            effectiveAt: Timestamp(milliseconds: Int64(random.int(0...2_000_000_000_000))),
            device: DeviceID(UInt128(random.next())), deviceSequence: random.next(),
            index: UInt32(random.int(0...70_000))))
      }
      let isNamed = parts & 8 != 0
      record.pending = PendingAsset(
        adjustment: parts & 16 != 0 ? Int256(Int128(random.int(1...99_999))) : .zero,
        category: isNamed ? TestWorld.categories[random.int(0...4)] : nil,
        categoryOrder: PendingOrder(
          deviceSequence: isNamed ? random.next() : 0, index: isNamed ? 7 : 0))
      let bytes = record.record
      let span = bytes.span
      var reader = RecordReader(unsafe span.bytes, of: "x")
      #expect(try AssetRecord(&reader) == record)
      try expectShown(record, bytes)
      for count in 0..<bytes.count {
        let cut = Array(bytes[..<count])
        #expect(throws: StoreError.unreadableRecord(space: "x")) { try read(cut) }
        #expect(throws: StoreError.unreadableRecord(space: "x")) { try readShown(cut) }
      }
      for wrong in [bytes + [0], [bytes[0] | 32] + bytes.dropFirst()] {
        #expect(throws: StoreError.unreadableRecord(space: "x")) { try read(wrong) }
        #expect(throws: StoreError.unreadableRecord(space: "x")) { try readShown(wrong) }
      }
    }
  }

  private func read(_ bytes: [UInt8]) throws {
    let span = bytes.span
    var reader = RecordReader(unsafe span.bytes, of: "x")
    _ = try AssetRecord(&reader)
  }

  @discardableResult
  private func readShown(_ bytes: [UInt8]) throws -> PricedHolding {
    let span = bytes.span
    var reader = RecordReader(unsafe span.bytes, of: "x")
    return try PricedHolding(TestWorld.assets[0], &reader, at: Slot(index: 50)) {
      reader throws(StoreError) in
      try reader.readCategory()
    }
  }

  private func expectShown(_ record: AssetRecord, _ bytes: [UInt8]) throws {
    let shown = try readShown(bytes)
    #expect(shown.holding == record.holding(of: TestWorld.assets[0]))
    #expect(
      shown.isPending == (!record.pending.adjustment.isZero || record.pending.category != nil))
    #expect(shown.quote?.price == record.latest?.price)
    #expect(shown.quote?.pricedAt == record.latest?.slot)
    #expect(shown.isStale == (shown.quote?.isStale(at: Slot(index: 50)) ?? false))
  }
}
