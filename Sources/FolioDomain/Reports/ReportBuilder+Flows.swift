extension ReportBuilder {
  /// Whether more of a holding changed since the snapshot before than the price.
  func isChanged(_ place: Int, _ walker: borrowing SnapshotWalker) -> Bool {
    if assets[place].amount != walker.holdings[place].amount { return true }
    // What was not held and is not has no part in it.
    if assets[place].amount.isZero { return false }
    return assets[place].hasValue != (walker.value(at: place) != nil)
      || assets[place].category != category(of: place, walker)
  }

  /// Finds what came in and went out with a holding between the snapshot before and the walker's.
  mutating func compare(_ place: Int, _ walker: borrowing SnapshotWalker) {
    let slot = walker.slot
    let number = walker.holdings[place].number
    let step = Step(
      from: assets[place].amount, to: walker.holdings[place].amount,
      before: walker.prices.quote(of: number, at: Slot(index: slot.index - 1)),
      after: walker.prices.quote(of: number, at: slot))
    guard let tally = assets[place].tally else { return }
    // Where an asset is not held it is in no category: it comes into, or goes out of, the other's.
    let now = category(of: place, walker)
    let new = categoryTally(step.to.isZero ? assets[place].category : now)
    let old = step.from.isZero ? new : categoryTally(assets[place].category)
    for (value, point) in step.flows {
      for element in [0, tally.type, tally.own] { add(value, at: point, to: element) }
      if old == new { add(value, at: point, to: old) }
    }
    guard old != new else { return }
    for (value, point) in step.leaving { add(value, at: point, to: old) }
    if let value = step.valueAfter { add(value, at: .later, to: new) }
  }

  mutating func add(_ value: Value, at point: DisplayCurrency.Point, to element: Int) {
    guard !value.isZero else { return }
    if !tallies[element].isTouched { touched.append(element) }
    tallies[element].add(value, at: point)
  }

  /// Converts what was found and adds it to the figures; gives the whole's.
  mutating func closeFlows() throws(ReportError) -> ReportTally.Flow {
    var whole = ReportTally.Flow()
    for element in touched {
      let flow = try tallies[element].close(currency)
      if element == 0 { whole = flow }
    }
    touched.removeAll(keepingCapacity: true)
    return whole
  }
}

/// An asset from one snapshot to the next.
private struct Step {
  let from: Int256
  let to: Int256
  let before: Quote?
  let after: Quote?

  /// What it is worth in the earlier snapshot; nil where it does not count there.
  ///
  /// Of what is not held nothing counts, but only where there is a price to sell it at.
  var valueBefore: Value? { before?.value(of: from) }
  /// What it is worth in the later snapshot; nil where it does not count there.
  var valueAfter: Value? { after?.value(of: to) }

  /// What the asset's amount brings in, or below 0, takes out.
  var flows: [(Value, DisplayCurrency.Point)] {
    if let change { return [change] }
    return [(-(valueBefore ?? .zero), .earlier), (valueAfter ?? .zero, .later)]
  }

  /// What takes the asset out of its old category, where it goes into another.
  var leaving: [(Value, DisplayCurrency.Point)] {
    guard let change, let kept = after?.value(of: min(from, to)) else {
      return [(-(valueBefore ?? .zero), .earlier)]
    }
    return change.1 == .earlier ? [change, (-kept, .later)] : [(-kept, .later)]
  }

  /// The increase at the later price, or the decrease at the earlier; nil where the asset does not
  /// count in both snapshots, so that it enters, or leaves, as a whole.
  private var change: (Value, DisplayCurrency.Point)? {
    guard let before, let after, valueBefore != nil, let valueAfter else { return nil }
    let difference = to - from
    if difference.isNegative {
      return worth(difference, from, to, before).map { ($0, .earlier) }
    }
    // Beginning from nothing the term is the value itself.
    if from.isZero { return (valueAfter, .later) }
    return worth(difference, from, to, after).map { ($0, .later) }
  }

  /// The worth of a difference, which may be beyond an amount's range where its ends are not.
  private func worth(
    _ difference: Int256, _ from: Int256, _ to: Int256, _ quote: Quote
  ) -> Value? {
    if let value = quote.value(of: difference) { return value }
    guard let end = quote.value(of: to), let start = quote.value(of: from) else { return nil }
    return end - start
  }
}
