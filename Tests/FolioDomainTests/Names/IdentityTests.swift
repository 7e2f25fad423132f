import FolioCrypto
import FolioDomain
import TestSupport
import Testing

@Suite("Ids and hashes as text")
struct IdentityTests {
  @Test("An id is 32 lower-case hexadecimal digits, first byte first")
  func hexadecimal() throws {
    let id = DeviceID(0x0001_0203_0405_0607_0809_0A0B_0C0D_0E0F)
    #expect(id.text == "000102030405060708090a0b0c0d0e0f")
    #expect(try DeviceID(id.text) == id)
    #expect(TransactionID(.max).text == String(repeating: "f", count: 32))
  }

  @Test(
    "What is no id is refused",
    arguments: [
      "", "0", "000102030405060708090A0B0C0D0E0F", "000102030405060708090a0b0c0d0e0g",
      "000102030405060708090a0b0c0d0e0f0", " 00102030405060708090a0b0c0d0e0f",
    ])
  func malformed(text: String) {
    #expect(throws: IdentityError.hexadecimal(digitCount: 32)) { try TransactionID(text) }
    #expect(throws: IdentityError.hexadecimal(digitCount: 64)) { try Hash256(text) }
    #expect(throws: IdentityError.hexadecimal(digitCount: 64)) { try AccountID(text + text) }
  }

  @Test("A hash is 64 digits, and its bytes are compared as they are written")
  func hash() throws {
    let hash = SHA256.hash(ofUTF8: "abc")
    #expect(hash.text == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(try Hash256(hash.text) == hash)
    #expect(Hash256(hash.bytes) == hash)
    #expect(hash.bytes.first == 0xBA)
    #expect(Hash256(Array(hash.bytes.dropLast())) == nil)
    #expect(Hash256.zero < hash)
  }

  @Test("A document's id is a UUID in lower case with hyphens")
  func uuid() throws {
    let text = "6a1f0c3e-9d42-4b7a-8f15-20c1d3e4f5a6"
    #expect(try DocumentID(text).text == text)
    for wrong in [
      text.uppercased(), String(text.dropLast()), "6a1f0c3e9d42-4b7a-8f15-20c1d3e4f5a6-",
      "{\(text)}", "",
    ] {
      #expect(throws: IdentityError.uuid) { try DocumentID(wrong) }
    }
  }

  @Test("A new document's id is a random UUID of version 4")
  func randomUUID() throws {
    let source = SeededSource(seed: 1)
    for _ in 0..<100 {
      let text = DocumentID(random: source).text
      let characters = Array(text)
      #expect(characters[14] == "4")
      #expect("89ab".contains(characters[19]))
      #expect(try DocumentID(text).text == text)
    }
    #expect(DocumentID(random: source) != DocumentID(random: source))
  }

  @Test("F59: new ids differ, whatever the clock says")
  func newIDs() {
    let source = SeededSource(seed: 2)
    #expect(Set((0..<1_000).map { _ in TransactionID(random: source) }).count == 1_000)
  }

  @Test("Any id is read back from its text")
  func roundTrip() throws {
    var random = SeededRandom()
    for _ in 0..<500 {
      let value = UInt128(random.next()) << 64 | UInt128(random.next())
      #expect(try InstanceID(InstanceID(value).text).value == value)
      #expect(try DocumentID(DocumentID(value).text).value == value)
      let hash = Hash256(words: (random.next(), random.next(), random.next(), random.next()))
      #expect(try Hash256(hash.text) == hash)
      #expect(Hash256(hash.bytes) == hash)
    }
  }
}
