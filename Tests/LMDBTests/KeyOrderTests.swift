import LMDB
import TestSupport
import Testing

/// The law of key codecs: bytes order as values do, and are read back.
@Suite struct KeyOrderTests {
  static func check<Codec: KeyCodec>(
    _ codec: Codec.Type, _ values: [Codec.Key], isBelow: (Codec.Key, Codec.Key) -> Bool,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let bytes = try values.map { try Codec.bytes($0) }
    for (a, aBytes) in zip(values, bytes) {
      let back = try Codec.key(aBytes.span.bytes)
      #expect(try Codec.bytes(back) == aBytes, sourceLocation: sourceLocation)
      #expect(!isBelow(back, a) && !isBelow(a, back), sourceLocation: sourceLocation)
      for (b, bBytes) in zip(values, bytes) {
        let holds = isBelow(a, b) == aBytes.lexicographicallyPrecedes(bBytes)
        #expect(holds, "\(a) and \(b)", sourceLocation: sourceLocation)
        // Where one key began another, codecs behind it would break the order.
        #expect(
          aBytes == bBytes || !bBytes.starts(with: aBytes), sourceLocation: sourceLocation)
      }
    }
  }

  static func isBelow(_ a: String, _ b: String) -> Bool {
    a.utf8.lexicographicallyPrecedes(b.utf8)
  }

  static func text(_ random: inout SeededRandom) -> String {
    let scalars: [Unicode.Scalar] = ["\u{1}", "a", "b", "\u{7F}", "\u{E9}", "\u{301}", "\u{1F600}"]
    var text = ""
    for _ in 0..<random.int(0...4) { text.unicodeScalars.append(random.pick(scalars)) }
    return text
  }

  @Test func numbersKeepTheirOrder() throws {
    var random = SeededRandom()
    let edges: [Int64] = [.min, .min + 1, -256, -255, -1, 0, 1, 255, 256, .max - 1, .max]
    let more = (0..<60).map { _ in Int64(bitPattern: random.next()) >> random.int(0...63) }
    let signed = edges + more
    try Self.check(Int64Key.self, signed, isBelow: <)
    let unsigned = signed.map { UInt64(bitPattern: $0) }
    try Self.check(UInt64Key.self, unsigned, isBelow: <)
    try Self.check(UInt32Key.self, unsigned.map { UInt32(truncatingIfNeeded: $0) }, isBelow: <)
    let wide = unsigned.map { UInt128($0) << random.int(0...64) | UInt128($0) }
    try Self.check(UInt128Key.self, wide, isBelow: <)
  }

  @Test func textKeepsTheOrderOfItsBytes() throws {
    var random = SeededRandom()
    let texts = (0..<120).map { _ in Self.text(&random) }
    try Self.check(TextKey.self, texts, isBelow: Self.isBelow)
  }

  @Test func partsKeepTheirOrderBehindEachOther() throws {
    var random = SeededRandom()
    let pairs = (0..<150).map { _ in
      (Self.text(&random), Int64(random.int(-2...2)))
    }
    try Self.check(PairKey<TextKey, Int64Key>.self, pairs) { a, b in
      a.0 == b.0 && a.0.utf8.elementsEqual(b.0.utf8)
        ? a.1 < b.1 : Self.isBelow(a.0, b.0)
    }
    let turned = pairs.map { ($0.1, $0.0) }
    try Self.check(PairKey<Int64Key, TextKey>.self, turned) { a, b in
      a.0 == b.0 ? Self.isBelow(a.1, b.1) : a.0 < b.0
    }
  }

  @Test func theEngineOrdersAsTheCodecDoes() throws {
    var random = SeededRandom()
    let fixture = try Fixture()
    let numbers = (0..<500).map { _ in Int64(bitPattern: random.next()) }
    try fixture.environment.write { tx in
      for number in numbers {
        var key = KeyBuilder()
        key.append(number)
        try tx.put(fixture.table, key, [])
      }
    }
    let read = try fixture.records().map { try Int64Key.key($0.key.span.bytes) }
    #expect(read == numbers.sorted())
  }
}
