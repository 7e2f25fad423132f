extension SnapshotWalker {
  /// The digest of the snapshot at the walker's slot, as `SnapshotDigest` defines it.
  ///
  /// - Complexity: O(bytes); what did not change since the slot before is not written anew.
  public mutating func digest<H: HashFunction>(using: H.Type) -> Hash256 {
    settle()
    return hash(using: H.self)
  }

  /// The price of an asset that counts in the walker's slot, held or not; nil where it has none.
  ///
  /// O(1).
  public mutating func quote(of asset: AssetKey) -> Quote? {
    let number = number(of: asset)
    return prices.quote(of: number, at: slot)
  }

  /// The snapshot at the walker's slot.
  ///
  /// O(n).
  public mutating func snapshot() -> Snapshot {
    settle()
    return Snapshot(
      slot: slot,
      assets: held.map { place in
        let holding = holdings[place]
        return SnapshotAsset(
          asset: holding.asset, amount: holding.amount, category: categories[holding.category],
          quote: holding.quote)
      })
  }

  /// Walks on to the start of `last` and gives the snapshot of each slot on the way, both ends
  /// included, to `body`.
  ///
  /// Changes and tables come in the order of their slots; those after `last`, and changes within
  /// it, are left alone. What comes before the walker's slot counts as the state it starts from.
  public mutating func walk(
    through last: Slot, changes: some Sequence<HoldingChange>, tables: some Sequence<PriceTable>,
    _ body: (inout SnapshotWalker) throws -> Void
  ) rethrows {
    var changes = changes.makeIterator()
    var tables = tables.makeIterator()
    var change = changes.next()
    var table = tables.next()
    while slot <= last {
      while let next = change, next.slot < slot {
        apply(next)
        change = changes.next()
      }
      while let next = table, next.slot <= slot {
        observe(next)
        table = tables.next()
      }
      try body(&self)
      if slot == last { return }
      advance()
    }
  }
}
