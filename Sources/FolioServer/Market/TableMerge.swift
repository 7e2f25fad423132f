import FolioDomain

/// Lays prices that were seen over those a table has.
struct TableMerge {
  /// The numbers of the assets that prices were seen of, in byte order of the assets.
  let numbers: [UInt32]
  let names: AssetNumbers
  private let places: [UInt32: Int]

  init(numbers: [UInt32], names: AssetNumbers) {
    self.numbers = numbers
    self.names = names
    places = Dictionary(
      numbers.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
  }

  struct Outcome {
    var prices: [TableRow.StoredPrice]
    var pricesChanged = false
    var agesChanged = false
  }

  /// The table's prices after it.
  ///
  /// `seen` is of one slot, by asset and then by time.
  func merged(_ stored: [TableRow.StoredPrice], _ seen: ArraySlice<PriceObservations.Element>)
    -> Outcome
  {
    var outcome = Outcome(prices: [])
    outcome.prices.reserveCapacity(stored.count + seen.count)
    var rest = stored[...]
    var index = seen.startIndex
    while index < seen.endIndex {
      // The last of an asset is the one seen latest.
      var latest = seen[index]
      while index < seen.endIndex, seen[index].asset == latest.asset {
        latest = seen[index]
        index += 1
      }
      let number = numbers[latest.asset]
      while let next = rest.first, next.asset != number, precedes(next.asset, number) {
        outcome.prices.append(next)
        rest.removeFirst()
      }
      let new = TableRow.StoredPrice(asset: number, price: latest.price, age: latest.age)
      if let old = rest.first, old.asset == number {
        rest.removeFirst()
        let taken = old.age < new.age ? old : new
        outcome.pricesChanged = outcome.pricesChanged || taken.price != old.price
        outcome.agesChanged = outcome.agesChanged || taken.age != old.age
        outcome.prices.append(taken)
      } else {
        outcome.pricesChanged = true
        outcome.prices.append(new)
      }
    }
    outcome.prices.append(contentsOf: rest)
    return outcome
  }

  private func precedes(_ a: UInt32, _ b: UInt32) -> Bool {
    if let a = places[a], let b = places[b] { return a < b }
    guard let a = names[a], let b = names[b] else { return a < b }
    return a < b
  }
}
