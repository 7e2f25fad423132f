public import FolioDomain
internal import LMDB

/// A listed asset: what is held of it, and its latest price, joined on reading.
public struct PricedHolding: Hashable, Sendable {
  /// What is held, with what is pending over it.
  public var holding: Holding
  /// Whether anything of it is pending.
  public var isPending: Bool
  /// The latest price that counts for it; nil where it is unpriced.
  public var quote: Quote?
  /// Whether that price is more than 4 days old.
  public var isStale: Bool

  /// The asset.
  public var asset: AssetKey { holding.asset }
  /// The amount held, exact; below 0 it is overdrawn.
  public var amount: Int256 { holding.amount }
  /// The category that the asset is in.
  public var category: Category { holding.category }
  /// What it is worth; nil where it is unpriced, or out of range.
  public var value: Value? { quote?.value(of: holding.amount) }
}

/// Which listed assets are wanted.
public enum HoldingFilter: Hashable, Sendable {
  /// All of them.
  case all
  /// Those of a type.
  case type(AssetType)
  /// Those of a category.
  case category(CategoryKey)
}

/// A category, and what is in it.
public struct CategorySummary: Hashable, Sendable {
  /// The category, in the spelling given last to any of its assets.
  public var category: Category
  /// How many of its assets are shown: those whose amount is not 0.
  public var assetCount = 0
  /// How many are hidden.
  public var hiddenCount = 0
  /// How many of those shown have no value.
  public var unpricedCount = 0
  /// What the others come to at the latest prices.
  public var value = Value.zero
  var origin: SpellingOrigin
}

extension StoreReadTransaction {
  /// A listed asset; nil where it is not listed.
  ///
  /// - Complexity: O(log n); O(1) where it was read before and nothing has changed since.
  public func holding(_ asset: AssetKey) throws -> PricedHolding? {
    try kept({ $0.holding(asset) }, orRead: { try readHolding(asset) }) { $0.keep($1) }
  }

  /// Listed assets in byte order of type and id.
  ///
  /// A range read of one map or the other: nothing else is touched.
  /// - Parameters:
  ///   - filter: Which assets are wanted.
  ///   - includesHidden: Whether those whose amount is 0 are wanted too.
  /// - Complexity: O(assets wanted x log n); O(1) where they were read before and nothing has changed
  ///   since.
  public func holdings(_ filter: HoldingFilter = .all, includesHidden: Bool = false) throws
    -> [PricedHolding]
  {
    let question = HoldingQuestion(filter: filter, includesHidden: includesHidden)
    let found = try kept({ $0.holdings(question) }, orRead: { try readHoldings(question) }) {
      $0.keep($1, question)
    }
    return found ?? []
  }

  /// What is kept of this state; else what is read, which is kept then.
  private func kept<R: Sendable>(
    _ find: (KeptHoldings) -> R?, orRead read: () throws -> R?,
    _ keep: (inout KeptHoldings, R) -> Void
  ) throws -> R? {
    // A state that is being written may still change.
    guard cache != nil else { return try read() }
    let transaction = base.transaction
    if let found = context.holdings.find(at: transaction, find) { return found }
    guard let found = try read() else { return nil }
    context.holdings.keep(at: transaction) { keep(&$0, found) }
    return found
  }

  private func readHolding(_ asset: AssetKey) throws -> PricedHolding? {
    let key = try Keys.asset(asset).bytes
    guard let span = try base.get(spaces.assets, key) else { return nil }
    var reader = RecordReader(span, of: spaces.assets.name)
    let record = try ShownAssetRecord(asset, &reader)
    let (slot, rules) = (try presentSlot(), try pricingRules())
    let keySpan = key.span
    return try unsafe priced(record, keySpan.bytes, at: slot, rules)
  }

  private func readHoldings(_ question: HoldingQuestion) throws -> [PricedHolding] {
    let slot = try presentSlot()
    let rules = try pricingRules()
    let known = KnownCategories(placeCount: question.categoryCount)
    var found: [PricedHolding] = []
    switch question.filter {
    case .all, .type:
      try base.scan(spaces.assets, try question.range, joining: spaces.pricedAssets) {
        key, value, price in
        var keyReader = KeyReader(key)
        var reader = RecordReader(value, of: spaces.assets.name)
        let record = try ShownAssetRecord(try keyReader.readAsset(), &reader, known)
        if question.includesHidden || !record.holding.isHidden {
          let quote = try latestQuote(
            of: record.holding.asset, ownPrice: price, at: slot, rules)
          found.append(record.priced(quote, at: slot))
        }
        return .next
      }
    case .category(let category):
      try scanMembers(of: category) { asset, key in
        guard let span = try base.get(spaces.assets, key) else {
          throw StoreError.missingRecord(space: spaces.assets.name)
        }
        var reader = RecordReader(span, of: spaces.assets.name)
        let record = try ShownAssetRecord(asset, &reader, known)
        if question.includesHidden || !record.holding.isHidden {
          found.append(try priced(record, key, at: slot, rules))
        }
      }
    }
    return found
  }

