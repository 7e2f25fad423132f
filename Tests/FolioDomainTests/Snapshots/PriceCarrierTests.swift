import FolioDomain
import Testing

@Suite("Which price counts for an asset in a snapshot")
struct PriceCarrierTests {
  let rules = PricingRules(base: "USD")

  private func carrier(_ tables: [PriceTable]) -> PriceCarrier {
    var carrier = PriceCarrier(rules: rules)
    for table in tables { carrier.observe(table) }
    return carrier
  }

  private func quote(_ carrier: PriceCarrier, _ asset: AssetKey, _ slot: Slot) -> Quote? {
    var carrier = carrier
    let number = carrier.number(of: asset)
    return carrier.quote(of: number, at: slot)
  }

  @Test("The price in the slot's own table counts")
  func own() {
    let carrier = self.carrier(
      priceTables(from: at("2026-01-01T06Z"), [["stock:KO": "60"], ["stock:KO": "61"]]))
    #expect(
      quote(carrier, key("stock:KO"), at("2026-01-01T12Z"))
        == Quote(price: price("61"), pricedAt: at("2026-01-01T12Z")))
  }

  @Test("F47: an id that is missing from a table is carried over; the others are as they are")
  func missingOne() {
    let carrier = self.carrier(
      priceTables(
        from: at("2026-01-01T06Z"), [["stock:KO": "60", "stock:PG": "1"], ["stock:PG": "2"]]))
    #expect(
      quote(carrier, key("stock:KO"), at("2026-01-01T12Z"))
        == Quote(price: price("60"), pricedAt: at("2026-01-01T06Z")))
    #expect(
      quote(carrier, key("stock:PG"), at("2026-01-01T12Z"))
        == Quote(price: price("2"), pricedAt: at("2026-01-01T12Z")))
  }

  @Test("F48: a weekend without prices draws no fall; Friday's close is carried, and not stale")
  func weekend() {
    // 2026-10-30 is a Friday; the close of 21:00 UTC stands in the table of Saturday 00Z.
    let friday = at("2026-10-31T00Z")
    var walker = SnapshotWalker(at: friday, rules: rules)
    walker.apply(change(at("2026-10-01T00Z"), key("stock:KO"), "2"))
    var values: [Value] = []
    walker.walk(
      through: at("2026-11-03T00Z"), changes: [],
      tables: priceTables(from: friday, [["stock:KO": "70.5"]])
        + priceTables(from: at("2026-11-03T00Z"), [["stock:KO": "71"]])
    ) { walker in
      let totals = walker.totals()
      #expect(totals.staleCount == 0)
      values.append(totals.value)
    }
    #expect(values == Array(repeating: money("141"), count: 12) + [money("142")])
  }

  @Test("F49: a later price is never used, not for the slot before either")
  func noLaterPrice() {
    let carrier = self.carrier(priceTables(from: at("2026-01-01T06Z"), [[:], ["stock:KO": "61"]]))
    #expect(quote(carrier, key("stock:KO"), at("2026-01-01T06Z")) == nil)
    let two = self.carrier(
      priceTables(from: at("2026-01-01T00Z"), [["stock:KO": "60"], [:], ["stock:KO": "61"]]))
    #expect(
      quote(two, key("stock:KO"), at("2026-01-01T06Z"))
        == Quote(price: price("60"), pricedAt: at("2026-01-01T00Z")))
  }

  @Test("F49: a walker refuses the table of a slot it has not come to")
  func laterTable() async {
    await #expect(processExitsWith: .failure) {
      var walker = SnapshotWalker(at: Slot(index: 10), rules: PricingRules(base: "USD"))
      walker.observe(PriceTable(slot: Slot(index: 11), prices: []))
    }
  }

  /// Holds [carry-3].
  @Test("A price that is exactly 4 days old is not stale; one slot more, and it is")
  func staleBoundary() {
    let quote = Quote(price: price("60"), pricedAt: at("2026-01-01T06Z"))
    #expect(!quote.isStale(at: at("2026-01-01T06Z")))
    #expect(!quote.isStale(at: at("2026-01-05T06Z")))
    #expect(quote.isStale(at: at("2026-01-05T12Z")))
  }

  @Test("A stale price still counts, and is counted as stale")
  func staleCounts() {
    var walker = SnapshotWalker(at: at("2026-01-01T06Z"), rules: rules)
    walker.apply(change(at("2026-01-01T00Z"), key("stock:KO"), "1"))
    var stale: [Slot] = []
    walker.walk(
      through: at("2026-01-06T06Z"), changes: [],
      tables: priceTables(from: at("2026-01-01T06Z"), [["stock:KO": "60"]])
    ) { walker in
      let totals = walker.totals()
      #expect(totals.value == money("60"))
      if totals.staleCount == 1 { stale.append(walker.slot) }
    }
    #expect(
      stale == [
        at("2026-01-05T12Z"), at("2026-01-05T18Z"), at("2026-01-06T00Z"), at("2026-01-06T06Z"),
      ])
  }

  @Test("An asset that no table named is unpriced: shown, counted, left out of the total")
  func unpriced() {
    var walker = SnapshotWalker(at: at("2026-01-01T06Z"), rules: rules)
    walker.apply(change(at("2026-01-01T00Z"), key("stock:KO"), "1"))
    walker.apply(change(at("2026-01-01T00Z"), key("stock:PG"), "1"))
    walker.observe(priceTables(from: at("2026-01-01T06Z"), [["stock:PG": "2"]])[0])
    let snapshot = walker.snapshot()
    #expect(snapshot.assets.map(\.asset) == [key("stock:KO"), key("stock:PG")])
    #expect(snapshot.assets[0].quote == nil && snapshot.assets[0].value == nil)
    #expect(snapshot.totals == walker.totals())
    #expect(snapshot.totals.value == money("2"))
    #expect(snapshot.totals.assetCount == 2 && snapshot.totals.unpricedCount == 1)
  }

  @Test("A price of 0 is a price")
  func zero() {
    var walker = SnapshotWalker(at: at("2026-01-01T06Z"), rules: rules)
    walker.apply(change(at("2026-01-01T00Z"), key("stock:KO"), "1"))
    walker.observe(priceTables(from: at("2026-01-01T06Z"), [["stock:KO": "0"]])[0])
    #expect(walker.snapshot().assets[0].value == .zero)
    #expect(walker.totals().unpricedCount == 0)
  }

  @Test("The base currency is always 1, priced at the snapshot, whatever a table says")
  func baseCurrency() {
    let carrier = self.carrier(
      priceTables(from: at("2026-01-01T06Z"), [["forex:USD": "2", "forex:EUR": "1.1"]]))
    for slot in [at("2026-01-01T06Z"), at("2026-03-01T06Z")] as [Slot] {
      #expect(quote(carrier, key("forex:USD"), slot) == Quote(price: price("1"), pricedAt: slot))
    }
    #expect(quote(carrier, key("stock:USD"), at("2026-01-01T06Z")) == nil)
  }

  @Test("F50: two assets of one symbol have prices of their own: the id decides")
  func sharedSymbol() {
    let successions = Successions([
      AssetInfo(asset: key("crypto:bitcoin"), symbol: "BTC", name: "Bitcoin", rank: 1),
      AssetInfo(asset: key("crypto:bobby-the-cat"), symbol: "BTC", name: "Bobby The Cat"),
    ])
    var carrier = PriceCarrier(rules: PricingRules(base: "USD", successions: successions))
    carrier.observe(
      priceTables(
        from: at("2026-01-01T06Z"),
        [["crypto:bitcoin": "67012.5", "crypto:bobby-the-cat": "0.000004"]])[0])
    #expect(quote(carrier, key("crypto:bitcoin"), at("2026-01-01T06Z"))?.price == price("67012.5"))
    #expect(
      quote(carrier, key("crypto:bobby-the-cat"), at("2026-01-01T06Z"))?.price
        == price("0.000004"))
    #expect(quote(carrier, key("crypto:BTC"), at("2026-01-01T06Z")) == nil)
  }

  @Test("F51: an id that the provider retired keeps its last price and can be sold")
  func retired() {
    var walker = SnapshotWalker(at: at("2022-12-30T18Z"), rules: rules)
    walker.apply(change(at("2022-12-01T00Z"), key("forex:HRK"), "1000"))
    walker.observe(priceTables(from: at("2022-12-30T18Z"), [["forex:HRK": "0.14"]])[0])
    walker.apply(change(at("2022-12-30T18Z"), key("forex:HRK"), "-400"))
    for _ in 0..<1_000 { walker.advance() }
    #expect(walker.totals().value == money("84"))
    #expect(walker.totals().staleCount == 1)
    #expect(walker.snapshot().assets[0].quote?.pricedAt == at("2022-12-30T18Z"))
  }

  @Test("F52: ids that differ in case or in normal form are different assets")
  func opaqueIDs() {
    let composed = AssetKey(
      type: AssetType(unchecked: "crypto"), id: AssetID(unchecked: "caf\u{e9}"))
    let decomposed = AssetKey(
      type: AssetType(unchecked: "crypto"), id: AssetID(unchecked: "cafe\u{301}"))
    let assets = [key("crypto:Dash"), key("crypto:dash"), composed, decomposed]
    let prices = ["1", "2", "3", "4"].map(price)
    let table = PriceTable(
      slot: at("2026-01-01T06Z"),
      prices: zip(assets, prices).map { PricedAsset(asset: $0, price: $1) })
    let carrier = self.carrier([table])
    #expect(assets.map { quote(carrier, $0, at("2026-01-01T06Z"))?.price } == prices)
  }

  @Test("The last prices may be looked for backwards: the latest found stays")
  func backwards() {
    let all = priceTables(
      from: at("2026-01-01T00Z"), [["stock:KO": "1"], ["stock:KO": "2"], [:], ["stock:PG": "3"]])
    let forwards = carrier(all)
    let backwards = carrier(all.reversed())
    for asset in [key("stock:KO"), key("stock:PG")] as [AssetKey] {
      #expect(
        quote(forwards, asset, at("2026-01-01T18Z"))
          == quote(backwards, asset, at("2026-01-01T18Z")))
    }
  }
}
