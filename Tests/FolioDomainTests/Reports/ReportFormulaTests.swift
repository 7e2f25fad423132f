import FolioDomain
import Testing

@Suite("What comes in, goes out and is earned")
struct ReportFormulaTests {
  let first = Slot(index: 100)
  private func after(_ steps: Int) -> Slot { first.advanced(by: steps) }

  @Test("An increase is a deposit at the later price, a decrease a withdrawal at the earlier price")
  func increaseAndDecrease() throws {
    let model = NaiveModel(
      from: first,
      [["stock:KO": "10"], ["stock:KO": "12"], ["stock:KO": "15"], ["stock:KO": "20"]],
      [
        change(after(-1), key("stock:KO"), "2"), change(after(0), key("stock:KO"), "1"),
        change(after(1), key("stock:KO"), "-2"),
      ])
    let report = try model.report()
    // 2 at 10; then 3 at 12: 12 came in; then 1 at 15: 2 at 12 went out; then 1 at 20.
    #expect(report.whole == ReportFigures("20", "20", in: "12", out: "24"))
    #expect(report.whole.profit == money("12"))
    #expect(report.whole.rate?.text == "0.375")
    #expect(report.asset("stock:KO")?.figures == report.whole)
    #expect(report.types.map(\.figures) == [report.whole])
    #expect(report.category("stock") == report.whole)
    #expect(report.series.map(\.value) == ["20", "36", "15", "20"].map(money))
    #expect(report.series.map(\.deposits) == ["0", "12", "0", "0"].map(money))
    #expect(report.series.map(\.withdrawals) == ["0", "0", "24", "0"].map(money))
  }

  @Test("The first snapshot's value is start, not deposit")
  func start() throws {
    let model = NaiveModel(
      from: first, [["stock:KO": "10"], ["stock:KO": "11"]],
      [change(after(-1), key("stock:KO"), "3")])
    #expect(try model.report().whole == ReportFigures("30", "33", in: "0", out: "0"))
  }

  @Test("A range with a single snapshot starts from nothing, six hours before")
  func single() throws {
    let model = NaiveModel(
      from: first, [["stock:KO": "10", "stock:PG": "2"]],
      [change(after(-1), key("stock:KO"), "3"), change(after(-1), key("stock:PG"), "-1")])
    let report = try model.report()
    #expect(report.whole == ReportFigures("0", "28", in: "30", out: "2"))
    #expect(report.whole.profit == .zero && report.whole.rate == Rate(units: .zero))
    #expect(report.asset("stock:PG")?.figures == ReportFigures("0", "-2", in: "0", out: "2"))
    #expect(report.series.map(\.slot) == [first] && report.series[0].value == money("28"))
    #expect(report.series[0].deposits == money("30") && report.series[0].withdrawals == money("2"))
    #expect(report.sold.isEmpty)
  }

  @Test("An asset that is bought and sold within a slot is in no snapshot, and in no report")
  func withinASlot() throws {
    let model = NaiveModel(
      from: first, [["stock:KO": "10"], [:]],
      [change(after(0), key("stock:KO"), "3"), change(after(0), key("stock:KO"), "-3")])
    let report = try model.report()
    #expect(report.assets.isEmpty && report.whole == ReportFigures())
  }

  @Test("An asset that becomes priced enters at the later snapshot, like a deposit")
  func becomesPriced() throws {
    let model = NaiveModel(
      from: first, [[:], [:], ["stock:KO": "10"], ["stock:KO": "11"]],
      [change(after(-1), key("stock:KO"), "3"), change(after(1), key("stock:KO"), "1")])
    let report = try model.report()
    #expect(report.whole == ReportFigures("0", "44", in: "40", out: "0"))
    #expect(report.series.map(\.deposits) == ["0", "0", "40", "0"].map(money))
    let asset = try #require(report.asset("stock:KO"))
    #expect(asset.start == nil && asset.end == money("44") && asset.profit == money("4"))
    #expect(report.startTotals.unpricedCount == 1 && report.endTotals.unpricedCount == 0)
  }

