import FolioCrypto
import FolioDomain
import TestSupport
import Testing

@Suite("Prices given in windows")
struct PriceWindowTests {
  private let slots = Slot(index: 40)...Slot(index: 90)

  @Test("Snapshots by windows are those by tables, wherever a window begins or is left")
  func snapshots() {
    var random = SeededRandom()
    for _ in 0..<60 {
      let model = NaiveModel.random(&random, slots: slots)
      let first = random.slot(slots)
      _ = model.walk(inWindowsFrom: first, through: slots.upperBound, &random) { walker in
        let expected = model.snapshot(at: walker.slot)
        #expect(walker.totals() == expected.totals)
        #expect(walker.snapshot() == expected)
        #expect(
          walker.digest(using: SHA256.self)
            == SnapshotDigest.digest(of: expected, using: SHA256.self))
        #expect(
          walker.quote(of: key("crypto:a")) == model.quote(of: key("crypto:a"), at: walker.slot))
      }
    }
  }

  @Test("Totals that are asked for now and then are those of the snapshot")
  func nowAndThen() {
    var random = SeededRandom()
    for _ in 0..<40 {
      let model = NaiveModel.random(&random, slots: slots)
      var asking = SeededRandom(seed: random.next())
      _ = model.walk(inWindowsFrom: slots.lowerBound, through: slots.upperBound, &random) {
        guard asking.one(in: 3) else { return }
        #expect($0.totals() == model.snapshot(at: $0.slot).totals)
      }
    }
  }

  @Test("The report by windows is the report by tables, in any currency and by any categories")
  func reports() throws {
    var random = SeededRandom()
    for _ in 0..<60 {
      let model = NaiveModel.random(&random, slots: slots)
      let range = random.slot(slots)...slots.upperBound
      for options in [
        ReportOptions(), ReportOptions(currency: key("forex:EUR")),
        ReportOptions(categories: .today([key("stock:A"): named("Growth")])),
      ] {
        let expected = Result { try model.report(range, options) }
        let found = Result { try model.report(inWindows: range, options, &random) }
        switch (expected, found) {
        case (.success(let expected), .success(let found)): #expect(found == expected)
        case (.failure(let expected), .failure(let found)):
          #expect(found as? ReportError == expected as? ReportError)
        default: Issue.record("one gives a report, the other does not")
        }
      }
    }
  }

  @Test("Of a window that a single price ends, the slots up to that price count on")
  func leftEarly() {
    let asset = key("stock:A")
    let first = Slot(index: 100)
    var walker = SnapshotWalker(at: first, rules: PricingRules(base: "USD"))
    let number = walker.number(of: asset)
    let prices = (0..<PriceWindow.slotCount).map { price("\($0 + 1)") }
    walker.observe(
      PriceWindow(
        first: first, columns: [PriceWindow.Column(number: number, slots: .max, start: 0)],
        prices: prices))
    #expect(walker.quote(of: asset)?.price == price("1"))
    walker.advance()
    walker.advance()
    walker.observe(price("7"), of: walker.number(of: key("stock:B")))
    #expect(walker.quote(of: asset) == Quote(price: price("3"), pricedAt: Slot(index: 102)))
    walker.advance()
    #expect(walker.quote(of: asset) == Quote(price: price("3"), pricedAt: Slot(index: 102)))
  }
}

extension NaiveModel {
  /// The report of a range of slots, with prices given in windows.
  fileprivate func report(
    inWindows range: ClosedRange<Slot>, _ options: ReportOptions, _ random: inout SeededRandom
  ) throws -> Report {
    var builder = ReportBuilder(options: options, rules: rules)
    let walker = try walk(
      inWindowsFrom: range.lowerBound, through: range.upperBound, &random
    ) { try builder.add(&$0) }
    return try builder.finish(walker)
  }

  /// A walker that starts at `slot` and gives each snapshot up to `last`, with prices given in windows;
  /// now and then one is left for another, or for a single table.
  fileprivate func walk(
    inWindowsFrom slot: Slot, through last: Slot, _ random: inout SeededRandom,
    _ body: (inout SnapshotWalker) throws -> Void
  ) rethrows -> SnapshotWalker {
    var walker = SnapshotWalker(at: slot, rules: rules)
    for table in tables where table.slot < slot { walker.observe(table) }
    for change in changes where change.slot < slot { walker.apply(change) }
    var end: Slot?
    while true {
      if random.one(in: 9) {
        for table in tables where table.slot == walker.slot { walker.observe(table) }
        if tables.contains(where: { $0.slot == walker.slot }) { end = nil }
      } else if end.map({ $0 < walker.slot }) ?? true || random.one(in: 9) {
        let window = window(around: &walker, &random)
        walker.observe(window)
        end = window.last
      }
      try body(&walker)
      if walker.slot == last { return walker }
      for change in changes where change.slot == walker.slot { walker.apply(change) }
      walker.advance()
    }
  }

  /// A window with the walker's slot, of the tables as they are.
  private func window(
    around walker: inout SnapshotWalker, _ random: inout SeededRandom
  ) -> PriceWindow {
    let first = walker.slot.advanced(by: -random.int(0...(PriceWindow.slotCount - 1)))
    var columns: [PriceWindow.Column] = []
    // What stands where there is no price does not count.
    var prices: [Price] = [price("5")]
    var rows: [AssetKey: [Int: Price]] = [:]
    for table in tables {
      let place = Int(table.slot.index - first.index)
      guard (0..<PriceWindow.slotCount).contains(place) else { continue }
      for row in table.prices { rows[row.asset, default: [:]][place] = row.price }
    }
    for (asset, found) in rows {
      let slots = found.keys.reduce(UInt16(0)) { $0 | 1 << UInt16($1) }
      columns.append(
        PriceWindow.Column(number: walker.number(of: asset), slots: slots, start: prices.count))
      for place in 0..<PriceWindow.slotCount { prices.append(found[place] ?? price("5")) }
    }
    return PriceWindow(first: first, columns: columns, prices: prices)
  }
}
