extension ReportBuilder {
  /// Gives an asset that is in a snapshot for the first time its place in the report.
  mutating func appear(_ place: Int, _ walker: borrowing SnapshotWalker) {
    let asset = walker.holdings[place].asset
    let type = typeTallies[asset.type] ?? newTally()
    typeTallies[asset.type] = type
    assets[place].tally = (own: newTally(), type: type)
    if case .today(let named) = options.categories {
      let category = named[asset] ?? Category(defaultFor: asset.type)
      assets[place].todaysCategory = categories.number(of: category)
    }
  }

  private mutating func newTally() -> Int {
    tallies.append(ReportTally())
    return tallies.count - 1
  }

  /// The number of the category that a holding counts in at the walker's slot.
  func category(of place: Int, _ walker: borrowing SnapshotWalker) -> Int {
    if case .then = options.categories { return walker.holdings[place].category }
    return assets[place].todaysCategory
  }

  /// The tally of the category of a number, made at the first asking.
  mutating func categoryTally(_ number: Int) -> Int {
    while categoryTallies.count <= number { categoryTallies.append(nil) }
    if let tally = categoryTallies[number] { return tally }
    let tally = newTally()
    categoryTallies[number] = tally
    return tally
  }

  /// The first snapshot: what it is worth is where each element starts.
  mutating func begin(_ walker: inout SnapshotWalker) throws(ReportError) {
    for place in walker.held {
      // A category is in the report for an asset without a value, too.
      let category = categoryTally(category(of: place, walker))
      let value = walker.value(at: place)
      assets[place].isUnpricedAtStart = value == nil
      guard let value, let tally = assets[place].tally else { continue }
      for element in [0, tally.type, tally.own, category] { tallies[element].value += value }
    }
    for i in tallies.indices {
      tallies[i].figures.start = try currency.convert(tallies[i].value, at: .later)
    }
  }

  /// Keeps what the next snapshot is compared with.
  mutating func remember(_ walker: borrowing SnapshotWalker) {
    for place in held where walker.holdings[place].amount.isZero {
      assets[place].amount = .zero
      assets[place].value = nil
    }
    held = walker.held
    let countsThen = options.categories == .then
    if countsThen { categories = walker.categories }
    let places = held
    let holdings = walker.holdings.span
    var assets = assets.mutableSpan
    for place in places {
      assets[place].amount = holdings[place].amount
      assets[place].category =
        countsThen ? holdings[place].category : assets[place].todaysCategory
      assets[place].value = holdings[place].value
      assets[place].pricedAtIndex = holdings[place].pricedAtIndex
      if assets[place].value != nil { assets[place].isEverPriced = true }
      if !assets[place].amount.isNegative { assets[place].wasAboveZero = true }
    }
  }
}
