import FolioCrypto
import FolioDomain
import FolioJSON
import TestSupport
import Testing

@Suite("The state digest")
struct StateDigestTests {
  @Test("It is a sum modulo 2^256: rows are put in and taken out in any order")
  func sum() {
    var random = SeededRandom()
    for _ in 0..<100 {
      let rows = (0..<random.int(1...20)).map { _ in
        Hash256(words: (random.next(), random.next(), random.next(), random.next()))
      }
      var digest = StateDigest.empty
      for row in rows { digest.add(row) }
      var other = StateDigest.empty
      for row in rows.shuffled(using: &random) { other.add(row) }
      #expect(digest == other)
      for row in rows.shuffled(using: &random) { digest.remove(row) }
      #expect(digest == .empty)
    }
  }

  @Test("Carries run through all 256 bits")
  func carries() {
    let most = Hash256(words: (.max, .max, .max, .max))
    let one = Hash256(words: (0, 0, 0, 1))
    var digest = StateDigest(most)
    digest.add(one)
    #expect(digest == .empty)
    digest.remove(one)
    #expect(digest.value == most)
    digest.add(most)
    #expect(digest.value == Hash256(words: (.max, .max, .max, .max - 1)))
  }

  @Test("Kept as rows change, it is that of all rows")
  func incremental() throws {
    var random = SeededRandom()
    for _ in 0..<20 {
      let log = try random.log(entryCount: random.int(1...25))
      var state = AcceptedState()
      var digest = StateDigest.empty
      for (entry, hash) in log.entries {
        let before = state
        state.apply(entry, hash: hash)
        for (key, row) in state.history where before.history[key] != row {
          if let old = before.history[key] {
            digest.remove(HistoryRow(key, old), using: SHA256.self)
          }
          digest.add(HistoryRow(key, row), using: SHA256.self)
        }
        for (key, row) in state.documents where before.documents[key] != row {
          if let old = before.documents[key] {
            digest.remove(DocumentRow(key, old), using: SHA256.self)
          }
          digest.add(DocumentRow(key, row), using: SHA256.self)
        }
        for (key, row) in state.devices where before.devices[key] != row {
          if let old = before.devices[key] {
            digest.remove(DeviceRow(key, old), using: SHA256.self)
          }
          digest.add(DeviceRow(key, row), using: SHA256.self)
        }
        #expect(digest == state.digest(using: SHA256.self))
      }
    }
  }

  @Test("Every member of a history row counts")
  func historyRow() throws {
    let asset = try AssetKey("crypto:bitcoin")
    let stamp = Stamp(
      effectiveAt: Timestamp(milliseconds: 1), device: DeviceID(2), deviceSequence: 3, index: 4)
    func bytes(_ asset: AssetKey, _ slot: Int64, _ state: AssetSlotState) -> [UInt8] {
      var bytes = CanonicalBytes()
      HistoryRow(AssetSlot(asset: asset, slot: Slot(index: slot)), state)
        .appendCanonicalBytes(to: &bytes)
      return bytes.bytes
    }
    let category = StampedCategory(try Category(named: "Coins"), stamp: stamp)
    let base = AssetSlotState(adjustment: Int256(1), category: category)
    var rows = [bytes(asset, 5, base)]
    rows.append(bytes(try AssetKey("cryptob:itcoin"), 5, base))
    rows.append(bytes(asset, 6, base))
    rows.append(bytes(asset, 5, AssetSlotState(adjustment: Int256(2), category: category)))
    rows.append(bytes(asset, 5, AssetSlotState(adjustment: Int256(1))))
    let spelled = StampedCategory(try Category(named: "coins"), stamp: stamp)
    rows.append(bytes(asset, 5, AssetSlotState(adjustment: Int256(1), category: spelled)))
    var later = category
    later.stamp.index = 5
    rows.append(bytes(asset, 5, AssetSlotState(adjustment: Int256(1), category: later)))
    #expect(Set(rows).count == rows.count)
  }

  @Test("A history row has these bytes")
  func historyRowBytes() throws {
    var bytes = CanonicalBytes()
    let key = AssetSlot(asset: try AssetKey("stock:A"), slot: Slot(index: 258))
    HistoryRow(key, AssetSlotState(adjustment: Int256(-1))).appendCanonicalBytes(to: &bytes)
    var expected: [UInt8] = [0, 0, 0, 14] + Array("folio state 1\n".utf8) + [1]
    expected += [0, 0, 0, 5] + Array("stock".utf8) + [0, 0, 0, 1, 0x41]
    expected += [0, 0, 0, 0, 0, 0, 1, 2] + Array(repeating: 0xFF, count: 32) + [0]
    #expect(bytes.bytes == expected)
  }

  @Test("A deleted document stays in the digest")
  func tombstones() throws {
    var log = LogBuilder()
    try log.append([.put(DocumentPut(collection: .record, document: DocumentID(1)))])
    let before = log.state.digest(using: SHA256.self)
    try log.append([.delete(.record, DocumentID(1))], by: 2)
    let after = log.state
    #expect(after.documents.count == 1)
    #expect(after.digest(using: SHA256.self) != before)
  }
}
