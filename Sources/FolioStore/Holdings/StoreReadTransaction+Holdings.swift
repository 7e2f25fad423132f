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
    // A row is large: it is put where it stays.
    var found: PricedHolding?
    try Keys.withAsset(asset) { key in try findHolding(asset, key, &found) }
    return found
  }

  private func findHolding(
    _ asset: AssetKey, _ key: RawSpan, _ found: inout PricedHolding?
  ) throws {
    // A state that is being written may still change.
    guard cache != nil else { return try readHolding(asset, key, &found) }
    let transaction = base.transaction
    let hash = key.quickHash()
    context.holdings.find(asset, hash, at: transaction, &found)
    if found != nil { return }
    try readHolding(asset, key, &found)
    context.holdings.keep(found, hash, at: transaction)
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
    guard cache != nil else { return try readHoldings(question) }
    let transaction = base.transaction
    var expected = 0
    if let found = context.holdings.find(question, at: transaction, &expected) { return found }
    let found = try readHoldings(question, expecting: expected)
    context.holdings.keep(found, question, at: transaction)
    return found
  }

  private func readHolding(
    _ asset: AssetKey, _ key: RawSpan, _ found: inout PricedHolding?
  ) throws {
    guard let span = try base.get(spaces.assets, key) else { return }
    let market = try presentMarket()
    var reader = RecordReader(span, of: spaces.assets.name)
    found = try PricedHolding(asset, &reader, at: market.slot) { reader throws(StoreError) in
      try reader.readCategory()
    }
    if !market.isPricedByItself(key) {
      found?.price(try latestQuote(of: asset, in: market), at: market.slot)
    }
  }

  private func readHoldings(
    _ question: HoldingQuestion, expecting count: Int = 0
  ) throws -> [PricedHolding] {
    let market = try presentMarket()
    var found = HoldingRows(
      includesHidden: question.includesHidden, market, expecting: count)
    switch question.filter {
    case .all, .type:
      let name = spaces.assets.name
      try base.scan(spaces.assets, try question.range) { key, record in
        if try !found.add(key, record, of: name) {
          try found.repriceLast { try latestQuote(of: $0, in: market) }
        }
        return .next
      }
    case .category(let category):
      let name = spaces.categories.name
      try scanMembers(of: category) { key, record in
        if try !found.add(key, record, of: name) {
          try found.repriceLast { try latestQuote(of: $0, in: market) }
        }
      }
    }
    return found.rows
  }

  private func latestQuote(of asset: AssetKey, in market: PresentMarket) throws -> Quote? {
    try latestQuote(of: asset, at: market.slot, market.rules)
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
    if cache == nil { return try readPresentSlot() }
    return try presentMarket().slot
  }

  /// What every price of the present is found by; read where it was read before, unless the state may
  /// still change.
  func presentMarket() throws -> PresentMarket {
    guard let cache else { return try readPresentMarket() }
    if let market = cache.market { return market }
    let market = try context.presentMarket(at: base.transaction) { try readPresentMarket() }
    cache.market = market
    return market
  }

  private func readPresentMarket() throws -> PresentMarket {
    try PresentMarket(
      transaction: base.transaction, slot: try readPresentSlot(), rules: try readPricingRules())
  }

  private func readPresentSlot() throws -> Slot {
    let slot = try through() ?? Slot(containing: EffectiveTime.earliest)
    return max(slot, try lastTableSlot() ?? slot)
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

  /// Calls `body` with the key among assets of each that is listed in a category, and its record.
  private func scanMembers(
    of category: CategoryKey, _ body: (RawSpan, RawSpan) throws -> Void
  ) throws {
    var prefix = KeyBuilder()
    try prefix.append(text: category.text)
    let count = prefix.byteCount
    try base.scan(spaces.categories, prefix.prefix) { key, record in
      try body(key.extracting(droppingFirst: count), record)
      return .next
    }
  }
}

extension StoreReadTransaction {
  /// The listed assets of a category, hidden ones too, in byte order: a range read.
  public func assets(in category: CategoryKey) throws -> [AssetKey] {
    var assets: [AssetKey] = []
    try scanMembers(of: category) { key, _ in
      var reader = KeyReader(key)
      assets.append(try reader.readAsset())
    }
    return assets
  }
}
