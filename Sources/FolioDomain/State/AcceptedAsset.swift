/// What the history of one asset comes to.
public struct AcceptedAsset: Hashable, Sendable {
  /// The sum of all amounts.
  public var amount: Int256
  /// The last category the asset was put into, where it ever was.
  public var category: StampedCategory?
  /// Whether the amount was not 0 at the start of some closed slot.
  ///
  /// Then a snapshot holds the asset, and it stays listed with amount 0.
  public var wasInSnapshot: Bool

  /// An asset of which nothing is known, unless told otherwise.
  public init(
    amount: Int256 = .zero, category: StampedCategory? = nil, wasInSnapshot: Bool = false
  ) {
    self.amount = amount
    self.category = category
    self.wasInSnapshot = wasInSnapshot
  }

  /// Adds what happened in a slot; the slots of an asset are added in ascending order.
  ///
  /// - Parameters:
  ///   - row: What happened.
  ///   - slot: The slot it happened in.
  ///   - through: The last closed slot; nil where none is.
  public mutating func add(_ row: AssetSlotState, in slot: Slot, through: Slot?) {
    amount += row.adjustment
    if let category = row.category {
      self.category = self.category.map { $0.merged(with: category) } ?? category
    }
    // The amount after the last operation of a slot is that at the start of the next.
    if let through, slot.firstSnapshot <= through, !amount.isZero { wasInSnapshot = true }
  }
}
