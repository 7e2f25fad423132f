/// An asset as a device shows it: accepted state with what is pending laid over it.
public struct Holding: Hashable, Sendable {
  /// The asset.
  public var asset: AssetKey
  /// The amount held, exact; below 0 it is overdrawn.
  public var amount: Int256
  /// The category the asset is in, with the spelling that the asset itself was given.
  public var category: Category
  /// Where that spelling comes from, which decides what is shown for the whole category.
  public var spellingOrigin: SpellingOrigin
  /// Whether the amount was not 0 at the start of some closed slot, in accepted state.
  public var wasInSnapshot: Bool

  /// What accepted state and the pending operations on an asset come to.
  ///
  /// - Parameters:
  ///   - asset: The asset.
  ///   - accepted: What its history comes to.
  ///   - pending: What is pending of it.
  public init(
    _ asset: AssetKey, accepted: AcceptedAsset, pending: PendingAsset = PendingAsset()
  ) {
    self.asset = asset
    amount = accepted.amount + pending.adjustment
    wasInSnapshot = accepted.wasInSnapshot
    if let named = pending.category {
      category = named
      spellingOrigin = .pending(pending.categoryOrder)
    } else if let named = accepted.category {
      category = named.category
      spellingOrigin = .accepted(named.stamp)
    } else {
      category = Category(defaultFor: asset.type)
      spellingOrigin = .type
    }
  }

  /// What storage keeps of a listed asset.
  ///
  /// - Parameter category: After its type, where none was named.
  @inlinable
  package init(
    _ asset: consuming AssetKey, amount: Int256, category: consuming Category,
    from origin: SpellingOrigin, wasInSnapshot: Bool
  ) {
    self.asset = asset
    self.amount = amount
    self.category = category
    spellingOrigin = origin
    self.wasInSnapshot = wasInSnapshot
  }

  /// Whether the asset is listed: its amount is not 0, or was not 0 in a snapshot.
  public var isListed: Bool { !amount.isZero || wasInSnapshot }

  /// Whether lists leave the asset out unless asked for all: its amount is 0.
  public var isHidden: Bool { amount.isZero }

  /// Whether more was taken than there was, on devices that edited apart.
  public var isOverdrawn: Bool { amount.isNegative }

  /// Whether the merged amount is beyond what an `Amount` holds.
  public var isOutOfRange: Bool { amount.amount == nil }
}

/// Where the spelling of an asset's category comes from, the one that counts more after the other.
public enum SpellingOrigin: Hashable, Sendable, Comparable {
  /// Nobody named a category; it is called after the asset's type.
  case type
  /// An operation of the log.
  case accepted(Stamp)
  /// A pending operation, by its place among all that are pending.
  case pending(PendingOrder)
}

/// The place of a pending operation among all that are pending.
public struct PendingOrder: Hashable, Sendable, Comparable {
  /// The transaction's place among the device's.
  public var deviceSequence: UInt64
  /// The operation's place in the transaction.
  public var index: UInt32

  /// The place of an operation.
  public init(deviceSequence: UInt64, index: UInt32) {
    self.deviceSequence = deviceSequence
    self.index = index
  }

  /// Whether `a` was recorded before `b`.
  public static func < (a: PendingOrder, b: PendingOrder) -> Bool {
    (a.deviceSequence, a.index) < (b.deviceSequence, b.index)
  }
}

/// What pending operations do to an asset.
public struct PendingAsset: Hashable, Sendable {
  /// The sum of the amounts.
  public private(set) var adjustment = Int256.zero
  /// The category named last.
  public private(set) var category: Category?
  /// Where that stands among all that is pending.
  public private(set) var categoryOrder = PendingOrder(deviceSequence: 0, index: 0)

  /// Nothing.
  public init() {}

  /// What storage keeps of pending operations.
  public init(adjustment: Int256, category: Category?, categoryOrder: PendingOrder) {
    self.adjustment = adjustment
    self.category = category
    self.categoryOrder = categoryOrder
  }

  /// What both sets of operations come to together.
  public func merged(with other: PendingAsset) -> PendingAsset {
    let isLater = other.category != nil && (category == nil || categoryOrder < other.categoryOrder)
    return PendingAsset(
      adjustment: adjustment + other.adjustment, category: isLater ? other.category : category,
      categoryOrder: isLater ? other.categoryOrder : categoryOrder)
  }

  /// Lays an operation on the asset over those before it.
  public mutating func apply(_ operation: Operation, order: PendingOrder) {
    switch operation {
    case .adjust(_, let amount): adjustment += Int256(amount)
    case .categorize(_, let category):
      guard self.category == nil || categoryOrder < order else { return }
      self.category = category
      categoryOrder = order
    case .put, .delete, .unknown: break
    }
  }
}
