/// Which asset follows which, and from when: what an asset table says of succession.
///
/// From a successor's first slot on, the old asset is valued as its amount x the factor x the price
/// of the asset that follows, which may have a successor itself.
public struct Successions: Hashable, Sendable {
  /// The number of steps from an asset to the one whose price it takes, at most.
  ///
  /// A longer chain, and with it every circle, leaves the asset unpriced.
  public static let stepsMax = 8

  private var links: [AssetKey: Successor] = [:]

  /// Nothing follows anything.
  public init() {}

  /// Whether nothing follows anything.
  public var isEmpty: Bool { links.isEmpty }

  /// The successions that the rows of an asset table name; of a repeated asset, the first row
  /// counts.
  ///
  /// O(n).
  public init(_ rows: some Sequence<AssetInfo>) {
    var seen: Set<AssetKey> = []
    for row in rows where seen.insert(row.asset).inserted {
      links[row.asset] = row.successor
    }
  }

  /// What directly follows an asset, from `fromSlot` of the successor on.
  ///
  /// O(1).
  public subscript(asset: AssetKey) -> Successor? {
    get { links[asset] }
    set { links[asset] = newValue }
  }

  /// The assets that something follows, in byte order.
  ///
  /// O(n log n).
  public var assets: [AssetKey] { links.keys.sorted() }

  /// Whose price an asset takes at a slot, and how many units of it one unit stands for.
  ///
  /// An asset without a successor at that slot takes its own; the base currency always does. O(1).
  /// - Returns: nil where the chain is longer than `stepsMax` or runs in a circle.
  public func end(of asset: AssetKey, at slot: Slot, base: AssetKey) -> SuccessionEnd? {
    var end = SuccessionEnd(asset: asset, factors: [])
    while end.asset != base, let link = links[end.asset], link.fromSlot <= slot {
      guard end.factors.count < Self.stepsMax else { return nil }
      end.asset = AssetKey(type: end.asset.type, id: link.id)
      end.factors.append(link.factor)
    }
    return end
  }

  /// The slots at which the chain of an asset may take another course, in order: the first slots
  /// of the successors on its way.
  ///
  /// O(1).
  public func turns(of asset: AssetKey) -> [Slot] {
    var turns: Set<Slot> = []
    var next = asset
    for _ in 0...Self.stepsMax {
      guard let link = links[next] else { break }
      turns.insert(link.fromSlot)
      next = AssetKey(type: next.type, id: link.id)
    }
    return turns.sorted()
  }

  /// The assets that may take the price of an asset at some slot, itself among them, in byte
  /// order.
  ///
  /// O(n), n being the number of successions.
  public func dependents(of asset: AssetKey) -> [AssetKey] {
    var found: Set<AssetKey> = [asset]
    var layer: Set<AssetKey> = [asset]
    for _ in 0..<Self.stepsMax where !layer.isEmpty {
      var earlier: Set<AssetKey> = []
      for (old, link) in links
      where layer.contains(AssetKey(type: old.type, id: link.id)) && found.insert(old).inserted {
        earlier.insert(old)
      }
      layer = earlier
    }
    return found.sorted()
  }
}

/// Whose price an asset takes, and what one unit of it stands for.
public struct SuccessionEnd: Hashable, Sendable {
  /// The asset at the end of the chain; the asset itself where nothing follows it.
  public var asset: AssetKey
  /// The factors on the way, whose exact product is meant; empty where there was no step.
  public var factors: [Price]
  /// The end of a chain.
  public init(asset: AssetKey, factors: [Price]) {
    self.asset = asset
    self.factors = factors
  }
}