  @Test("An asset that was never priced has no figures but what came in and went out: nothing")
  func neverPriced() throws {
    let model = NaiveModel(
      from: first, [[:], [:]], [change(after(-1), key("stock:KO"), "3")])
    let report = try model.report()
    let asset = try #require(report.asset("stock:KO"))
    #expect(asset.start == nil && asset.end == nil && asset.profit == nil && asset.rate == nil)
    #expect(asset.amount == units("3") && !asset.isEverPriced)
    #expect(report.whole == ReportFigures() && report.whole.rate == nil)
  }

  @Test("An asset whose successor has no price yet leaves at the earlier price, and comes back")
  func successorWithoutPrice() throws {
    var successions = Successions()
    successions[key("crypto:old")] = Successor(
      id: AssetID(unchecked: "new"), factor: price("2"), fromSlot: after(1))
    let model = NaiveModel(
      from: first, [["crypto:old": "10"], [:], ["crypto:new": "6"], ["crypto:new": "7"]],
      [change(after(-1), key("crypto:old"), "3")], successions: successions)
    let report = try model.report()
    #expect(report.whole == ReportFigures("30", "42", in: "36", out: "30"))
    #expect(report.series.map(\.value) == ["30", "0", "36", "42"].map(money))
    #expect(report.whole.profit == money("6"))
  }

  @Test("Where a successor begins, the price moves to factor x its price: profit, no deposit")
  func succession() throws {
    var successions = Successions()
    successions[key("forex:TRL")] = Successor(
      id: AssetID(unchecked: "TRY"), factor: price("0.000001"), fromSlot: after(1))
    let model = NaiveModel(
      from: first, [["forex:TRL": "0.0000007452"], ["forex:TRY": "0.7406"]],
      [change(after(-1), key("forex:TRL"), "50000000")], successions: successions)
    let report = try model.report()
    #expect(report.whole == ReportFigures("37.26", "37.03", in: "0", out: "0"))
    #expect(report.whole.profit == money("-0.23"))
  }

  @Test("A carried price earns and loses nothing")
  func carried() throws {
    let model = NaiveModel(
      from: first, [["stock:KO": "10"], [:], [:], ["stock:KO": "10"]],
      [change(after(-1), key("stock:KO"), "3"), change(after(1), key("stock:KO"), "1")])
    let report = try model.report()
    #expect(report.whole == ReportFigures("30", "40", in: "10", out: "0"))
    #expect(report.whole.profit == .zero)
  }

  @Test("Below 0 a decrease goes out at the earlier price, and an increase comes in at the later")
  func overdrawn() throws {
    let model = NaiveModel(
      from: first, [["stock:KO": "10"], ["stock:KO": "12"], ["stock:KO": "15"]],
      [change(after(0), key("stock:KO"), "-2"), change(after(1), key("stock:KO"), "2")])
    let report = try model.report()
    // From 0 to -2 at 10, back to 0 at 15: -2 was held while 12 became 15, and 10 became 12.
    #expect(report.whole == ReportFigures("0", "0", in: "30", out: "20"))
    #expect(report.whole.profit == money("-10"))
    #expect(report.series.map(\.value) == ["0", "-24", "0"].map(money))
  }

  @Test("An amount that goes out of range leaves, and comes back when it is in range again")
  func outOfRange() throws {
    let most = units("99999999999999999999")
    let model = NaiveModel(
      from: first, [["stock:KO": "1"], [:], [:]],
      [
        change(after(-1), key("stock:KO"), "5"),
        HoldingChange(slot: after(0), asset: key("stock:KO"), sum: most),
        HoldingChange(slot: after(1), asset: key("stock:KO"), sum: -most),
      ])
    let report = try model.report()
    #expect(report.series.map(\.value) == ["5", "0", "5"].map(money))
    #expect(report.whole == ReportFigures("5", "5", in: "5", out: "5"))
  }
}
