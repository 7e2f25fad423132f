extension ReportBuilder {
  /// Gives an asset that is in a snapshot for the first time its place in the report.
  mutating func appear(_ place: Int, _ walker: borrowing SnapshotWalker) {
    guard assets[place].tally == nil else { return }
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
  mutating func begin(_ walker: borrowing SnapshotWalker) throws(ReportError) {
    for place in walker.held {
      appear(place, walker)
      // A category is in the report for an asset without a value, too.
      _ = categoryTally(category(of: place, walker))
      remember(place, walker)
      assets[place].isUnpricedAtStart = !assets[place].hasValue
    }
    addValues(walker)
    for i in tallies.indices {
      tallies[i].figures.start = try currency.convert(tallies[i].value, at: .later)
    }
  }

  /// Adds what is held to the values of its elements.
  mutating func addValues(_ walker: borrowing SnapshotWalker) {
    for place in walker.held {
      guard let value = walker.value(at: place) else { continue }
      for element in elements(of: place) { tallies[element].value += value }
    }
  }

  /// The tallies that a holding counts in.
  mutating func elements(of place: Int) -> [Int] {
    guard let tally = assets[place].tally else { return [] }
    return [0, tally.type, tally.own, categoryTally(assets[place].category)]
  }

  /// Keeps what the next snapshot is compared with.
  mutating func remember(_ place: Int, _ walker: borrowing SnapshotWalker) {
    let amount = walker.holdings[place].amount
    assets[place].amount = amount
    assets[place].hasValue = !amount.isZero && walker.value(at: place) != nil
    if amount.isZero { return }
    assets[place].category = category(of: place, walker)
    if assets[place].hasValue { assets[place].isEverPriced = true }
    if !amount.isNegative { assets[place].wasAboveZero = true }
  }
}
