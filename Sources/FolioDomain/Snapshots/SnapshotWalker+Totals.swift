extension SnapshotWalker {
  /// What the snapshot at the walker's slot comes to.
  ///
  /// O(n) where prices came since it was asked; for the slots of a window together little more
  /// than for one, and a holding that changes is counted anew alone.
  public mutating func totals() -> SnapshotTotals {
    countAll()
    return course.totals[Int(slot.index - course.first)]
  }

  /// What is held at a place is worth; nil where it has no value, or nothing is held.
  ///
  /// O(1).
  func value(at place: Int) -> Value? { quote(at: place)?.value(of: holdings[place].amount) }

  /// The price that counts for a holding.
  func quote(at place: Int) -> Quote? { prices.quote(of: holdings[place].number, at: slot) }

  /// The places of those holdings that may have changed since the slot before in more than the
  /// price: in amount or category, or in having a value.
  ///
  /// Some may come twice, and in some nothing may have changed.
  mutating func placesToCompare() -> [Int] {
    countAll()
    return changed + changedBefore + course.unsteady
  }

  /// Whether a holding comes to what the totals are, or no longer does.
  enum Counting { case added, takenAway }

  /// Counts what is held, from the walker's slot to the last one whose prices are known.
  private mutating func countAll() {
    if course.isCurrent, course.contains(slot) { return }
    let last = max(slot, prices.window?.last ?? slot)
    let follows = course.begin(slot.index...last.index)
    for place in held {
      if !follows { holdings[place].hasValue = nil }
      count(place, .added)
    }
  }

  /// Counts a holding as it is now in the course, from the walker's slot on.
  ///
  /// O(slots).
  mutating func count(_ place: Int, _ counting: Counting) {
    guard course.isCurrent, course.contains(slot), !holdings[place].amount.isZero else { return }
    var worth = SlotCourse.Worth()
    if holdings[place].isPlain, let factor = holdings[place].factor {
      worth = course.count(
        counting == .added ? factor : factor.negated, counting, holdings[place].number.index,
        prices, from: slot.index)
    } else {
      worth = countSlots(place, counting)
    }
    if counting == .takenAway { return }
    if worth.isMixed || worth.last != holdings[place].hasValue { course.unsteady.append(place) }
    holdings[place].hasValue = worth.last
  }

  /// The same where the price is not always the asset's own, or the amount is out of range.
  private mutating func countSlots(_ place: Int, _ counting: Counting) -> SlotCourse.Worth {
    let (number, amount) = (holdings[place].number, holdings[place].amount)
    var worth = SlotCourse.Worth()
    for index in slot.index...course.last {
      let quote = prices.quote(of: number, at: Slot(index: index))
      let value = quote?.value(of: amount)
      course.count(
        counting == .added ? value : value.map(-), quote?.pricedAt.index ?? .min, counting,
        at: index)
      worth.add(value != nil)
    }
    return worth
  }
}

/// What the snapshots of consecutive slots come to, as far as is known now: with what is held at the
/// walker's slot and the prices of each.
struct SlotCourse: Sendable {
  /// The slots' indexes.
  private(set) var first: Int64 = 0
  private(set) var last: Int64 = -1
  /// Of each slot.
  private(set) var totals: [SnapshotTotals] = []
  /// Whether what was counted rests on the prices that are known.
  var isCurrent = false
  /// The places of holdings that may have a value in one slot and none in another, or in the slot
  /// before the first.
  var unsteady: [Int] = []

  /// In which slots a holding has a value.
  struct Worth {
    /// Whether it has one in the last slot; nil before the first.
    var last: Bool?
    /// Whether it has one in some and none in others.
    var isMixed = false

    mutating func add(_ hasValue: Bool) {
      if last == !hasValue { isMixed = true }
      last = hasValue
    }
  }

  @inline(__always)
  func contains(_ slot: Slot) -> Bool { first <= slot.index && slot.index <= last }

  /// Begins with nothing for those slots; gives whether they follow those before.
  mutating func begin(_ slots: ClosedRange<Int64>) -> Bool {
    let follows = slots.lowerBound == last + 1
    (first, last) = (slots.lowerBound, slots.upperBound)
    totals.removeAll(keepingCapacity: true)
    for _ in slots { totals.append(SnapshotTotals()) }
    unsteady.removeAll(keepingCapacity: true)
    isCurrent = true
    return follows
  }

  /// Counts a holding in one slot.
  mutating func count(
    _ value: Value?, _ pricedAtIndex: Int64, _ counting: SnapshotWalker.Counting, at index: Int64
  ) {
    let sign = counting == .added ? 1 : -1
    totals[Int(index - first)].add(
      value, pricedAtIndex: pricedAtIndex, at: Slot(index: index), times: sign)
  }

  /// Counts a holding that takes its own price in all slots from one on; gives in which of them it
  /// has a value.
  ///
  /// `factor` has the sign that the values are to have.
  mutating func count(
    _ factor: AmountFactor, _ counting: SnapshotWalker.Counting, _ number: Int,
    _ prices: borrowing PriceCarrier, from index: Int64
  ) -> Worth {
    let part = prices.part(number)
    if let window = prices.window {
      let offset = Int(index - window.first.index)
      let wanted = ~PriceWindow.bits(upTo: Int64(offset - 1))
      if part.slots & wanted == wanted, last == window.last.index {
        countFresh(
          factor, counting, window.prices.span.extracting(part.start + offset..<part.start + 16),
          at: Int(index - first))
        return Worth(last: true)
      }
    }
    var worth = Worth()
    for slotIndex in index...last {
      let seen = prices.observation(of: number, at: slotIndex)
      let value = seen.slotIndex == .min ? nil : Value(units: factor.units(at: seen.price))
      count(value, seen.slotIndex, counting, at: slotIndex)
      worth.add(value != nil)
    }
    return worth
  }

  /// Counts a holding whose price is in the table of each slot.
  private mutating func countFresh(
    _ factor: AmountFactor, _ counting: SnapshotWalker.Counting, _ prices: Span<Price>,
    at offset: Int
  ) {
    let sign = counting == .added ? 1 : -1
    var totals = totals.mutableSpan
    for place in prices.indices {
      totals[offset + place].value.units += factor.units(at: prices[place])
      totals[offset + place].assetCount += sign
    }
  }
}
