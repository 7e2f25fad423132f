/// An asset that goes from one category to another, with all that is held of it.
///
/// An asset is in exactly one category, so a part of it cannot go alone.
public struct Transfer: Hashable, Sendable {
  /// The asset.
  public var asset: AssetKey
  /// How much goes: all that is held.
  public var amount: Amount
  /// The category it is in.
  public var from: CategoryKey
  /// The category it goes to.
  public var to: Category

  /// A transfer, not checked.
  public init(_ asset: AssetKey, _ amount: Amount, from: CategoryKey, to: Category) {
    self.asset = asset
    self.amount = amount
    self.from = from
    self.to = to
  }

  /// The edit that the transfer is, once all of it holds on the state as it is.
  ///
  /// - Throws: `TransferError` or `EditError`.
  public func edit<Base: EditBase & ~Copyable & ~Escapable>(on base: borrowing Base) throws -> Edit
  {
    let holding = try Self.holding(of: asset, in: from, on: base)
    try Self.check(amount, of: holding)
    try Self.check(to, for: holding)
    return .move(asset, to: to)
  }

  /// What is held of an asset that is to leave a category.
  ///
  /// - Throws: `TransferError.notInCategory` where it is not there, or nothing of it is.
  public static func holding<Base: EditBase & ~Copyable & ~Escapable>(
    of asset: AssetKey, in category: CategoryKey, on base: borrowing Base
  ) throws -> Holding {
    let holding = try base.holding(of: asset)
    guard holding.isListed, !holding.isHidden, holding.category.key == category else {
      throw TransferError.notInCategory
    }
    return holding
  }

  /// Checks that an amount is all that is held of an asset.
  ///
  /// - Throws: `EditError.insufficientHoldings` where it is more, `TransferError.notWhole` where it is
  ///   less.
  public static func check(_ amount: Amount, of holding: Holding) throws {
    let difference = holding.amount - Int256(amount)
    if difference.isNegative {
      throw EditError.insufficientHoldings(held: holding.amount, asked: amount)
    }
    guard difference.isZero else {
      throw TransferError.notWhole(held: holding.amount, asked: amount)
    }
  }

  /// Checks that a category is another than the one an asset is in.
  ///
  /// - Throws: `TransferError.sameCategory`.
  public static func check(_ category: Category, for holding: Holding) throws(TransferError) {
    if category.key == holding.category.key { throw .sameCategory }
  }
}

/// Why an asset cannot go from one category to another so.
@nonexhaustive
public enum TransferError: DomainError, Hashable {
  /// The asset is not in the category that it is to leave, or nothing of it is held.
  case notInCategory
  /// Only a part of what is held is to go.
  case notWhole(held: Int256, asked: Amount)
  /// The asset is to go where it is.
  case sameCategory

  /// The stable name of the rule.
  public var code: String {
    switch self {
    case .notInCategory: "assetNotInCategory"
    case .notWhole: "transferNotWhole"
    case .sameCategory: "sameCategory"
    }
  }

  /// What is wrong, where, and which limit is passed.
  public var message: String {
    switch self {
    case .notInCategory: "nothing of the asset is held in that category"
    case .notWhole(let held, let asked):
      "an asset is in one category with all of it: \(held.decimalText) is held, \(asked.text) was "
        + "to go"
    case .sameCategory: "the asset is in that category already"
    }
  }

  /// What to do about it.
  public var hint: String {
    switch self {
    case .notInCategory: "choose one of the assets of the category"
    case .notWhole: "transfer all that is held"
    case .sameCategory: "choose another category"
    }
  }
}
