import FolioDomain
import Testing

@Suite("Reports in another currency")
struct ReportCurrencyTests {
  let first = Slot(index: 100)
  private func after(_ steps: Int) -> Slot { first.advanced(by: steps) }
  private let inEuro = ReportOptions(currency: key("forex:EUR"))

  @Test("F62: each point is converted with the rate of its own slot")
  func ownRates() throws {
    let model = NaiveModel(
      from: first,
      [
        ["stock:KO": "10", "forex:EUR": "1.25"], ["stock:KO": "10", "forex:EUR": "1"],
        ["stock:KO": "10", "forex:EUR": "2"],
      ],
      [
        change(after(-1), key("stock:KO"), "2"), change(after(0), key("stock:KO"), "3"),
        change(after(1), key("stock:KO"), "-4"),
      ])
    let report = try model.report(inEuro)
    // 20 at 1.25; then 50 at 1, of which 30 came in; then 10 at 2, while 40 went out at 1.
    #expect(report.series.map(\.value) == ["16", "50", "5"].map(money))
    #expect(report.whole == ReportFigures("16", "5", in: "30", out: "40"))
    #expect(report.whole.profit == money("-1"))
    #expect(report.currency == key("forex:EUR"))
    #expect(report.asset("stock:KO")?.figures == report.whole)
    #expect(report.endTotals.value == money("10"))
  }

  @Test("A move is converted with the later rate, out of the one and into the other")
  func move() throws {
    let model = NaiveModel(
      from: first,
      [["stock:KO": "10", "forex:EUR": "1.25"], ["stock:KO": "12", "forex:EUR": "1.5"]],
      [
        change(after(-1), key("stock:KO"), "2", named("Old")),
        change(after(0), key("stock:KO"), "0", named("New")),
      ])
    let report = try model.report(inEuro)
    #expect(report.category("Old") == ReportFigures("16", "0", in: "0", out: "16"))
    #expect(report.category("New") == ReportFigures("0", "16", in: "16", out: "0"))
  }

  @Test(
    "What is sold in the step of a move is converted with the earlier rate, the move itself not")
  func moveAndSell() throws {
    let model = NaiveModel(
      from: first,
      [["stock:KO": "10", "forex:EUR": "1.25"], ["stock:KO": "12", "forex:EUR": "1.5"]],
      [
        change(after(-1), key("stock:KO"), "2", named("Old")),
        change(after(0), key("stock:KO"), "-0.5", named("New")),
      ])
    let report = try model.report(inEuro)
    #expect(report.category("Old") == ReportFigures("16", "0", in: "0", out: "16"))
    #expect(report.category("New") == ReportFigures("0", "12", in: "12", out: "0"))
    #expect(report.whole == ReportFigures("16", "12", in: "0", out: "4"))
    let other = NaiveModel(
      rules: model.rules, changes: model.changes,
      tables: priceTables(
        from: first,
        [["stock:KO": "10", "forex:EUR": "1.25"], ["stock:KO": "12", "forex:EUR": "2"]]))
    // 5 went out at 1.25, and 18 at 2.
    #expect(
      try other.report(inEuro).category("Old") == ReportFigures("16", "0", in: "0", out: "13"))
  }

  @Test("A rate is carried over like any price")
  func carriedRate() throws {
    let model = NaiveModel(
      from: first, [["stock:KO": "10", "forex:EUR": "1.25"], ["stock:KO": "20"]],
      [change(after(-1), key("stock:KO"), "1")])
    #expect(try model.report(inEuro).whole == ReportFigures("8", "16", in: "0", out: "0"))
  }

  @Test("The currency itself stays the same in it, whatever its rate does")
  func holdingTheCurrency() throws {
    let model = NaiveModel(
      from: first, [["forex:EUR": "1.17"], ["forex:EUR": "0.97"]],
      [change(after(-1), key("forex:EUR"), "123.45")])
    let report = try model.report(inEuro)
    #expect(report.whole == ReportFigures("123.45", "123.45", in: "0", out: "0"))
    #expect(report.whole.rate == Rate(units: .zero))
  }

  @Test("A conversion is rounded once, half to even, at 18 places")
  func rounding() throws {
    let model = NaiveModel(
      from: first, [["stock:KO": "1", "forex:EUR": "3"], ["stock:KO": "2", "forex:EUR": "3"]],
      [change(after(-1), key("stock:KO"), "1")])
    let whole = try model.report(inEuro).whole
    #expect(whole.start.text == "0.333333333333333333")
    #expect(whole.end.text == "0.666666666666666667")
  }

  @Test("A currency with a successor converts by the factors x the successor's price")
  func succession() throws {
    var successions = Successions()
    successions[key("forex:TRL")] = Successor(
      id: AssetID(unchecked: "TRY"), factor: price("0.000001"), fromSlot: after(1))
    let model = NaiveModel(
      from: first,
      [["stock:KO": "7.5", "forex:TRL": "0.00000075"], ["forex:TRY": "0.6"]],
      [change(after(-1), key("stock:KO"), "1")], successions: successions)
    let report = try model.report(ReportOptions(currency: key("forex:TRL")))
    #expect(report.whole == ReportFigures("10000000", "12500000", in: "0", out: "0"))
  }

  @Test("In the base currency nothing is converted, named or not")
  func baseCurrency() throws {
    let model = NaiveModel(
      from: first, [["stock:KO": "10", "forex:USD": "3"], [:]],
      [change(after(-1), key("stock:KO"), "1")])
    let named = try model.report(ReportOptions(currency: key("forex:USD")))
    #expect(try named == model.report())
    #expect(named.currency == key("forex:USD"))
  }

  @Test("Without a rate there is no report, but for slots with nothing to convert")
  func noRate() throws {
    let model = NaiveModel(
      from: first, [["stock:KO": "10"], ["stock:KO": "10"], ["forex:EUR": "2"]],
      [change(after(1), key("stock:KO"), "1")])
    #expect(try model.report(inEuro).whole == ReportFigures("0", "5", in: "5", out: "0"))
    var early = model
    early.changes[0].slot = after(0)
    #expect(throws: ReportError.noRate(key("forex:EUR"), at: after(1))) {
      try early.report(inEuro)
    }
    var zero = model
    zero.tables[2].prices[0].price = price("0")
    #expect(throws: ReportError.noRate(key("forex:EUR"), at: after(2))) { try zero.report(inEuro) }
  }

  @Test("A figure that passes the limit is refused, with the limit")
  func limit() throws {
    let model = NaiveModel(
      from: first,
      [["stock:KO": "1000000000", "c:tiny": "0.000000000000000000000000000000000001"]],
      [change(after(-1), key("stock:KO"), "10000000000000000000")])
    #expect(throws: ReportError.outOfRange(key("c:tiny"), at: first, digitLimit: 52)) {
      try model.report(ReportOptions(currency: key("c:tiny")))
    }
  }
}
