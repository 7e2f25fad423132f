import FolioDomain
import TestSupport
import Testing

@Suite("The short way to read a decimal")
struct PlainDecimalTests {
  /// Texts of every length, some of them no decimals.
  private func text(_ random: inout SeededRandom) -> String {
    var text = random.one(in: 4) ? "-" : ""
    text += String((0..<random.int(0...21)).map { _ in random.pick("0123456789") })
    if random.one(in: 2) {
      text += "." + String((0..<random.int(0...20)).map { _ in random.pick("0012345678") })
    }
    if random.one(in: 20) { text += random.pick(["x", " ", ".", "-", "e"]) }
    return text
  }

  @Test("It reads what the general way reads, and refuses nothing else")
  func agrees() {
    var random = SeededRandom()
    for _ in 0..<20_000 {
      let text = text(&random)
      // An exponent of 0 changes nothing, but that only the general way reads it.
      let general = try? Amount(text + "e0", form: .imported)
      let imported = try? Amount(text, form: .imported)
      #expect(general == imported, "\(text)")
      let wire = try? Amount(wire: text)
      #expect(wire == (general?.text == text ? general : nil), "\(text)")
      let price = try? Price(text + "e0", form: .imported)
      #expect((try? Price(text, form: .imported)) == price, "\(text)")
      #expect((try? Price(wire: text)) == (price?.text == text ? price : nil), "\(text)")
    }
  }
}