  /// The categories, in byte order of their keys.
  ///
  /// - Parameter includesHidden: Whether those are wanted too whose assets are all hidden.
  /// - Complexity: O(assets x log n).
  public func categories(includesHidden: Bool = false) throws -> [CategorySummary] {
    var summaries: [CategoryKey: CategorySummary] = [:]
    for asset in try holdings(includesHidden: true) {
      let holding = asset.holding
      let key = holding.category.key
      var summary =
        summaries[key]
        ?? CategorySummary(category: holding.category, origin: holding.spellingOrigin)
      if summary.origin < holding.spellingOrigin {
        summary.category = holding.category
        summary.origin = holding.spellingOrigin
      }
      if holding.isHidden {
        summary.hiddenCount += 1
      } else {
        summary.assetCount += 1
        if let value = asset.value { summary.value += value } else { summary.unpricedCount += 1 }
      }
      summaries[key] = summary
    }
    return summaries.values.filter { includesHidden || $0.assetCount > 0 }
      .sorted { $0.category.key < $1.category.key }
  }

  /// The slot that present holdings are priced at: the last closed one, or that of the latest table.
  func presentSlot() throws -> Slot {
    if let market = try presentMarket() { return market.slot }
    return try readPresentSlot()
  }

  /// What every price of the present is found by; nil where the state may still change.
  func presentMarket() throws -> PresentMarket? {
    guard let cache else { return nil }
    if let market = cache.market { return market }
    let transaction = base.transaction
    let market = try context.presentMarket(at: transaction) {
      PresentMarket(
        transaction: transaction, slot: try readPresentSlot(), rules: try readPricingRules())
    }
    cache.market = market
    return market
  }

  private func readPresentSlot() throws -> Slot {
    let slot = try through() ?? Slot(containing: EffectiveTime.earliest)
    return max(slot, try lastTableSlot() ?? slot)
  }

  private func priced(
    _ record: ShownAssetRecord, _ key: RawSpan, at slot: Slot, _ rules: PricingRules
  ) throws -> PricedHolding {
    let quote = try latestQuote(of: record.holding.asset, key, at: slot, rules)
    return record.priced(quote, at: slot)
  }

  /// Calls `body` with each record of a range.
  func scanRecords(
    _ range: KeyRange, _ body: (AssetKey, AssetRecord) throws -> Void
  ) throws {
    try base.scan(spaces.assets, range) { key, value in
      var keyReader = KeyReader(key)
      var reader = RecordReader(value, of: spaces.assets.name)
      try body(try keyReader.readAsset(), try AssetRecord(&reader))
      return .next
    }
  }

  /// Calls `body` with each listed asset of a category, and its key among assets.
  private func scanMembers(
    of category: CategoryKey, _ body: (AssetKey, RawSpan) throws -> Void
  ) throws {
    var prefix = KeyBuilder()
    try prefix.append(text: category.text)
    try base.scan(spaces.categories, prefix.prefix) { key, _ in
      let assetKey = key.extracting(droppingFirst: prefix.byteCount)
      var reader = KeyReader(assetKey)
      try body(try reader.readAsset(), assetKey)
      return .next
    }
  }
}

extension StoreReadTransaction {
  /// The listed assets of a category, hidden ones too, in byte order: a range read.
  public func assets(in category: CategoryKey) throws -> [AssetKey] {
    var assets: [AssetKey] = []
    try scanMembers(of: category) { asset, _ in assets.append(asset) }
    return assets
  }
}

extension ShownAssetRecord {
  /// What is held, with the price that counts for it at a slot.
  fileprivate func priced(_ quote: Quote?, at slot: Slot) -> PricedHolding {
    PricedHolding(
      holding: holding, isPending: isPending, quote: quote,
      isStale: quote?.isStale(at: slot) ?? false)
  }
}
