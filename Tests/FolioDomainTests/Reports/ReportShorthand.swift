import FolioDomain

extension NaiveModel {
  /// A model whose tables have the prices of one row a slot, from `first` on.
  init(
    from first: Slot, _ rows: [[String: String]], _ changes: [HoldingChange],
    successions: Successions = Successions()
  ) {
    self.init(
      rules: PricingRules(base: "USD", successions: successions), changes: changes,
      tables: priceTables(from: first, rows))
  }

  /// The report of a range of slots.
  func report(_ range: ClosedRange<Slot>, _ options: ReportOptions = ReportOptions()) throws
    -> Report
  {
    var builder = ReportBuilder(options: options, rules: rules)
    let walker = try walk(from: range.lowerBound, through: range.upperBound) {
      try builder.add(&$0)
    }
    return try builder.finish(walker)
  }

  /// The report of all slots there is a table of.
  func report(_ options: ReportOptions = ReportOptions()) throws -> Report {
    guard let first = tables.first?.slot, let last = tables.last?.slot else {
      throw ReportError.noSnapshots
    }
    return try report(first...last, options)
  }
}

extension ReportFigures {
  /// Figures of those texts.
  init(_ start: String, _ end: String, in deposits: String, out withdrawals: String) {
    self.init()
    self.start = money(start)
    self.end = money(end)
    self.deposits = money(deposits)
    self.withdrawals = money(withdrawals)
  }
}

extension Report {
  /// The figures of a category, by its name.
  func category(_ name: String) -> ReportFigures? {
    categories.first { $0.category.key == named(name).key }?.figures
  }

  /// The report of an asset.
  func asset(_ text: String) -> AssetReport? { assets.first { $0.asset == key(text) } }
}
