internal import FolioCrypto
package import FolioDomain
package import FolioStore

/// What a store has to come to, in plain dictionaries: the domain's accepted state of the entries read,
/// and the transactions that are pending.
package struct StoreModel {
  package var accepted = AcceptedState()
  package var position: LogPosition?
  package var through: Slot?
  package var pending: [PendingEntry] = []
  package var tables: [Slot: [AssetKey: Price]] = [:]
  package var base = "USD"
  package var successions = Successions()

  /// The model of an empty store.
  package init() {}

  package var overlay: Overlay {
    Overlay(
      accepted, through: through, pending: pending.filter { !$0.isVoid }.map(\.transaction))
  }

  package mutating func apply(_ entries: [ChainedEntry]) {
    for chained in entries {
      accepted.apply(chained.entry, hash: chained.hash)
      position = chained.position
      let transaction = chained.entry.transaction
      guard let index = pending.firstIndex(where: { $0.transaction.id == transaction.id }) else {
        continue
      }
      let mine = pending[index].transaction
      if mine.device == transaction.device, mine.deviceSequence == transaction.deviceSequence {
        pending.remove(at: index)
      } else {
        pending[index].isVoid = true
      }
    }
  }

  package mutating func renumber(_ device: DeviceID) {
    for index in pending.indices {
      pending[index].transaction.device = device
      pending[index].transaction.deviceSequence = UInt64(index + 1)
    }
  }

  /// The digests of all closed snapshots, walked from the first.
  package func snapshotDigests() -> [Slot: Hash256] {
    guard let first = accepted.firstEffectiveAt, let through,
      let slots = Slot.snapshots(firstEffectiveAt: first, through: through)
    else { return [:] }
    var walker = SnapshotWalker(
      at: slots.lowerBound, rules: PricingRules(base: base, successions: successions))
    let changes = accepted.history.sorted {
      $0.key.slot == $1.key.slot ? $0.key.asset < $1.key.asset : $0.key.slot < $1.key.slot
    }.map {
      HoldingChange(
        slot: $0.key.slot, asset: $0.key.asset, sum: $0.value.adjustment,
        category: $0.value.category?.category)
    }
    var digests: [Slot: Hash256] = [:]
    walker.walk(through: slots.upperBound, changes: changes, tables: priceTables) { walker in
      digests[walker.slot] = walker.digest(using: SHA256.self)
    }
    return digests
  }

  private var priceTables: [PriceTable] {
    tables.sorted { $0.key < $1.key }.map { slot, prices in
      PriceTable(
        slot: slot,
        prices: prices.sorted { $0.key < $1.key }.map {
          PricedAsset(asset: $0.key, price: $0.value)
        })
    }
  }

  /// Holds a store against this: both maps, documents and their lists, digest, outbox, cursor.
  ///
  /// - Throws: ``ModelDifference`` where they are not the same.
  package func expectSame(as store: Store) throws {
    let overlay = overlay
    let portfolio = overlay.portfolio
    try store.read { transaction in
      let status = try transaction.status()
      try expectEqual(status.position, position, "the cursor")
      try expectEqual(
        status.stateDigest, accepted.digest(using: SHA256.self).value, "the state digest")
      try expectEqual(status.outbox.count, pending.count, "the outbox's count")
      let held = try transaction.holdings(includesHidden: true).map(\.holding)
      try expectEqual(held, portfolio.holdings, "what is held")
      for (type, assets) in portfolio.types {
        let ofType = try transaction.holdings(.type(type), includesHidden: true)
        try expectEqual(
          Set(ofType.map(\.holding.asset.id)), Set(assets.keys), "the assets of \(type)")
      }
      let categories = try transaction.categories(includesHidden: true)
      try expectEqual(
        Set(categories.map(\.category.key)), Set(portfolio.categories.keys), "the categories")
      for category in categories {
        let key = category.category.key
        try expectEqual(
          category.category.spelling, portfolio.spelling(of: key), "the spelling of \(key)")
        let members = try transaction.assets(in: key)
        try expectEqual(members, portfolio.categories[key]?.sorted(), "the assets in \(key)")
      }
      for asset in TestWorld.assets {
        try expectEqual(
          try transaction.holding(of: asset), overlay.holding(of: asset), "holding \(asset)")
      }
      try expectSameDocuments(overlay, transaction)
    }
    let found = try store.read {
      try $0.pending(after: 0, maxCount: .max, maxByteCount: .max)
    }
    try expectEqual(
      found.map(\.transaction.id), pending.map(\.transaction.id), "what is pending")
    try expectEqual(found.map(\.isVoid), pending.map(\.isVoid), "what is given up")
  }

  private func expectSameDocuments(
    _ overlay: Overlay, _ transaction: borrowing StoreReadTransaction
  ) throws {
    let all = overlay.documents(in: TestWorld.collection, includingDeleted: true)
    try IndexModel.expectSame(all, transaction)
    for order in [DocumentQuery.Order.created, .updated] {
      for includesDeleted in [false, true] {
        var query = DocumentQuery(TestWorld.collection)
        query.order = order
        query.includesDeleted = includesDeleted
        query.limit = 2
        var listed: [Document] = []
        while true {
          let page = try transaction.documents(query)
          listed += page
          guard let last = page.last else { break }
          query.after = DocumentCursor(last, order: order)
        }
        let expected = all.filter { includesDeleted || !$0.isDeleted }.sorted {
          let (a, b) =
            order == .created ? ($0.createdAt, $1.createdAt) : ($0.updatedAt, $1.updatedAt)
          return a == b ? $0.key.id < $1.key.id : a < b
        }
        try expectEqual(listed, expected, "the documents by \(order)")
      }
    }
  }
}

/// The few names that random tests use, so that they meet often.
package enum TestWorld {
  package static let assets = [
    ("crypto", "bitcoin"), ("crypto", "ether"), ("stock", "ACME"), ("forex", "EUR"),
    ("forex", "USD"), ("x.odd", "a\u{301}"),
  ].map { AssetKey(type: AssetType(unchecked: $0.0), id: AssetID(unchecked: $0.1)) }
  package static let categories = ["Savings", "savings", "Fun", "crypto", "Rente"].map { name in
    Category(
      key: CategoryKey(unchecked: name.lowercased()), spelling: CategorySpelling(unchecked: name))
  }
  package static let collection = CollectionName(unchecked: "note")
  package static let documents = (1...4).map { DocumentID(UInt128($0)) }
  package static let fields = ["title", "type", "a", "metadata"].map(FieldName.init(unchecked:))
}
