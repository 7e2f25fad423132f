import FolioDomain
import TestSupport
import Testing

@Suite("An amount given as a sum of money")
struct WorthTests {
  private let euro = AssetKey(type: AssetType(unchecked: "forex"), id: AssetID(unchecked: "EUR"))
  private let share = AssetKey(type: .stock, id: AssetID(unchecked: "A"))

  private func quote(_ price: String, _ factors: String...) throws -> Quote {
    Quote(
      price: try Price(price), pricedAt: Slot(index: 0), factors: try factors.map { try Price($0) })
  }

  private func amount(_ money: String, _ currency: Quote?, _ asset: Quote?) throws -> String {
    try Amount(worth: try Amount(money), in: (euro, currency), of: (share, asset)).text
  }

  @Test(
    "It is what the money buys at the latest prices, cut at 18 places",
    arguments: [
      ("500", "1.1", "100", "5.5"), ("-500", "1.1", "100", "-5.5"),
      ("1", "1", "3", "0.333333333333333333"), ("-1", "1", "3", "-0.333333333333333333"),
      ("2", "1", "3", "0.666666666666666666"), ("0.01", "1.08", "60000", "0.00000018"),
      ("1", "0.000001", "0.000000000001", "1000000"),
    ])
  func bought(money: String, currency: String, price: String, expected: String) throws {
    #expect(try amount(money, quote(currency), quote(price)) == expected)
  }

  @Test("Successors count with their factors, on both sides")
  func factors() throws {
    #expect(try amount("10", quote("1"), quote("5", "0.5", "0.1")) == "40")
    #expect(try amount("10", quote("2", "0.5"), quote("5")) == "2")
  }

  @Test("What cannot be said has an error of its own")
  func refusals() throws {
    #expect(throws: WorthError.currencyUnpriced(euro)) { try amount("1", nil, try quote("1")) }
    #expect(throws: WorthError.assetUnpriced(share)) { try amount("1", try quote("1"), nil) }
    #expect(throws: WorthError.priceZero(share)) { try amount("1", try quote("1"), try quote("0")) }
    #expect(throws: WorthError.priceZero(euro)) {
      try amount("1", try quote("1", "0"), try quote("1"))
    }
    #expect(throws: WorthError.buysNothing) {
      try amount("0.000000000000000001", try quote("1"), try quote("3"))
    }
    #expect(throws: WorthError.buysNothing) { try amount("0", try quote("1"), try quote("3")) }
    #expect(throws: WorthError.outOfRange) {
      try amount("99999999999999999999", try quote("10"), try quote("1"))
    }
    let errors: [WorthError] = [
      .assetUnpriced(share), .currencyUnpriced(euro), .priceZero(share), .buysNothing, .outOfRange,
    ]
    #expect(Set(errors.map(\.code)).count == errors.count)
    #expect(Set(errors.map(\.message)).count == errors.count)
    #expect(errors.allSatisfy { !$0.hint.isEmpty })
  }
}
