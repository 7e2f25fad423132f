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

  /// The short way reads nothing otherwise than the general one; where both do, to the same.
  private func check(_ body: String, isPlain: Bool? = nil) throws {
    try check(Array(body.utf8), isPlain: isPlain)
  }

  private func check(_ bytes: [UInt8], isPlain: Bool? = nil) throws {
    let shown = String(decoding: bytes, as: UTF8.self)
    let general = try? TransactionBody.readAny(bytes)
    let plain = PlainBody.read(bytes)
    if let plain { #expect(plain == general, "\(shown)") }
    if let isPlain { #expect((plain != nil) == isPlain, "\(shown)") }
  }

  @Test("Amounts of all forms are read alike, and those that may be are read the short way")
  func amounts() throws {
    let wholes = [
      "", "0", "00", "7", "012", "999999999999999999", "1000000000000000000",
      "99999999999999999999", "100000000000000000000",
    ]
    let fractions = [
      "", ".", ".0", ".5", ".50", ".000000000000000001", ".0000000000000000001",
      ".999999999999999999",
    ]
    for sign in ["", "-", "+", "--"] {
      for whole in wholes {
        for fraction in fractions {
          for end in ["", "e1", " ", "x"] {
            let text = sign + whole + fraction + end
            let isAmount = (try? Amount(wire: text)) != nil
            try check(
              #"{"operations":[{"amount":"\#(text)","asset":"stock:A","kind":"adjust"}]}"#,
              isPlain: isAmount)
          }
        }
      }
    }
  }

  @Test("Asset keys of any bytes are read alike, and as from text")
  func assets() throws {
    var random = SeededRandom()
    let parts: [[UInt8]] =
      ["stock", "Stock", ":", "a", "A", " ", "é", "e\u{301}", "\u{7F}", "\u{85}", "\u{2028}", "😀"]
      .map { Array($0.utf8) } + [[0xFF], [0xC3], [0x1F], Array(repeating: 0x62, count: 198)]
    for _ in 0..<3_000 {
      var key = Array("s:".utf8)
      for _ in 0..<random.int(0...4) { key += random.pick(parts) }
      let read = key.withUnsafeBytes { AssetKey(utf8: $0) }
      let text = String(validating: key, as: UTF8.self)
      #expect(read == text.flatMap { try? AssetKey($0) }, "\(key)")
      let start = #"{"operations":[{"amount":"1","asset":""#
      let body: [UInt8] = Array(start.utf8) + key + Array(#"","kind":"adjust"}]}"#.utf8)
      try check(body, isPlain: key.contains(0x1F) ? false : read != nil)
    }
  }

  @Test("Integers of every length are read alike")
  func integers() throws {
    let hash = String(repeating: "0", count: 64)
    let log = String(repeating: "0", count: 32)
    for length in 0...20 {
      for digits in ["12345678901234567890", "90071992547409919999", "00000000000000000000"] {
        for (sign, end) in [("", ""), ("-", ""), ("", ".5"), ("", "e1"), ("", " ")] {
          let seq = sign + digits.prefix(length) + end
          try check(
            #"{"operations":[],"seen":{"hash":"\#(hash)","log":"\#(log)","seq":\#(seq)}}"#)
        }
      }
    }
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
