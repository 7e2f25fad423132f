/// What is kept of everything that happened to one asset in one slot.
///
/// It merges entries that come late without the entries that came before: merging is commutative
/// and associative, and each operation is applied once.
public struct AssetSlotState: Hashable, Sendable {
  /// The sum of the amounts added.
  public var adjustment: Int256
  /// The last category the asset was put into, where it was put into any.
  public var category: StampedCategory?

  /// A slot in which nothing happened, unless told otherwise.
  public init(adjustment: Int256 = .zero, category: StampedCategory? = nil) {
    self.adjustment = adjustment
    self.category = category
  }

  /// Adds an amount.
  public mutating func adjust(by amount: Amount) { adjustment += Int256(amount) }

  /// Takes a category where none with a greater stamp is there.
  public mutating func categorize(_ category: Category, stamp: Stamp) {
    let candidate = StampedCategory(category, stamp: stamp)
    self.category = self.category.map { $0.merged(with: candidate) } ?? candidate
  }

  /// Applies an operation on this asset, in this slot; others change nothing.
  public mutating func apply(_ operation: Operation, stamp: Stamp) {
    switch operation {
    case .adjust(_, let amount): adjust(by: amount)
    case .categorize(_, let category): categorize(category, stamp: stamp)
    case .put, .delete, .unknown: break
    }
  }

  /// The state with an operation on this asset, in this slot, applied.
  public func applying(_ operation: Operation, stamp: Stamp) -> AssetSlotState {
    var state = self
    state.apply(operation, stamp: stamp)
    return state
  }

  /// What both sets of operations come to together.
  public func merged(with other: AssetSlotState) -> AssetSlotState {
    let category =
      switch (category, other.category) {
      case (let mine?, let theirs?): mine.merged(with: theirs)
      case (let mine, let theirs): mine ?? theirs
      }
    return AssetSlotState(adjustment: adjustment + other.adjustment, category: category)
  }
}

/// A category with the stamp of the operation that named it.
public struct StampedCategory: Hashable, Sendable {
  /// The category.
  public var category: Category
  /// The stamp.
  public var stamp: Stamp

  /// `category`, named by the operation with `stamp`.
  public init(_ category: Category, stamp: Stamp) {
    self.category = category
    self.stamp = stamp
  }

  /// The one with the greater stamp.
  public func merged(with other: StampedCategory) -> StampedCategory {
    stamp < other.stamp ? other : self
  }
}

/// An asset and a slot in which something happened to it.
public struct AssetSlot: Hashable, Sendable {
  /// The asset.
  public var asset: AssetKey
  /// The slot.
  public var slot: Slot
  /// `asset` in `slot`.
  public init(asset: AssetKey, slot: Slot) {
    self.asset = asset
    self.slot = slot
  }
}

extension AssetSlot: Comparable {
  /// By asset, in byte order of type and id, then by slot.
  public static func < (a: AssetSlot, b: AssetSlot) -> Bool {
    a.asset == b.asset ? a.slot < b.slot : a.asset < b.asset
  }
}
