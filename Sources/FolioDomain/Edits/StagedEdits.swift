/// Edits made one after the other on one present state, merged into the operations of a single
/// transaction.
///
/// Each edit is checked as it is staged. What was staged on a state that has changed since is
/// resolved anew when it is saved: `operations(for:on:)`.
public struct StagedEdits: Sendable {
  var assets: [AssetKey: StagedAsset] = [:]
  var documents = StagedDocuments()
  /// How many categories were named so far; the order of the last naming decides the spelling.
  private var namingCount = 0

  /// Nothing staged.
  public init() {}

  /// The operations that edits come to on the state as it is now: merged, each checked.
  ///
  /// Empty where the edits leave nothing; then there is no transaction.
  /// - Throws: `EditError`, `DocumentError` or `RecordError` of the first edit that cannot be made,
  ///   and whatever reading throws.
  /// - Complexity: O(edits), and for renaming O(assets of the category).
  public static func operations<Base: EditBase & ~Copyable & ~Escapable>(
    for edits: [Edit], on base: borrowing Base
  ) throws -> [Operation] {
    var staged = StagedEdits()
    for edit in edits { _ = try staged.stage(edit, on: base) }
    return staged.operations
  }

  /// Stages an edit on top of those before it.
  ///
  /// - Parameters:
  ///   - edit: What is wanted.
  ///   - base: The state that all edits of this value are staged on, the same each time.
  /// - Throws: `EditError`, `DocumentError` or `RecordError`, where the edit cannot be made; nothing
  ///   is staged then.
  public mutating func stage<Base: EditBase & ~Copyable & ~Escapable>(
    _ edit: Edit, on base: borrowing Base
  ) throws -> EditOutcome {
    switch edit {
    case .add(let asset, let amount, let category):
      var staged = try stagedAsset(asset, on: base)
      let wasListed = staged.isListed
      try staged.add(amount)
      // Naming a category for nothing is nothing, as it is where the edit is saved alone.
      if let category, wasListed || staged.isListed { name(category, for: &staged) }
      return keep(staged)
    case .set(let asset, let amount):
      var staged = try stagedAsset(asset, on: base)
      try staged.set(amount)
      return keep(staged)
    case .move(let asset, let category):
      var staged = try stagedAsset(asset, on: base)
      guard staged.isListed else { throw EditError.assetNotFound }
      name(category, for: &staged)
      return keep(staged)
    case .delete(let asset):
      var staged = try stagedAsset(asset, on: base)
      guard staged.isListed else { throw EditError.assetNotFound }
      try staged.set(.zero)
      _ = keep(staged)
      return staged.base.wasInSnapshot ? .zeroed(asset) : .removed(asset)
    case .renameCategory(let old, let new): return try rename(old, to: new, on: base)
    case .put(let put): return try stage(put, on: base)
    case .deleteDocument(let key): return try stageDeletion(of: key, on: base)
    }
  }

  /// The operations that everything staged comes to; empty where it leaves nothing.
  ///
  /// For each asset one `adjust` with the sum, and the category named last where it is not the one
  /// the asset is in already. For each document at most a `put` and a `delete`.
  /// - Complexity: O(n log n) in the number of assets and documents staged.
  public var operations: [Operation] { stagedOperations.operations }

  /// The same, with what is known of the documents they are on.
  package var stagedOperations: StagedOperations {
    let staged = assets.values.sorted { $0.base.asset < $1.base.asset }
    let adjusts = staged.compactMap(\.adjust)
    // In the order of naming, since the last of them decides how a category is spelled.
    let categorizes = staged.sorted { $0.namingOrder < $1.namingOrder }.compactMap(\.categorize)
    var result = StagedOperations(adjusts + categorizes)
    documents.appendOperations(to: &result)
    return result
  }

  private func stagedAsset<Base: EditBase & ~Copyable & ~Escapable>(
    _ asset: AssetKey, on base: borrowing Base
  ) throws -> StagedAsset {
    try assets[asset] ?? StagedAsset(base: base.holding(of: asset))
  }

  private mutating func keep(_ staged: StagedAsset) -> EditOutcome {
    assets[staged.base.asset] = staged
    return .asset(
      staged.base.asset, amount: staged.amount, category: staged.category ?? staged.base.category)
  }

  private mutating func name(_ category: Category, for staged: inout StagedAsset) {
    namingCount += 1
    staged.category = category
    staged.namingOrder = namingCount
  }

  private mutating func rename<Base: EditBase & ~Copyable & ~Escapable>(
    _ old: CategoryKey, to new: Category, on base: borrowing Base
  ) throws -> EditOutcome {
    let known = Set(try base.assets(in: old)).union(assets.keys)
    var moved: [StagedAsset] = []
    for asset in known.sorted() {
      let staged = try stagedAsset(asset, on: base)
      let category = staged.category ?? staged.base.category
      if staged.isListed, category.key == old { moved.append(staged) }
    }
    guard !moved.isEmpty else { throw EditError.categoryNotFound }
    for index in moved.indices {
      name(new, for: &moved[index])
      _ = keep(moved[index])
    }
    return .renamed(assetCount: moved.count, to: new)
  }
}

/// An asset with what was staged on it.
struct StagedAsset: Sendable {
  /// The asset before any edit.
  let base: Holding
  /// What the edits add.
  private(set) var adjustment = Int256.zero
  /// The category named last.
  var category: Category?
  /// The place of that naming among all.
  var namingOrder = 0

  init(base: Holding) { self.base = base }

  var amount: Int256 { base.amount + adjustment }
  var isListed: Bool { !amount.isZero || base.wasInSnapshot }

  /// Adds an amount, which is a sale where it is below 0.
  mutating func add(_ amount: Amount) throws(EditError) {
    let sum = self.amount + Int256(amount)
    if amount.units < 0, sum.isNegative {
      throw .insufficientHoldings(held: self.amount, asked: -amount)
    }
    try take(Int256(amount))
  }

  /// Makes the amount what it is to be, by adding the difference.
  mutating func set(_ target: Amount) throws(EditError) {
    guard target.units >= 0 else { throw .amountNegative }
    try take(Int256(target) - amount)
  }

  private mutating func take(_ difference: Int256) throws(EditError) {
    let before = amount
    adjustment += difference
    // A merged amount may be out of range already; then it may only come nearer.
    let isInRange =
      amount.amount != nil || Value(units: amount).magnitude < Value(units: before).magnitude
    guard isInRange, adjustment.amount != nil else { throw .amountOverflow }
  }

  /// The sum of what was added; nil where nothing is left of it.
  var adjust: Operation? {
    guard let amount = adjustment.amount, !amount.isZero else { return nil }
    return .adjust(base.asset, amount)
  }

  /// The category named last; nil where it is the present one, or where the asset was not listed
  /// before and nothing is left of it.
  var categorize: Operation? {
    guard let category, category != base.category, base.isListed || !amount.isZero else {
      return nil
    }
    return .categorize(base.asset, category)
  }
}
