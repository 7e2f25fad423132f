import FolioDomain
import Testing

@Suite("Values as they are shown")
struct MoneyDisplayTests {
  @Test(
    "F44: a value is shown with its currency's digits, and never as 0 where it is not 0",
    arguments: [
      ("0", "USD", "$0.00"), ("1234.5", "USD", "$1,234.50"),
      ("-1234567.895", "EUR", "-€1,234,567.90"),
      ("0.5", "USD", "$0.50"), ("0.000012345", "USD", "$0.000012"), ("80", "CHF", "CHF 80.00"),
      ("0.000000000000000001", "USD", "$0.000000000000000001"), ("1999.5", "JPY", "¥2,000"),
      ("0.0999", "USD", "$0.100"), ("2.0005", "KWD", "KWD 2.000"), ("0.999", "USD", "$1.00"),
      ("-0.004", "USD", "-$0.0040"), ("999", "XXX", "XXX 999.00"), ("0.05", "USD", "$0.050"),
    ])
  func shown(value: String, currency: String, expected: String) throws {
    let exact = try #require(Value(value))
    #expect(exact.displayText(in: CurrencyStyle(code: currency)) == expected)
  }

  @Test("F45: rounding for display leaves the value as it is")
  func roundingIsForDisplay() throws {
    let value = try #require(Value("1.005"))
    #expect(value.rounded(places: 2).text == "1")
    #expect(value.rounded(places: 3) == value)
    #expect(try #require(Value("-1.015")).rounded(places: 2).text == "-1.02")
    #expect(value.text == "1.005")
  }

  @Test(
    "A rate is shown in hundredths with two places",
    arguments: [
      ("0", "0.00 %"), ("0.0525", "5.25 %"), ("-0.00005", "0.00 %"), ("-0.00015", "-0.02 %"),
      ("1", "100.00 %"), ("12345.67891", "1234567.89 %"), ("-0.1", "-10.00 %"),
    ])
  func rates(rate: String, expected: String) throws {
    #expect(Rate(units: try #require(Value(rate)).units).percentText == expected)
  }

  @Test("F44: amounts and prices are shown with all their digits")
  func allDigits() throws {
    #expect(try Amount("0.123456789012345678").description == "0.123456789012345678")
    #expect(try Price("0.00000123456789").description == "0.00000123456789")
  }
}
