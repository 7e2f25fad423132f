extension SnapshotWalker {
  /// Brings the quotes up to date for the walker's slot.
  ///
  /// For most assets nothing changed but the slot of the price, or not even that; what was made of
  /// the rest stands.
  mutating func settle() {
    guard settledSlot != slot else { return }
    settledSlot = slot
    let (slot, held, prices) = (slot, held, prices)
    var holdings = holdings.mutableSpan
    for place in held {
      if holdings[place].isPlain {
        let seen = prices.observation(of: holdings[place].number.index, at: slot.index)
        holdings[place].take(seen.price, seen.slotIndex)
      } else {
        let quote = prices.quote(of: holdings[place].number, at: slot)
        holdings[place].factors = quote?.factors ?? []
        holdings[place].take(quote?.price ?? .zero, quote?.pricedAt.index ?? .min)
      }
    }
  }

  /// The hash of the settled snapshot's bytes.
  mutating func hash<H: HashFunction>(using: H.Type) -> Hash256 {
    var hash = H()
    let count = writeDigestBytes()
    digestBytes.withUnsafeBytes { hash.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    return hash.finalize()
  }

  /// Writes what the digest is made of to the start of `digestBytes`, and gives its length.
  private mutating func writeDigestBytes() -> Int {
    let header = SnapshotDigest.header(of: slot)
    var capacity = header.count
    for place in held {
      if !holdings[place].hasHeldBytes { writeHeldBytes(place) }
      capacity += heldBytes[place].count + DigestPriceBytes.countMax
    }
    // Taken out of the walker, so that nothing of it is borrowed twice.
    var target: [UInt8] = []
    swap(&target, &digestBytes)
    if target.count < capacity {
      target = [UInt8](repeating: 0, count: capacity + capacity / 4)
    }
    let count = target.withUnsafeMutableBytes { fill($0, header) }
    swap(&target, &digestBytes)
    return count
  }

  private mutating func fill(_ bytes: UnsafeMutableRawBufferPointer, _ header: [UInt8]) -> Int {
    var end = 0
    func append(_ source: UnsafeRawBufferPointer) {
      UnsafeMutableRawBufferPointer(rebasing: bytes[end...]).copyMemory(from: source)
      end += source.count
    }
    let (held, heldBytes) = (held, heldBytes)
    var holdings = holdings.mutableSpan
    header.withUnsafeBytes(append)
    for place in held {
      heldBytes[place].withUnsafeBytes(append)
      holdings[place].appendPriceBytes(append)
    }
    return end
  }

  private mutating func writeHeldBytes(_ place: Int) {
    heldBytes[place].removeAll(keepingCapacity: true)
    SnapshotDigest.appendHolding(
      holdings[place].asset, holdings[place].amount, categories[holdings[place].category].key,
      to: &heldBytes[place])
    holdings[place].hasHeldBytes = true
  }
}

extension SnapshotWalker.Holding {
  /// Takes the price that counts, and drops what was made of another one.
  @inline(__always)
  fileprivate mutating func take(_ price: Price, _ pricedAtIndex: Int64) {
    if self.pricedAtIndex == pricedAtIndex, self.price == price { return }
    if self.price == price, self.pricedAtIndex != .min, pricedAtIndex != .min {
      if hasPriceBytes { priceBytes.setSlot(pricedAtIndex) }
    } else {
      self.price = price
      hasPriceBytes = false
    }
    self.pricedAtIndex = pricedAtIndex
  }

  /// Gives the bytes of the price in a digest, written where they are not.
  @inline(__always)
  fileprivate mutating func appendPriceBytes(_ append: (UnsafeRawBufferPointer) -> Void) {
    if !hasPriceBytes {
      hasPriceBytes = true
      if pricedAtIndex == .min { priceBytes.clear() } else { priceBytes.set(price, pricedAtIndex) }
    }
    priceBytes.withBytes(append)
  }
}
