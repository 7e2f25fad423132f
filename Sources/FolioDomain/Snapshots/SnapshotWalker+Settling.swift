extension SnapshotWalker {
  /// Brings quotes and records up to date for the walker's slot.
  ///
  /// For most assets nothing changed but the slot of the price, or not even that; what was made of
  /// the rest stands.
  mutating func settle() {
    guard settledSlot != slot else { return }
    for place in held {
      if holdings[place].isPlain {
        let seen = prices.lastObservation(holdings[place].number.index)
        take(seen.price, seen.slotIndex, at: place)
      } else {
        let quote = prices.quote(of: holdings[place].number, at: slot)
        let factors = quote?.factors ?? []
        if factors != holdings[place].factors {
          holdings[place].factors = factors
          holdings[place].isChanged = true
        }
        take(quote?.price ?? .zero, quote?.pricedAt.index ?? .min, at: place)
      }
    }
    settledSlot = slot
  }

  @inline(__always)
  private mutating func take(_ price: Price, _ pricedAtIndex: Int64, at place: Int) {
    if !holdings[place].isChanged {
      if holdings[place].pricedAtIndex == pricedAtIndex { return }
      if holdings[place].price == price, holdings[place].pricedAtIndex != .min {
        holdings[place].pricedAtIndex = pricedAtIndex
        // The record ends with the slot: eight bytes.
        let end = records[place].count
        var bits = UInt64(bitPattern: pricedAtIndex).bigEndian
        records[place].withUnsafeMutableBytes { record in
          withUnsafeBytes(of: &bits) { record[(end - 8)...].copyBytes(from: $0) }
        }
        return
      }
    }
    write(price, pricedAtIndex, at: place)
  }

  private mutating func write(_ price: Price, _ pricedAtIndex: Int64, at place: Int) {
    holdings[place].price = price
    holdings[place].pricedAtIndex = pricedAtIndex
    holdings[place].isValued = false
    if holdings[place].isChanged {
      holdings[place].isChanged = false
      records[place].removeAll(keepingCapacity: true)
      let holding = holdings[place]
      SnapshotDigest.appendHolding(
        holding.asset, holding.amount, categories[holding.category].key, to: &records[place])
      holdings[place].heldByteCount = records[place].count
    } else {
      let priceBytes = records[place].count - holdings[place].heldByteCount
      records[place].removeLast(priceBytes)
    }
    let isPriced = pricedAtIndex != .min
    SnapshotDigest.appendPrice(isPriced ? price : nil, to: &records[place])
    SnapshotDigest.appendPricedAt(
      isPriced ? Slot(index: pricedAtIndex) : nil, to: &records[place])
  }

  /// What a settled holding is worth, worked out once for each amount and price.
  mutating func value(at place: Int) -> Value? {
    if !holdings[place].isValued {
      holdings[place].isValued = true
      holdings[place].value = holdings[place].quote?.value(of: holdings[place].amount)
    }
    return holdings[place].value
  }
}
