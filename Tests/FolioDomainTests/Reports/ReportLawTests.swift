import FolioDomain
import TestSupport
import Testing

@Suite("Laws of reports, on random markets")
struct ReportLawTests {
  private let slots = Slot(index: 0)...Slot(index: 30)

  /// The sum of min(a, a') x (p' - p) over consecutive snapshots, and how many terms are rounded.
  private func profitByPrices(
    _ asset: AssetKey, _ model: NaiveModel, _ range: ClosedRange<Slot>
  ) -> (profit: Value, changes: Int) {
    var profit = Value.zero
    var changes = 0
    for (slot, next) in zip(range, range.dropFirst()) {
      let (a, b) = (model.amount(of: asset, at: slot), model.amount(of: asset, at: next))
      if a != b { changes += 1 }
      guard let p = model.quote(of: asset, at: slot), let q = model.quote(of: asset, at: next),
        p.value(of: a) != nil, q.value(of: b) != nil
      else { continue }
      if let later = q.value(of: min(a, b)), let earlier = p.value(of: min(a, b)) {
        profit += later - earlier
      }
    }
    return (profit, changes)
  }

  private func isNear(_ a: Value, _ b: Value, units: Int) -> Bool {
    (a - b).magnitude.units < Int256(Int128(units + 1))
  }

  @Test("Profit is the sum of min(a, a') x (p' - p), but for one unit of the 18th place a term")
  func bothForms() throws {
    var random = SeededRandom()
    for _ in 0..<60 {
      let model = NaiveModel.random(&random, slots: slots)
      let report = try model.report(slots)
      var whole = Value.zero
      var terms = 0
      for asset in report.assets {
        let (profit, changes) = profitByPrices(asset.asset, model, slots)
        #expect(isNear(asset.figures.profit, profit, units: changes), "\(asset.asset)")
        whole += profit
        terms += changes
      }
      #expect(isNear(report.whole.profit, whole, units: terms))
    }
  }

  @Test("Assets add up to types and to the whole; categories to its ends, and to its profit")
  func levels() throws {
    var random = SeededRandom()
    for _ in 0..<60 {
      let model = NaiveModel.random(&random, slots: slots)
      let range = random.slot(slots)...slots.upperBound
      let report = try model.report(range)
      let sum = { (all: [ReportFigures], member: (ReportFigures) -> Value) in
        all.reduce(Value.zero) { $0 + member($1) }
      }
      let assets = report.assets.map(\.figures)
      for member in [\.start, \.end, \.deposits, \.withdrawals] as [KeyPath<ReportFigures, Value>] {
        #expect(sum(assets) { $0[keyPath: member] } == report.whole[keyPath: member])
        let types = sum(report.types.map(\.figures)) { $0[keyPath: member] }
        #expect(types == report.whole[keyPath: member])
      }
      let categories = report.categories.map(\.figures)
      #expect(sum(categories, \.start) == report.whole.start)
      #expect(sum(categories, \.end) == report.whole.end)
      let moves = model.changes.filter { $0.category != nil }.count
      #expect(isNear(sum(categories, \.profit), report.whole.profit, units: moves))
    }
  }

  @Test("The series begins with start, ends with end, and its flows are the report's")
  func series() throws {
    var random = SeededRandom()
    for _ in 0..<40 {
      var model = NaiveModel.random(&random, slots: slots)
      // A rate from the first slot on, which may be anything but 0.
      model.rules.successions[key("forex:EUR")] = nil
      for i in model.tables.indices {
        model.tables[i].prices.removeAll { $0.asset == key("forex:EUR") }
        model.tables[i].prices.append(
          PricedAsset(asset: key("forex:EUR"), price: price("1.\(random.int(1...999))1")))
      }
      let first = try #require(model.tables.first?.slot)
      for currency in [nil, key("forex:EUR")] {
        let report = try model.report(
          first...slots.upperBound, ReportOptions(currency: currency))
        #expect(report.series.map(\.slot) == Array(report.range))
        if report.range.count > 1 { #expect(report.series.first?.value == report.whole.start) }
        #expect(report.series.last?.value == report.whole.end)
        #expect(
          report.series.reduce(.zero) { $0 + $1.deposits } == report.whole.deposits)
        #expect(
          report.series.reduce(.zero) { $0 + $1.withdrawals } == report.whole.withdrawals)
      }
    }
  }

  @Test("Two ranges that meet in a snapshot come to what the one over both comes to")
  func meeting() throws {
    var random = SeededRandom()
    for _ in 0..<40 {
      let model = NaiveModel.random(&random, slots: slots)
      let middle = Slot(index: Int64(random.int(1...29)))
      let whole = try model.report(slots).whole
      let first = try model.report(slots.lowerBound...middle).whole
      let second = try model.report(middle...slots.upperBound).whole
      #expect(first.deposits + second.deposits == whole.deposits)
      #expect(first.withdrawals + second.withdrawals == whole.withdrawals)
      #expect(first.profit + second.profit == whole.profit)
    }
  }

  @Test("The order in which changes and prices are told makes no difference")
  func permuted() throws {
    var random = SeededRandom()
    for _ in 0..<20 {
      let model = NaiveModel.random(&random, slots: slots)
      var permuted = model
      permuted.changes.shuffle(using: &random)
      permuted.changes.sort { $0.slot < $1.slot }
      for i in permuted.tables.indices { permuted.tables[i].prices.shuffle(using: &random) }
      #expect(try model.report(slots) == permuted.report(slots))
    }
  }
}
