/// The figures of one element of a report while they are added up.
struct ReportTally: Sendable {
  /// Converted.
  var figures = ReportFigures()
  /// What the element is worth in one snapshot, in the base currency.
  var value = Value.zero
  /// What came in and went out between two snapshots, in the base currency, at the price of the one
  /// and of the other.
  var later = Flow()
  var earlier = Flow()
  /// Whether there is a flow that is not in the figures.
  var isTouched = false

  /// What came in, and what went out.
  struct Flow: Sendable {
    var deposits = Value.zero
    var withdrawals = Value.zero

    /// Adds what came in, or, below 0, went out.
    mutating func add(_ value: Value) {
      if value.isNegative { withdrawals -= value } else { deposits += value }
    }

    func converted(
      _ currency: DisplayCurrency, at point: DisplayCurrency.Point
    ) throws(ReportError) -> Flow {
      Flow(
        deposits: try currency.convert(deposits, at: point),
        withdrawals: try currency.convert(withdrawals, at: point))
    }
  }

  mutating func add(_ value: Value, at point: DisplayCurrency.Point) {
    if point == .later { later.add(value) } else { earlier.add(value) }
    isTouched = true
  }

  /// Converts the flows between two snapshots and adds them to the figures; gives them, converted.
  mutating func close(_ currency: DisplayCurrency) throws(ReportError) -> Flow {
    guard isTouched else { return Flow() }
    var flow = try later.converted(currency, at: .later)
    let early = try earlier.converted(currency, at: .earlier)
    flow.deposits += early.deposits
    flow.withdrawals += early.withdrawals
    figures.deposits += flow.deposits
    figures.withdrawals += flow.withdrawals
    later = Flow()
    earlier = Flow()
    isTouched = false
    return flow
  }
}
