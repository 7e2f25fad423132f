import FolioDomain
import Testing

@Suite("Gainers, losers, sold assets and rates")
struct ReportRankingTests {
  let first = Slot(index: 100)
  private func after(_ steps: Int) -> Slot { first.advanced(by: steps) }

  /// One of each asset, held from the start, at the prices of two tables.
  private func model(_ start: [String: String], _ end: [String: String]) -> NaiveModel {
    NaiveModel(
      from: first, [start, end],
      Set(start.keys).union(end.keys).sorted().map { change(after(-1), key($0), "1") })
  }

  @Test("F61: where start + deposits is not above 0 there is no rate, and nothing is ranked by it")
  func noRate() throws {
    let model = NaiveModel(
      from: first,
      [["stock:A": "0", "stock:B": "10", "stock:C": "10"], ["stock:A": "5", "stock:B": "20"]],
      [
        change(after(-1), key("stock:A"), "1"), change(after(-1), key("stock:B"), "-1"),
        change(after(-1), key("stock:C"), "1"),
      ])
    let report = try model.report()
    #expect(report.asset("stock:A")?.rate == nil)
    #expect(report.asset("stock:A")?.profit == money("5"))
    #expect(report.asset("stock:B")?.rate == nil)
    #expect(report.whole.start == .zero && report.whole.rate == nil)
    #expect(report.gainers.isEmpty && report.losers.isEmpty)
  }

  @Test("Gainers come greatest rate first, losers least first; equal rates in byte order")
  func order() throws {
    let report = try model(
      [
        "stock:A": "10", "stock:B": "10", "stock:C": "100", "stock:D": "10", "stock:E": "10",
        "stock:F": "10",
      ],
      [
        "stock:A": "11", "stock:B": "15", "stock:C": "110", "stock:D": "9", "stock:E": "5",
        "stock:F": "10",
      ]
    ).report()
    #expect(report.gainers.map(\.asset) == ["stock:B", "stock:A", "stock:C"].map(key))
    #expect(report.losers.map(\.asset) == ["stock:E", "stock:D"].map(key))
    #expect(report.gainers.map(\.rate?.text) == ["0.5", "0.1", "0.1"])
    #expect(report.losers.map(\.rate?.text) == ["-0.5", "-0.1"])
  }

  @Test("An asset says where its last price is from, and a point how many have none or a stale one")
  func origins() throws {
    let prices = ["stock:A": "10", "stock:B": "10", "stock:C": "10"]
    let rows =
      [prices] + (1...17).map { $0 == 1 ? ["stock:A": "11", "stock:B": "11"] : ["stock:A": "11"] }
    let model = NaiveModel(
      from: first, rows,
      ["stock:A", "stock:B", "stock:C", "stock:D"].map {
        change(after(-1), key($0), "1", named("N"))
      })
    let report = try model.report()
    #expect(
      ["A", "B", "C", "D"].map { report.asset("stock:" + $0)?.pricedAt } == [
        after(17), after(1), first, nil,
      ])
    #expect(report.assets.map(\.isStaleAtEnd) == [false, false, true, false])
    #expect(report.assets.allSatisfy { $0.category == named("N") })
    #expect(report.series.map(\.unpricedCount) == [Int](repeating: 1, count: 18))
    #expect(report.series.map(\.staleCount) == [Int](repeating: 0, count: 17) + [1])
  }

  @Test("At most as many are listed as was asked for")
  func most() throws {
    let names = (1...9).map { "stock:\($0)" }
    let model = model(
      Dictionary(uniqueKeysWithValues: names.map { ($0, "10") }),
      Dictionary(uniqueKeysWithValues: names.map { ($0, "1\($0.last ?? "0")") }))
    #expect(try model.report().gainers.map(\.asset) == names.reversed().prefix(5).map(key))
    let two = try model.report(ReportOptions(rankedMax: 2))
    #expect(two.gainers.map(\.asset) == ["stock:9", "stock:8"].map(key))
  }

  @Test(
    "Only what is held above 0 at the end is a gainer or a loser; what was sold is listed apart")
  func sold() throws {
    let prices = ["stock:A": "10", "stock:B": "10", "stock:C": "10", "stock:D": "10"]
    let later = ["stock:A": "20", "stock:B": "20", "stock:C": "20", "stock:D": "20"]
    let model = NaiveModel(
      from: first, [prices, later, later],
      [
        change(after(-1), key("stock:A"), "1"), change(after(-1), key("stock:B"), "1"),
        change(after(-1), key("stock:C"), "2"), change(after(-1), key("stock:D"), "1"),
        change(after(1), key("stock:A"), "-1"), change(after(1), key("stock:B"), "-2"),
        change(after(1), key("stock:C"), "-1"),
      ])
    let report = try model.report()
    #expect(report.gainers.map(\.asset) == ["stock:C", "stock:D"].map(key))
    #expect(report.sold.map(\.asset) == ["stock:A", "stock:B"].map(key))
    #expect(report.sold.map(\.amount) == [units("0"), units("-1")])
    #expect(report.sold[0].figures == ReportFigures("10", "0", in: "0", out: "20"))
    #expect(report.sold[0].rate?.text == "1")
    // Sold before the range: not in it.
    let late = try model.report(after(2)...after(2))
    #expect(late.sold.isEmpty && late.asset("stock:A") == nil)
  }
}
