import FolioDomain

/// Snapshots worked out from nothing for each slot: slow, and too plain to be wrong.
struct NaiveModel {
  var rules: PricingRules
  var changes: [HoldingChange]
  var tables: [PriceTable]

  func amount(of asset: AssetKey, at slot: Slot) -> Int256 {
    changes.filter { $0.asset == asset && $0.slot < slot }.reduce(.zero) { $0 + $1.sum }
  }

  func category(of asset: AssetKey, at slot: Slot) -> Category {
    let named = changes.filter { $0.asset == asset && $0.slot < slot }.compactMap(\.category)
    return named.last ?? Category(defaultFor: asset.type)
  }

  func quote(of asset: AssetKey, at slot: Slot, steps: Int = 0) -> Quote? {
    if asset == rules.base { return Quote(price: price("1"), pricedAt: slot) }
    if let successor = rules.successions[asset], successor.fromSlot <= slot {
      let next = AssetKey(type: asset.type, id: successor.id)
      guard steps < 8, var quote = quote(of: next, at: slot, steps: steps + 1) else { return nil }
      quote.factors.insert(successor.factor, at: 0)
      return quote
    }
    for table in tables.reversed() where table.slot <= slot {
      if let row = table.prices.last(where: { $0.asset == asset }) {
        return Quote(price: row.price, pricedAt: table.slot)
      }
    }
    return nil
  }

  func snapshot(at slot: Slot) -> Snapshot {
    let assets = Set(changes.map(\.asset)).sorted().filter { !amount(of: $0, at: slot).isZero }
    return Snapshot(
      slot: slot,
      assets: assets.map {
        SnapshotAsset(
          asset: $0, amount: amount(of: $0, at: slot), category: category(of: $0, at: slot),
          quote: quote(of: $0, at: slot))
      })
  }
}
