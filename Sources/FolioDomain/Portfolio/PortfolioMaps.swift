/// The listed assets by type and by category, the two in bijection.
///
/// Asset data stands in the map of types alone; the map of categories has references. Each listed
/// asset is in exactly one category, the one its data names, and a category exists while an asset
/// is in it.
public struct PortfolioMaps: Hashable, Sendable {
  /// The assets of each type, by id.
  public private(set) var types: [AssetType: [AssetID: Holding]] = [:]
  /// The assets in each category.
  public private(set) var categories: [CategoryKey: Set<AssetKey>] = [:]

  /// No assets.
  public init() {}

  /// The portfolio of those holdings; what is not listed is left out.
  public init(_ holdings: some Sequence<Holding>) {
    for holding in holdings { update(holding) }
  }

  /// Takes a holding as it has become: both maps change together.
  ///
  /// - Complexity: O(1) on average.
  public mutating func update(_ holding: Holding) {
    let asset = holding.asset
    if let before = self[asset] {
      categories[before.category.key]?.remove(asset)
      if categories[before.category.key]?.isEmpty == true {
        categories[before.category.key] = nil
      }
    }
    guard holding.isListed else {
      types[asset.type]?[asset.id] = nil
      if types[asset.type]?.isEmpty == true { types[asset.type] = nil }
      return
    }
    types[asset.type, default: [:]][asset.id] = holding
    categories[holding.category.key, default: []].insert(asset)
  }

  /// A listed asset; nil where it is not listed.
  public subscript(asset: AssetKey) -> Holding? { types[asset.type]?[asset.id] }

  /// The listed assets, in byte order of type and id.
  public var holdings: [Holding] {
    types.values.flatMap(\.values).sorted { $0.asset < $1.asset }
  }

  /// How a category is spelled: as the one of its assets that was given a spelling last.
  public func spelling(of key: CategoryKey) -> CategorySpelling? {
    let members = (categories[key] ?? []).compactMap { self[$0] }
    return members.max { $0.spellingOrigin < $1.spellingOrigin }?.category.spelling
  }

  /// Whether the two maps are in bijection, as they always are.
  public var isBijective: Bool {
    let placed = categories.flatMap { key, assets in assets.map { (key, $0) } }
    return placed.count == types.values.reduce(0) { $0 + $1.count }
      && placed.allSatisfy { key, asset in self[asset]?.category.key == key }
      && categories.values.allSatisfy { !$0.isEmpty }
  }
}
