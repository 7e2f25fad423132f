import LMDB
import Testing

@Suite struct KeyReaderTests {
  @Test func allPartsAreReadInTheOrderWritten() throws {
    var key = KeyBuilder()
    key.append(UInt8(7))
    key.append(UInt16(0x0102))
    key.append(Int32(-5))
    key.append(Int64.min)
    key.append(UInt128.max)
    key.append(fixed: [9, 8, 7])
    try key.append(text: "h\u{E9}llo")
    try key.append(text: "")
    #expect(key.byteCount == 1 + 2 + 4 + 8 + 16 + 3 + 7 + 1)
    let bytes = key.bytes
    var reader = KeyReader(bytes.span.bytes)
    let numbers = (
      try reader.readUInt8(), try reader.readUInt16(), try reader.readInt32(),
      try reader.readInt64(), try reader.readUInt128()
    )
    #expect(numbers == (7, 0x0102, -5, .min, .max))
    let rest = (try reader.readFixed(3), try reader.readText(), try reader.readText())
    #expect(rest == ([9, 8, 7], "h\u{E9}llo", ""))
    let isAtEnd = reader.isAtEnd
    #expect(isAtEnd)
    try reader.finish()
  }

  /// Reads with a codec and gives the place where the key could not be read.
  static func place<Codec: KeyCodec>(_ codec: Codec.Type, _ bytes: [UInt8]) -> Int? {
    do throws(StorageError) {
      _ = try Codec.key(bytes.span.bytes)
      return nil
    } catch .keyUnreadable(let offset) {
      return offset
    } catch {
      return -1
    }
  }

  @Test func whatCannotBeReadIsRefusedWithItsPlace() {
    #expect(Self.place(UInt32Key.self, [1, 2, 3]) == 0)
    #expect(Self.place(UInt32Key.self, [1, 2, 3, 4]) == nil)
    #expect(Self.place(UInt32Key.self, [1, 2, 3, 4, 5]) == 4)
    #expect(Self.place(PairKey<UInt32Key, UInt64Key>.self, [1, 2, 3, 4, 5]) == 4)
    #expect(Self.place(TextKey.self, [0x61, 0x62]) == 0)
    #expect(Self.place(TextKey.self, [0x61, 0xFF, 0]) == 0)
    #expect(Self.place(TextKey.self, []) == 0)
  }

  @Test func textWithNULIsRefused() throws {
    var key = KeyBuilder()
    key.append(UInt8(1))
    #expect(throws: StorageError.keyTextHasNUL) { try key.append(text: "a\0b") }
    #expect(throws: StorageError.keyTextHasNUL) { try key.append(headOfText: "\0") }
    #expect(key.bytes == [1])
  }

  @Test func aHeadInCommonIsKept() throws {
    var key = KeyBuilder()
    try key.append(text: "a")
    let head = key.byteCount
    key.append(UInt8(1))
    key.truncate(to: head)
    key.append(UInt8(2))
    #expect(key.bytes == [0x61, 0, 2])
    key.removeAll()
    try key.append(headOfText: "ab")
    #expect(key.bytes == [0x61, 0x62])
  }
}
