import FolioDomain
import Testing

@Suite("Assets that another one follows")
struct SuccessionTests {
  private func rules(
    _ links: [(AssetKey, AssetKey, String, Slot)], base: String = "USD"
  ) -> PricingRules {
    var successions = Successions()
    for (old, new, factor, slot) in links {
      successions[old] = Successor(id: new.id, factor: price(factor), fromSlot: slot)
    }
    return PricingRules(base: base, successions: successions)
  }

  private func quote(
    _ asset: AssetKey, at slot: Slot, _ rules: PricingRules, _ tables: [PriceTable]
  ) -> Quote? {
    var carrier = PriceCarrier(rules: rules)
    for table in tables where table.slot <= slot { carrier.observe(table) }
    let number = carrier.number(of: asset)
    return carrier.quote(of: number, at: slot)
  }

  /// A chain of coins from 0 to `steps`, each step with that factor.
  private func chain(_ steps: Int, factor: String) -> PricingRules {
    rules(
      (0..<steps).map { step in
        (coin(step), coin(step + 1), factor, Slot(index: 0))
      })
  }

  private func coin(_ number: Int) -> AssetKey {
    AssetKey(type: AssetType(unchecked: "c"), id: AssetID(unchecked: "\(number)"))
  }

  @Test("F51: a lira redenominated at 1,000,000 to 1 is worth the new one's price x 0.000001")
  func lira() throws {
    let from = at("2005-01-03T18Z")
    let rules = rules([(key("forex:TRL"), key("forex:TRY"), "0.000001", from)])
    let tables =
      priceTables(from: at("2004-12-31T18Z"), [["forex:TRL": "0.0000007452"]])
      + priceTables(from: from, [["forex:TRY": "0.7406"]])
    let before = try #require(self.quote(key("forex:TRL"), at: at("2005-01-03T12Z"), rules, tables))
    #expect(before == Quote(price: price("0.0000007452"), pricedAt: at("2004-12-31T18Z")))
    let after = try #require(self.quote(key("forex:TRL"), at: from, rules, tables))
    #expect(after == Quote(price: price("0.7406"), pricedAt: from, factors: [price("0.000001")]))
    #expect(before.value(of: units("50000000")) == money("37.26"))
    #expect(after.value(of: units("50000000")) == money("37.03"))
    let later = try #require(self.quote(key("forex:TRL"), at: at("2005-01-05T00Z"), rules, tables))
    #expect(later.pricedAt == from)
  }

  @Test("From its slot on a successor without a price leaves the old asset unpriced")
  func successorWithoutPrice() {
    let rules = rules([(key("forex:TRL"), key("forex:TRY"), "0.000001", at("2005-01-03T18Z"))])
    let tables = priceTables(from: at("2004-12-31T18Z"), [["forex:TRL": "0.0000007452"]])
    #expect(quote(key("forex:TRL"), at: at("2005-01-03T12Z"), rules, tables) != nil)
    #expect(quote(key("forex:TRL"), at: at("2005-01-03T18Z"), rules, tables) == nil)
  }

  @Test("A chain is as long as its successors have begun")
  func chainInTime() {
    let rules = rules([
      (key("crypto:a"), key("crypto:b"), "2", at("2026-01-01T06Z")),
      (key("crypto:b"), key("crypto:c"), "3", at("2026-01-01T12Z")),
    ])
    let prices: [String: String] = ["crypto:a": "1", "crypto:b": "10", "crypto:c": "100"]
    let tables = priceTables(from: at("2026-01-01T00Z"), [prices, prices, prices])
    let quotes = (0..<3).map { quote(key("crypto:a"), at: tables[$0].slot, rules, tables) }
    #expect(quotes.map { $0?.price } == [price("1"), price("10"), price("100")])
    #expect(quotes.map { $0?.factors } == [[], [price("2")], [price("2"), price("3")]])
    #expect(quotes.map { $0?.value(of: units("1")) } == [money("1"), money("20"), money("600")])
  }

  @Test("Eight steps are followed and rounded once, at the end")
  func eightSteps() throws {
    // 0.1 eight times is 10^-8: 5 x 10^-11 x 10^-8 is half a unit, which goes to the even 0;
    // rounding on the way would not tell it from a unit and a half.
    let eight = chain(8, factor: "0.1")
    let tables = priceTables(from: Slot(index: 1), [[coin(8).text: "0.00000000005"]])
    let quote = try #require(self.quote(coin(0), at: Slot(index: 1), eight, tables))
    #expect(quote.factors.count == 8)
    #expect(quote.value(of: units("1"))?.units == .zero)
    #expect(quote.value(of: units("3"))?.units == Int256(2 as Int128))
    #expect(quote.value(of: units("1.000000000000000001"))?.units == Int256(1 as Int128))
  }

