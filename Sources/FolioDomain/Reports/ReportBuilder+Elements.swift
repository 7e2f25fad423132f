extension ReportBuilder {
  /// Gives an asset that is in a snapshot for the first time its place in the report.
  mutating func appear(_ place: Int, _ walker: borrowing SnapshotWalker) {
    let asset = walker.holdings[place].asset
    let type = typeTallies[asset.type] ?? newTally()
    typeTallies[asset.type] = type
    assets[place].tally = (own: newTally(), type: type)
    if case .today(let categories) = options.categories {
      let category = categories[asset] ?? Category(defaultFor: asset.type)
      assets[place].todaysCategory = todaysCategories.number(of: category)
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

  /// The category of a number.
  func category(numbered number: Int, _ walker: borrowing SnapshotWalker) -> Category {
    if case .then = options.categories { return walker.categories[number] }
    return todaysCategories[number]
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
    sumValues(&walker)
    for i in tallies.indices {
      tallies[i].figures.start = try currency.convert(tallies[i].value, at: .later)
    }
    for place in walker.held {
      assets[place].isUnpricedAtStart = walker.value(at: place) == nil
    }
  }

  /// Sums what each element is worth in the walker's snapshot.
  mutating func sumValues(_ walker: inout SnapshotWalker) {
    for i in tallies.indices { tallies[i].value = .zero }
    for place in walker.held {
      // A category is in the report for an asset without a value, too.
      let category = categoryTally(category(of: place, walker))
      guard let value = walker.value(at: place), let tally = assets[place].tally else { continue }
      for element in [0, tally.type, tally.own, category] { tallies[element].value += value }
    }
  }

  /// Keeps what the next snapshot is compared with.
  mutating func remember(_ walker: SnapshotWalker) {
    for place in held where walker.holdings[place].amount.isZero {
      assets[place].amount = .zero
      assets[place].isValued = false
    }
    for place in walker.held {
      let isValued = walker.holdings[place].value != nil
      assets[place].amount = walker.holdings[place].amount
      assets[place].category = category(of: place, walker)
      assets[place].isValued = isValued
      if isValued { assets[place].isEverPriced = true }
      if !walker.holdings[place].amount.isNegative { assets[place].wasAboveZero = true }
    }
    held = walker.held
  }
}
