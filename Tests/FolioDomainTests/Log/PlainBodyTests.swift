import FolioJSON
import TestSupport
import Testing

@testable import FolioDomain

@Suite("The short way to read a body")
struct PlainBodyTests {
  @Test("What the short way reads, the general one reads to the same")
  func agrees() throws {
    var random = SeededRandom()
    var plainCount = 0
    for _ in 0..<2_000 {
      let operations = (0..<random.int(0...3)).map { _ in random.operation() }
      let digest = random.one(in: 2) ? Hash256.zero : nil
      let seen = Seen(
        log: LogID(1), position: LogPosition(seq: 12, hash: .zero), stateDigest: digest)
      var bytes = try TransactionBody(seen: random.one(in: 3) ? nil : seen, operations: operations)
        .encoded()
      // Half of them with a byte changed, taken out or put in.
      if random.one(in: 2) {
        let place = random.int(0...(bytes.count - 1))
        switch random.int(0...2) {
        case 0: bytes[place] = UInt8(random.int(0...255))
        case 1: bytes.remove(at: place)
        default: bytes.insert(random.pick(Array(#"0"\{,é\#u{1}"#.utf8)), at: place)
        }
      }
      guard let plain = PlainBody.read(bytes) else { continue }
      plainCount += 1
      let general = try TransactionBody.readAny(bytes)
      #expect(plain == general, "\(String(decoding: bytes, as: UTF8.self))")
      #expect(try plain.encoded() == bytes)
    }
    #expect(plainCount > 200)
  }

  @Test("What is passed over as a plain body is one value in canonical form, to the byte")
  func passedOver() throws {
    var random = SeededRandom()
    var passedCount = 0
    for _ in 0..<3_000 {
      let operations = (0..<random.int(0...3)).map { _ in random.operation() }
      let seen = Seen(log: LogID(1), position: LogPosition(seq: 12, hash: .zero))
      var bytes = try TransactionBody(seen: random.one(in: 3) ? nil : seen, operations: operations)
        .encoded()
      if random.one(in: 2) {
        let place = random.int(0...(bytes.count - 1))
        switch random.int(0...2) {
        case 0: bytes[place] = UInt8(random.int(0...255))
        case 1: bytes.remove(at: place)
        default: bytes.insert(random.pick(Array(#"0"\{,é\#u{1}"#.utf8)), at: place)
        }
      }
      // As on a line, more of which follows.
      bytes += Array(",\"device\":\"0\"}".utf8)
      guard let count = bytes.withUnsafeBytes({ TransactionBody.plainByteCount($0) }) else {
        continue
      }
      passedCount += 1
      let span = bytes.span
      var reader = JSONReader(span.bytes, TransactionBody.rules)
      #expect(try reader.readCanonicalValue() == 0..<count)
    }
    #expect(passedCount > 200)
  }

  @Test("Nearly all bodies are read the short way")
  func usual() throws {
    let asset = try AssetKey("crypto:bitcoin")
    let body = TransactionBody(
      seen: Seen(log: LogID(1), position: LogPosition(seq: 0, hash: .zero)),
      operations: [
        .adjust(asset, try Amount("-0.5")), .categorize(asset, try Category(named: "Träume")),
      ])
    #expect(PlainBody.read(try body.encoded()) == body)
  }

  @Test(
    "What has another shape is left to the general way",
    arguments: [
      "", "{\"operations\":[]", "{\"operations\":[]}x", "{\"operations\":[],\"seen\":{}}",
      "{\"operations\":[{\"amount\":\"1\",\"asset\":\"stock:\\u0041\",\"kind\":\"adjust\"}]}",
      "{\"operations\":[{\"amount\":\"1.0\",\"asset\":\"stock:A\",\"kind\":\"adjust\"}]}",
    ])
  func otherShapes(text: String) {
    #expect(PlainBody.read(Array(text.utf8)) == nil)
  }
}
