import FolioDomain
import Testing

@Suite("Names")
struct NameTests {
  @Test(
    "An asset type is 1 to 64 bytes of [a-z0-9.-], whether this build knows it or not",
    arguments: ["stock", "x", "real-estate", "a.b", "0", String(repeating: "z", count: 64)])
  func assetType(text: String) throws {
    #expect(try AssetType(validating: text).text == text)
  }

  @Test("Each rule of an asset type has its own error")
  func assetTypeErrors() {
    #expect(throws: NameError.assetTypeLength(byteCount: 0, limit: 64)) {
      try AssetType(validating: "")
    }
    #expect(throws: NameError.assetTypeLength(byteCount: 65, limit: 64)) {
      try AssetType(validating: String(repeating: "z", count: 65))
    }
    #expect(throws: NameError.assetTypeCharacter(offset: 2)) { try AssetType(validating: "stOck") }
    #expect(throws: NameError.assetTypeCharacter(offset: 1)) { try AssetType(validating: "aé") }
    #expect(throws: NameError.assetTypeCharacter(offset: 0)) { try AssetType(validating: "_") }
  }

  @Test(
    "F52: an asset's id is opaque and kept as it is",
    arguments: [
      "bitcoin", "Bitcoin", "BRK.B", " a ", "0x/§", "株", String(repeating: "é", count: 100),
    ])
  func assetID(text: String) throws {
    #expect(Array(try AssetID(validating: text).text.utf8) == Array(text.utf8))
  }

  @Test("Each rule of an asset's id has its own error")
  func assetIDErrors() {
    #expect(throws: NameError.assetIDLength(byteCount: 0, limit: 200)) {
      try AssetID(validating: "")
    }
    #expect(throws: NameError.assetIDLength(byteCount: 201, limit: 200)) {
      try AssetID(validating: String(repeating: "é", count: 100) + "a")
    }
    for (text, offset) in [("a\nb", 1), ("\u{0}", 0), ("ab\u{7F}", 2), ("é\u{85}", 2)] {
      #expect(throws: NameError.assetIDControlCharacter(offset: offset)) {
        try AssetID(validating: text)
      }
    }
  }

  @Test(
    "From bytes the same assets are read as from text, and no others",
    arguments: [
      "crypto:bitcoin", "a:b:c", "stock: ", "x:株", "x:\u{7F}", "x:a\u{85}", "x:\n", ":a", "x:", "x",
      "", "X:a", "é:a", "x:" + String(repeating: "é", count: 100),
      "x:" + String(repeating: "a", count: 201), String(repeating: "z", count: 65) + ":a",
    ])
  func assetOfBytes(text: String) {
    let bytes = Array(text.utf8)
    #expect(bytes.withUnsafeBytes { AssetKey(utf8: $0) } == (try? AssetKey(text)))
  }

  @Test("Bytes that are no UTF-8 name no asset")
  func assetOfOtherBytes() {
    let bytes = Array("crypto:".utf8) + [0xC3]
    #expect(bytes.withUnsafeBytes { AssetKey(utf8: $0) } == nil)
  }

  @Test("An asset is written type:id; the first colon divides")
  func assetKey() throws {
    let key = try AssetKey("crypto:bitcoin:wrapped")
    #expect(key.type.text == "crypto")
    #expect(key.id.text == "bitcoin:wrapped")
    #expect(key.text == "crypto:bitcoin:wrapped")
    #expect(throws: NameError.assetWithoutColon) { try AssetKey("bitcoin") }
    #expect(throws: NameError.assetIDLength(byteCount: 0, limit: 200)) { try AssetKey("crypto:") }
    #expect(throws: NameError.assetTypeLength(byteCount: 0, limit: 64)) { try AssetKey(":bitcoin") }
    #expect(try AssetKey("crypto::").id.text == ":")
  }

  @Test("F38: two normal forms of one text are two ids")
  func idsAreBytes() throws {
    let composed = try AssetID(validating: "é")
    let decomposed = try AssetID(validating: "e\u{301}")
    #expect(composed.text == decomposed.text, "Swift takes the texts for equal")
    #expect(composed != decomposed)
    #expect(Set([composed, decomposed]).count == 2)
    #expect(decomposed < composed)
    #expect(!(composed < decomposed))
    let fields = [FieldName(unchecked: "é"): 1, FieldName(unchecked: "e\u{301}"): 2]
    #expect(fields.count == 2)
  }

  @Test("Names are ordered by their bytes, a prefix first")
  func byteOrder() {
    let sorted = ["", "A", "B", "a", "aa", "b", "é", "\u{FFFD}", "🪙"].map {
      AssetID(unchecked: $0)
    }
    #expect(sorted.shuffled().sorted() == sorted)
  }

  @Test("Assets are ordered by type, then by id")
  func assetOrder() throws {
    let sorted = try ["a:z", "a.b:a", "b:a", "b:b"].map { try AssetKey($0) }
    #expect(sorted.shuffled().sorted() == sorted)
  }

  @Test("A collection's name is [a-z][a-z0-9-]{0,63}")
  func collectionName() throws {
    for text in ["record", "a", "price-alerts", "a0-", String(repeating: "z", count: 64)] {
      #expect(try CollectionName(validating: text).text == text)
    }
    #expect(throws: NameError.collectionNameLength(byteCount: 0, limit: 64)) {
      try CollectionName(validating: "")
    }
    #expect(throws: NameError.collectionNameLength(byteCount: 65, limit: 64)) {
      try CollectionName(validating: String(repeating: "z", count: 65))
    }
    for (text, offset) in [("0a", 0), ("-a", 0), ("a_b", 1), ("aB", 1), ("a.b", 1)] {
      #expect(throws: NameError.collectionNameCharacter(offset: offset)) {
        try CollectionName(validating: text)
      }
    }
  }

  @Test("A field's name is 1 to 200 bytes without control characters")
  func fieldName() throws {
    #expect(try FieldName(validating: "naïve key/1").text == "naïve key/1")
    #expect(throws: NameError.fieldNameLength(byteCount: 0, limit: 200)) {
      try FieldName(validating: "")
    }
    #expect(throws: NameError.fieldNameLength(byteCount: 201, limit: 200)) {
      try FieldName(validating: String(repeating: "a", count: 201))
    }
    #expect(throws: NameError.fieldNameControlCharacter(offset: 1)) {
      try FieldName(validating: "a\tb")
    }
  }

  @Test("Every error of a name has a code, a message and a hint of its own")
  func errorTexts() {
    let errors: [NameError] = [
      .assetTypeLength(byteCount: 65, limit: 64), .assetTypeCharacter(offset: 1),
      .assetIDLength(byteCount: 201, limit: 200), .assetIDControlCharacter(offset: 1),
      .assetWithoutColon, .categoryEmpty, .categoryTooLong(byteCount: 101, limit: 100),
      .categoryControlCharacter(offset: 1), .collectionNameLength(byteCount: 65, limit: 64),
      .collectionNameCharacter(offset: 1), .fieldNameLength(byteCount: 201, limit: 200),
      .fieldNameControlCharacter(offset: 1),
    ]
    #expect(Set(errors.map(\.code)).count == errors.count)
    #expect(errors.allSatisfy { !$0.message.isEmpty && !$0.hint.isEmpty })
  }
}