  @Test("Nine steps leave the asset unpriced, and the eight after it priced")
  func nineSteps() {
    let nine = chain(9, factor: "1")
    let tables = priceTables(from: Slot(index: 1), [[coin(9).text: "5"]])
    #expect(quote(coin(0), at: Slot(index: 1), nine, tables) == nil)
    #expect(quote(coin(1), at: Slot(index: 1), nine, tables)?.price == price("5"))
  }

  @Test("A circle is unpriced, also where it is entered from outside or is one asset long")
  func circles() {
    let circle = rules([
      (key("c:in"), key("c:a"), "1", Slot(index: 0)), (key("c:a"), key("c:b"), "1", Slot(index: 0)),
      (key("c:b"), key("c:a"), "1", Slot(index: 0)),
      (key("c:self"), key("c:self"), "1", Slot(index: 0)),
    ])
    let tables = priceTables(
      from: Slot(index: 1), [["c:a": "1", "c:b": "1", "c:self": "1", "c:in": "1"]])
    for asset in [key("c:in"), key("c:a"), key("c:b"), key("c:self")] as [AssetKey] {
      #expect(quote(asset, at: Slot(index: 1), circle, tables) == nil)
      #expect(circle.successions.end(of: asset, at: Slot(index: 1), base: circle.base) == nil)
    }
  }

  @Test("A circle that has not closed yet is none")
  func openCircle() {
    let circle = rules([
      (key("c:a"), key("c:b"), "2", Slot(index: 1)),
      (key("c:b"), key("c:a"), "0.5", Slot(index: 3)),
    ])
    let tables = priceTables(from: Slot(index: 1), [["c:a": "1", "c:b": "7"]])
    #expect(quote(key("c:a"), at: Slot(index: 2), circle, tables)?.price == price("7"))
    #expect(quote(key("c:a"), at: Slot(index: 3), circle, tables) == nil)
  }

  @Test("A chain that ends in the base currency is worth its factors, priced at the snapshot")
  func intoTheBaseCurrency() {
    let toEuro = rules(
      [(key("forex:HRK"), key("forex:EUR"), "0.132722808", at("2023-01-01T00Z"))], base: "EUR")
    let quote = self.quote(key("forex:HRK"), at: at("2023-01-01T06Z"), toEuro, [])
    #expect(quote?.price == price("1") && quote?.pricedAt == at("2023-01-01T06Z"))
    #expect(quote?.value(of: units("100")) == money("13.2722808"))
  }

  @Test("The base currency has no successor")
  func baseStays() {
    let rules = rules([(key("forex:USD"), key("forex:EUR"), "2", Slot(index: 0))])
    #expect(quote(key("forex:USD"), at: Slot(index: 5), rules, [])?.price == price("1"))
  }

  @Test("Amount x factor x price fits: 127, 60 and 60 bits; what passes 38 digits has no value")
  func fullWidth() {
    let most = "999999999999999999"
    let wide = chain(1, factor: most)
    let amount = units("99999999999999999999.999999999999999999")
    let low = priceTables(from: Slot(index: 1), [[coin(1).text: "0.999999999999999999"]])
    #expect(
      quote(coin(0), at: Slot(index: 1), wide, low)?.value(of: amount)?.text
        == "99999999999999999800000000000000000099.000000000000000002")
    let high = priceTables(from: Slot(index: 1), [[coin(1).text: most]])
    #expect(quote(coin(0), at: Slot(index: 1), wide, high) != nil)
    #expect(quote(coin(0), at: Slot(index: 1), wide, high)?.value(of: amount) == nil)
  }

  @Test("Of an asset that the table repeats, the first row counts")
  func repeated() {
    let row = { (successor: Successor?) in
      AssetInfo(asset: key("c:a"), symbol: "A", name: "A", successor: successor)
    }
    let successor = Successor(
      id: AssetID(unchecked: "b"), factor: price("1"), fromSlot: Slot(index: 0))
    #expect(Successions([row(nil), row(successor)])[key("c:a")] == nil)
    #expect(Successions([row(successor), row(nil)])[key("c:a")] == successor)
  }
}
