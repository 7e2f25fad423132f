/// What happened to an asset within a slot: all that is kept of it, and all that a snapshot needs.
public struct HoldingChange: Hashable, Sendable {
  /// The slot the transactions fell in; they are first in the snapshot of the next.
  public var slot: Slot
  /// The asset.
  public var asset: AssetKey
  /// The sum of what was added, in units of 10^-18.
  public var sum: Int256
  /// The category that was named last in the slot, where one was.
  public var category: Category?
  /// A change of those members.
  public init(slot: Slot, asset: AssetKey, sum: Int256, category: Category? = nil) {
    self.slot = slot
    self.asset = asset
    self.sum = sum
    self.category = category
  }

  /// The change that the state of an asset and a slot comes to.
  public init(_ place: AssetSlot, _ state: AssetSlotState) {
    self.init(
      slot: place.slot, asset: place.asset, sum: state.adjustment,
      category: state.category?.category)
  }
}

extension Slot {
  /// The slots there is a snapshot of: each after that of the first transaction, up to the one
  /// that the server's clock was in when it last told; nil where none has closed.
  ///
  /// O(1).
  public static func snapshots(
    firstEffectiveAt: Timestamp, through: Slot
  ) -> ClosedRange<Slot>? {
    let first = Slot(containing: firstEffectiveAt).firstSnapshot
    return first <= through ? first...through : nil
  }
}
