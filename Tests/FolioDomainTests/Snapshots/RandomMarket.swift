import FolioDomain
import TestSupport

extension NaiveModel {
  /// A market and what was held in it, of a few assets and slots: prices come, go and return,
  /// assets follow each other, are bought, sold, oversold and moved.
  static func random(
    _ random: inout SeededRandom, slots: ClosedRange<Slot>, allowsNegative: Bool = true
  ) -> NaiveModel {
    let assets: [AssetKey] = [
      key("crypto:a"), key("crypto:b"), key("crypto:c"), key("crypto:d"), key("forex:EUR"),
      key("forex:USD"), key("stock:A"),
      key("stock:B"),
    ]
    var successions = Successions()
    for _ in 0..<random.int(0...3) {
      let old = random.pick(assets)
      let new = random.pick(assets.filter { $0.type == old.type })
      successions[old] = Successor(
        id: new.id, factor: random.price(), fromSlot: random.slot(slots))
    }
    var tables: [PriceTable] = []
    for slot in slots where !random.one(in: 4) {
      let rows = assets.filter { _ in random.one(in: 2) }
      tables.append(
        PriceTable(slot: slot, prices: rows.map { PricedAsset(asset: $0, price: random.price()) }))
    }
    return NaiveModel(
      rules: PricingRules(base: "USD", successions: successions),
      changes: changes(&random, assets, slots, allowsNegative), tables: tables)
  }

  private static func changes(
    _ random: inout SeededRandom, _ assets: [AssetKey], _ slots: ClosedRange<Slot>,
    _ allowsNegative: Bool
  ) -> [HoldingChange] {
    var held: [AssetKey: Int256] = [:]
    var changes: [HoldingChange] = []
    for slot in slots {
      for asset in assets where random.one(in: 6) {
        var sum = random.amount()
        let amount = held[asset] ?? .zero
        if random.one(in: 4) { sum = -amount }
        if random.one(in: 5) { sum = .zero }
        if !allowsNegative, (amount + sum).isNegative { sum = -amount }
        held[asset] = amount + sum
        let category: Category? =
          random.one(in: 3) ? named(random.pick(["Reserve", "Growth", "stock"])) : nil
        changes.append(HoldingChange(slot: slot, asset: asset, sum: sum, category: category))
      }
    }
    return changes
  }

  /// A walker that starts at `slot` and gives each snapshot up to `last`.
  func walk(from slot: Slot, through last: Slot, _ body: (inout SnapshotWalker) throws -> Void)
    rethrows -> SnapshotWalker
  {
    var walker = SnapshotWalker(at: slot, rules: rules)
    try walker.walk(through: last, changes: changes, tables: tables, body)
    return walker
  }
}

extension SeededRandom {
  mutating func slot(_ range: ClosedRange<Slot>) -> Slot {
    range.lowerBound.advanced(by: int(0...(range.count - 1)))
  }

  /// Mostly everyday prices; some of the smallest and of the greatest.
  mutating func price() -> Price {
    let places = one(in: 4) ? int(0...36) : int(0...4)
    let digits = one(in: 4) ? int(0...999_999_999_999_999_999) : int(0...99_999)
    guard let price = Price(mantissa: Int64(digits), scale: places) else {
      fatalError("out of range")
    }
    return price
  }

  /// Mostly everyday amounts, of both signs; some with all 18 places, some out of an amount's
  /// range.
  mutating func amount() -> Int256 {
    let unit: Int128 = one(in: 2) ? 1_000_000_000_000_000_000 : 1_000_000_000_000_000_003
    if one(in: 30) { return Int256(high: one(in: 2) ? 1 : -1, low: 5) }
    return Int256(Int128(int(-20...60)) * unit)
  }
}
