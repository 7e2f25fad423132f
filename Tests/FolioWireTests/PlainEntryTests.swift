import FolioDomain
import FolioJSON
import TestSupport
import Testing

@testable import FolioWire

@Suite("The short way to read an entry")
struct PlainEntryTests {
  private func entry(_ random: inout SeededRandom) throws -> WireEntry {
    let operations = (0..<random.int(0...3)).map { _ in
      random.one(in: 4)
        ? random.operation() : .adjust(random.asset(), random.signedAmount())
    }
    let seen = Seen(log: LogID(1), position: LogPosition(seq: 12, hash: .zero))
    let body = TransactionBody(seen: random.one(in: 3) ? nil : seen, operations: operations)
    var transaction = Envelope(
      version: random.one(in: 10) ? 2 : 1, id: TransactionID(UInt128(random.next())),
      device: DeviceID(UInt128(random.next()) << 64), deviceSequence: random.next() >> 20 | 1,
      recordedAt: Timestamp(milliseconds: Int64(random.int(-5...1_772_348_400_000))),
      body: try body.encoded())
    if random.one(in: 10) {
      transaction.form = .sealed
      transaction.keyID = 7
    }
    let isStub = random.one(in: 10)
    if isStub { transaction.body = [] }
    return WireEntry(
      seq: random.next() >> random.pick([12, 16, 40]) | 1,
      acceptedAt: Timestamp(milliseconds: 1_772_348_400_000),
      kind: random.one(in: 5) ? .void : .accepted, transaction: transaction,
      stubHash: isStub ? .zero : nil)
  }

  private func bytes(of entry: WireEntry) -> [UInt8] {
    var writer = JSONWriter()
    entry.write(&writer)
    return writer.finish()
  }

  @Test("What the short way reads, the general one reads to the same, and as far")
  func agrees() throws {
    var random = SeededRandom()
    var plainCount = 0
    for _ in 0..<3_000 {
      var text = bytes(of: try entry(&random))
      // Half of them with a byte changed, taken out or put in.
      if random.one(in: 2) {
        let place = random.int(0...(text.count - 1))
        switch random.int(0...2) {
        case 0: text[place] = UInt8(random.int(0...255))
        case 1: text.remove(at: place)
        default: text.insert(random.pick(Array(#"0"\{,é\#u{1}"#.utf8)), at: place)
        }
      }
      text += Array(",{}]".utf8)
      let span = text.span
      var short = JSONReader(span.bytes, .protocol)
      guard let plain = PlainEntry.read(&short) else {
        #expect(short.offset == 0)
        continue
      }
      plainCount += 1
      var general = JSONReader(span.bytes, .protocol)
      #expect(try WireEntry(reading: &general) == plain)
      #expect(general.offset == short.offset)
      #expect(bytes(of: plain) == Array(text[..<short.offset]))
    }
    #expect(plainCount > 200)
  }

  @Test("Integers of every length are read alike, wherever they stand")
  func integers() throws {
    var random = SeededRandom()
    var entry = try entry(&random)
    entry.transaction.version = 1
    entry.transaction.form = .plain
    entry.stubHash = nil
    entry.transaction.body = Array(#"{"operations":[]}"#.utf8)
    entry.transaction.recordedAt = Timestamp(milliseconds: 1)
    entry.transaction.deviceSequence = 1
    entry.seq = 1
    let text = String(decoding: bytes(of: entry), as: UTF8.self)
    for member in ["acceptedAt", "recordedAt", "seq", "sequence"] {
      let pattern = try Regex("\"\(member)\":[0-9]+")
      for length in 0...20 {
        for digits in ["12345678901234567890", "90071992547409919999", "00000000000000000000"] {
          for (sign, end) in [("", ""), ("-", ""), ("", ".5"), ("", "e1"), ("", " ")] {
            let value = sign + digits.prefix(length) + end
            let line = Array(text.replacing(pattern, with: "\"\(member)\":\(value)").utf8)
            let span = line.span
            var short = JSONReader(span.bytes, .protocol)
            var general = JSONReader(span.bytes, .protocol)
            let plain = PlainEntry.read(&short)
            let read = try? WireEntry(reading: &general)
            if let plain { #expect(plain == read, "\(member) \(value)") }
            // The usual times and places, at least, are read the short way.
            if read != nil, sign.isEmpty, end.isEmpty, length <= 15 {
              #expect(plain != nil, "\(member) \(value)")
            }
          }
        }
      }
    }
  }

  @Test("Nearly all entries are read the short way")
  func usual() throws {
    let body = TransactionBody(
      seen: Seen(log: LogID(1), position: LogPosition(seq: 0, hash: .zero)),
      operations: [.adjust(try AssetKey("crypto:bitcoin"), try Amount("-0.5"))])
    let transaction = Envelope(
      id: TransactionID(1), device: DeviceID(2), deviceSequence: 3,
      recordedAt: Timestamp(milliseconds: 4), body: try body.encoded())
    let entry = WireEntry(
      seq: 5, acceptedAt: Timestamp(milliseconds: 6), kind: .accepted, transaction: transaction)
    let text = bytes(of: entry)
    let span = text.span
    var reader = JSONReader(span.bytes, .protocol)
    #expect(PlainEntry.read(&reader) == entry)
    #expect(reader.offset == text.count)
  }

  @Test("A body or an entry beyond its limit is left to the general way, which says so")
  func limits() throws {
    let asset = try AssetKey("stock:" + String(repeating: "a", count: 190))
    let operation = Operation.adjust(asset, try Amount("1"))
    let count = Wire.bodyByteLimit / 260
    let body = TransactionBody(
      seen: nil, operations: Array(repeating: operation, count: count))
    var text = try body.encoded()
    let transaction = Envelope(
      id: TransactionID(1), device: DeviceID(2), deviceSequence: 3,
      recordedAt: Timestamp(milliseconds: 4), body: text)
    var entry = WireEntry(
      seq: 5, acceptedAt: Timestamp(milliseconds: 6), kind: .accepted, transaction: transaction)
    #expect(try WireEntry(line: bytes(of: entry)) == entry)
    // The same operations until the body is one that no device may make.
    text.removeLast(2)
    while text.count <= Wire.bodyByteLimit {
      text +=
        Array(",".utf8)
        + (try TransactionBody(seen: nil, operations: [operation]).encoded())
        .dropFirst(15).dropLast(2)
    }
    entry.transaction.body = text + Array("]}".utf8)
    #expect(throws: JSONError.self) { try WireEntry(line: bytes(of: entry)) }
  }
}

extension WireEntry {
  fileprivate init(line: [UInt8]) throws {
    let span = line.span
    var reader = JSONReader(span.bytes, .protocol)
    self = try WireEntry(&reader)
  }
}
