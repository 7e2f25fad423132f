import FolioDomain
import Testing

@Suite("Categories")
struct CategoryTests {
  @Test("A category's name is trimmed and brought into normal form C")
  func spelling() throws {
    #expect(try Category(named: "  Long term \n").spelling.text == "Long term")
    let composed = try Category(named: "Tra\u{308}ume")
    #expect(Array(composed.spelling.text.utf8) == Array("Tr\u{E4}ume".utf8))
    #expect(try Category(named: "\u{3000}a\u{A0}").spelling.text == "a")
    #expect(Array(try Category(named: "\u{212B}").spelling.text.utf8) == Array("\u{C5}".utf8))
  }

  /// Holds [save-5].
  @Test("The identity is the name in lower case and normal form C")
  func key() throws {
    #expect(try Category(named: "COINS").key == (try Category(named: "coins")).key)
    #expect(try Category(named: "É").key == (try Category(named: "e\u{301}")).key)
    #expect(try Category(named: "Ⅷ").key.text == "ⅷ")
    #expect(try Category(named: "a").key != (try Category(named: "á")).key)
    #expect(try Category(named: "COINS") != (try Category(named: "coins")))
  }

  @Test(
    "Folding what is folded changes nothing", arguments: ["İstanbul", "ẞ", "Å", "Ǆ", "ΑΣ", "Ⱥ"])
  func foldingTwice(name: String) throws {
    let key = try Category(named: name).key.text
    #expect(Array(TextRule.folded(key).utf8) == Array(key.utf8))
  }

  @Test("Each rule of a category's name has its own error")
  func errors() throws {
    #expect(throws: NameError.categoryEmpty) { try Category(named: "") }
    #expect(throws: NameError.categoryEmpty) { try Category(named: " \t\u{2003}\n") }
    #expect(throws: NameError.categoryTooLong(byteCount: 101, limit: 100)) {
      try Category(named: String(repeating: "a", count: 101))
    }
    #expect(throws: NameError.categoryControlCharacter(offset: 1)) { try Category(named: "a\nb") }
    #expect(throws: NameError.categoryControlCharacter(offset: 2)) {
      try Category(named: "é\u{9F}x")
    }
    #expect(try Category(named: String(repeating: "a", count: 100)).spelling.text.count == 100)
  }

  @Test("The longest name has a key within its limit")
  func longestKey() throws {
    // Two bytes in upper case, three in lower case: the worst there is.
    let category = try Category(named: String(repeating: "Ⱥ", count: 50))
    #expect(category.spelling.text.utf8.count == 100)
    #expect(category.key.text.utf8.count == 150)
  }

  @Test("A recorded category is judged by bytes alone, alike in every version of Unicode")
  func recorded() throws {
    // Neither normal form nor folding is looked at again.
    let category = try Category(recordedKey: "E\u{301}", spelling: " e\u{301}")
    #expect(Array(category.key.text.utf8) == Array("E\u{301}".utf8))
    #expect(throws: NameError.categoryTooLong(byteCount: 151, limit: 150)) {
      try Category(recordedKey: String(repeating: "a", count: 151), spelling: "a")
    }
    #expect(throws: NameError.categoryEmpty) { try Category(recordedKey: "", spelling: "a") }
    #expect(throws: NameError.categoryEmpty) { try Category(recordedKey: "a", spelling: "") }
    #expect(throws: NameError.categoryControlCharacter(offset: 0)) {
      try Category(recordedKey: "\u{1}", spelling: "a")
    }
  }
}
