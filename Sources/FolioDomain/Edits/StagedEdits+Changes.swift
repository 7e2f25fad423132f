/// What staged edits do to an asset, taken together.
public struct AssetChange: Hashable, Sendable {
  /// The asset as it is before them.
  public var before: Holding
  /// What is held of it after them.
  public var amount: Int256
  /// The category it is in after them.
  public var category: Category

  /// The asset.
  public var asset: AssetKey { before.asset }
  /// What they add to what is held; below 0 where they take away.
  public var difference: Int256 { amount - before.amount }
  /// Whether they leave the asset in another category, or in one that is spelled otherwise.
  public var isMoved: Bool { category != before.category }
}

extension StagedEdits {
  /// What would change: the assets that would be given an operation, in byte order, each with what
  /// it is before and after.
  ///
  /// - Complexity: O(n log n) in the number of assets staged.
  public var changes: [AssetChange] {
    assets.values.filter { $0.adjust != nil || $0.categorize != nil }
      .map {
        AssetChange(
          before: $0.base, amount: $0.amount,
          category: $0.categorize == nil ? $0.base.category : $0.category ?? $0.base.category)
      }
      .sorted { $0.asset < $1.asset }
  }
}
