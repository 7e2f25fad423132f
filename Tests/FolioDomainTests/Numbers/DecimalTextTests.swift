import FolioDomain
import TestSupport
import Testing

@Suite("Amounts and prices as text")
struct DecimalTextTests {
  @Test(
    "The one form is read and written back",
    arguments: [
      "0", "1", "-1", "0.5", "-0.000000000000000001", "99999999999999999999.999999999999999999",
      "-99999999999999999999.999999999999999999", "10", "100.01", "12345678901234567890",
    ])
  func amountRoundTrip(text: String) throws {
    #expect(try Amount(wire: text).text == text)
    #expect(try Amount(text).text == text)
    #expect(try Amount(text, form: .imported).text == text)
    #expect(Int256(try Amount(wire: text)).decimalText == text)
  }

  @Test(
    "The one form of a price is read and written back",
    arguments: [
      "0", "1", "0.5", "67012.5", "0.000000000000000000000000000000000001", "999999999999999999",
      "0.999999999999999999", "0.000000000000000000999999999999999999", "10", "1.00000000000000001",
    ])
  func priceRoundTrip(text: String) throws {
    #expect(try Price(wire: text).text == text)
    #expect(try Price(text, form: .imported).text == text)
  }

  @Test("On the wire any other form is refused", arguments: ["1.0", "0.50", "-0", "0.0", "-0.00"])
  func wireRefusesOtherForms(text: String) {
    #expect(throws: AmountError.notCanonical) { try Amount(wire: text) }
    #expect(throws: PriceError.notCanonical) { try Price(wire: text) }
  }

  @Test(
    "F36: what only looks like a number is refused in every form",
    arguments: [
      "", "-", "+1", ".5", "1.", "01", "00", "1,5", "1 ", " 1", "1abc", "--1", "0x10", "true",
      "NaN", "1.5.2", "１", "1_000",
    ])
  func malformed(text: String) {
    for form in [DecimalForm.wire, .typed, .imported] {
      #expect(throws: AmountError.self) { try Amount(text, form: form) }
      #expect(throws: PriceError.self) { try Price(text, form: form) }
    }
  }

  @Test("An error names the byte at which the text stops being a number")
  func malformedOffset() {
    #expect(throws: AmountError.malformed(offset: 3)) { try Amount("1.5x") }
    #expect(throws: AmountError.malformed(offset: 2)) { try Amount("1.") }
    #expect(throws: AmountError.malformed(offset: 0)) { try Amount("01") }
  }

  @Test("A person may type trailing zeros; the one form is kept")
  func typedTrailingZeros() throws {
    #expect(try Amount("1.50").text == "1.5")
    #expect(try Amount("0.000").text == "0")
    #expect(try Amount("100.000000000000000000000000").text == "100")
    #expect(try Price("80.00").text == "80")
    #expect(throws: AmountError.malformed(offset: 1)) { try Amount("1e3") }
  }

  @Test(
    "Importers also take exponents and JSON numbers, reading the digits",
    arguments: [
      ("1e3", "1000"), ("1E+3", "1000"), ("1.5e-3", "0.0015"), ("-0", "0"), ("-0.0e9", "0"),
      ("0e999999999999999999999999", "0"), ("12300e-2", "123"), ("1e-18", "0.000000000000000001"),
      ("0.00001e5", "1"), ("9007199254740993", "9007199254740993"), ("1.10e1", "11"),
      ("1e19", "10000000000000000000"),
    ])
  func imported(text: String, expected: String) throws {
    #expect(try Amount(text, form: .imported).text == expected)
  }

  @Test("F35: digits are kept exactly, where a Double would lose them")
  func exactDigits() throws {
    #expect(try Amount(wire: "9007199254740993").text == "9007199254740993")
    #expect(try Price(wire: "9007199254740993").text == "9007199254740993")
    #expect(try Price("1.79769313486231571e-1", form: .imported).text == "0.179769313486231571")
  }

  @Test("Digits beyond an amount's limits are refused with the limit, never cut")
  func amountLimits() {
    #expect(throws: AmountError.tooPrecise(digitCount: 19, limit: 18)) {
      try Amount("0.0000000000000000001")
    }
    #expect(throws: AmountError.tooLarge(digitCount: 21, limit: 20)) {
      try Amount("100000000000000000000")
    }
    #expect(throws: AmountError.tooLarge(digitCount: 21, limit: 20)) {
      try Amount("1e20", form: .imported)
    }
    #expect(throws: AmountError.self) { try Amount("1e999999999999999999999", form: .imported) }
    #expect(throws: AmountError.self) { try Amount("1e-999999999999999999999", form: .imported) }
    #expect(Amount(units: Int128(Amount.limit)) == nil)
    #expect(Amount(units: -Int128(Amount.limit)) == nil)
    #expect(Amount(units: Int128(Amount.limit) - 1) != nil)
  }

  @Test("Digits beyond a price's limits are refused with the limit, never cut")
  func priceLimits() {
    #expect(throws: PriceError.tooManyDigits(digitCount: 19, limit: 18)) {
      try Price("1.000000000000000001")
    }
    #expect(throws: PriceError.tooManyDigits(digitCount: 19, limit: 18)) {
      try Price("1000000000000000000")
    }
    #expect(throws: PriceError.tooPrecise(digitCount: 37, limit: 36)) {
      try Price("1e-37", form: .imported)
    }
    #expect(throws: PriceError.negative) { try Price("-1") }
  }

  @Test("Every error of a number has a code, a message and a hint of its own")
  func errorTexts() {
    let amounts: [AmountError] = [
      .malformed(offset: 3), .notCanonical, .tooLarge(digitCount: 21, limit: 20),
      .tooPrecise(digitCount: 19, limit: 18),
    ]
    let prices: [PriceError] = [
      .malformed(offset: 3), .notCanonical, .negative, .tooManyDigits(digitCount: 19, limit: 18),
      .tooPrecise(digitCount: 37, limit: 36),
    ]
    let errors: [any DomainError] = amounts + prices
    #expect(Set(errors.map(\.code)).count == errors.count)
    #expect(errors.allSatisfy { !$0.message.isEmpty && !$0.hint.isEmpty })
    #expect(amounts[2].message.contains("20"))
  }

  @Test("Any amount is read back from its text")
  func randomRoundTrip() throws {
    var random = SeededRandom()
    for _ in 0..<2_000 {
      let bits = Int128(truncatingIfNeeded: UInt128(random.next()) << 64 | UInt128(random.next()))
      guard let amount = Amount(units: bits >> Int128(random.int(1...127))) else { continue }
      #expect(try Amount(wire: amount.text) == amount)
      let mantissa = Int64(random.next() % 1_000_000_000_000_000_000)
      let price = try #require(Price(mantissa: mantissa, scale: random.int(0...36)))
      #expect(try Price(wire: price.text) == price)
    }
  }
}
