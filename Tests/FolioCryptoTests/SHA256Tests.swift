import FolioCrypto
import FolioDomain
import Testing

@Suite struct SHA256Tests {
  /// The examples of FIPS 180-4 and of NIST's test vectors.
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqr"
        + "lmnopqrsmnopqrstnopqrstu",
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
    ),
  ])
  func knownAnswers(text: String, digits: String) throws {
    let expected = try Hash256(digits)
    #expect(SHA256.hash(of: Array(text.utf8)) == expected)
    #expect(SHA256.hash(ofUTF8: text) == expected)
    var function = SHA256()
    for byte in text.utf8 { withUnsafeBytes(of: byte) { function.update($0) } }
    #expect(function.finalize() == expected, "byte by byte")
    for byte in text.utf8 { withUnsafeBytes(of: byte) { function.update($0) } }
    #expect(function.finalize() == expected, "after finishing it starts anew")
  }

  @Test func aMillionTimesA() throws {
    let expected = try Hash256("cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    var function = SHA256()
    let block = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000)
    for _ in 0..<1_000 { block.withUnsafeBytes { function.update($0) } }
    #expect(function.finalize() == expected)
  }

  @Test func aCopyGoesOnByItself() {
    var original = SHA256()
    Array("ab".utf8).withUnsafeBytes { original.update($0) }
    var copy = original
    Array("c".utf8).withUnsafeBytes { copy.update($0) }
    Array("d".utf8).withUnsafeBytes { original.update($0) }
    #expect(copy.finalize() == SHA256.hash(ofUTF8: "abc"))
    #expect(original.finalize() == SHA256.hash(ofUTF8: "abd"))
    var other = copy
    Array("x".utf8).withUnsafeBytes { other.update($0) }
    #expect(copy.finalize() == SHA256.hash(of: []), "a copy was finished, not its original")
    #expect(other.finalize() == SHA256.hash(ofUTF8: "x"))
  }

  @Test func manyThreadsHashAtOnce() async {
    let expected = (0..<200).map { SHA256.hash(ofUTF8: "text \($0)") }
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<16 {
        group.addTask {
          (0..<200).allSatisfy { SHA256.hash(ofUTF8: "text \($0)") == expected[$0] }
        }
      }
      for await isRight in group { #expect(isRight) }
    }
  }
}
