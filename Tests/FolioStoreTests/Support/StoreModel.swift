import FolioCrypto
import FolioDomain
import FolioStore
import Testing

/// What a store has to come to, in plain dictionaries: the domain's accepted state of the entries read,
/// and the transactions that are pending.
struct StoreModel {
  var accepted = AcceptedState()
  var position: LogPosition?
  var through: Slot?
  var pending: [PendingEntry] = []
  var tables: [Slot: [AssetKey: Price]] = [:]
  var base = "USD"
  var successions = Successions()

  var overlay: Overlay {
    Overlay(
      accepted, through: through, pending: pending.filter { !$0.isVoid }.map(\.transaction))
  }

  mutating func apply(_ entries: [ChainedEntry]) {
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

  mutating func renumber(_ device: DeviceID) {
    for index in pending.indices {
      pending[index].transaction.device = device
      pending[index].transaction.deviceSequence = UInt64(index + 1)
    }
  }

  /// The digests of all closed snapshots, walked from the first.
  func snapshotDigests() -> [Slot: Hash256] {
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
  func expectSame(
    as store: Store, _ comment: Comment, location: SourceLocation = #_sourceLocation
  ) throws {
    let overlay = overlay
    let portfolio = overlay.portfolio
    try store.read { transaction in
      let status = try transaction.status()
      #expect(status.position == position, comment, sourceLocation: location)
      #expect(
        status.stateDigest == accepted.digest(using: SHA256.self).value, comment,
        sourceLocation: location)
      #expect(status.outbox.count == pending.count, comment, sourceLocation: location)
      let held = try transaction.holdings(includesHidden: true).map(\.holding)
      #expect(held == portfolio.holdings, comment, sourceLocation: location)
      for (type, assets) in portfolio.types {
        let ofType = try transaction.holdings(.type(type), includesHidden: true)
        #expect(
          Set(ofType.map(\.holding.asset.id)) == Set(assets.keys), comment,
          sourceLocation: location)
      }
      let categories = try transaction.categories(includesHidden: true)
      #expect(
        Set(categories.map(\.category.key)) == Set(portfolio.categories.keys), comment,
        sourceLocation: location)
      for category in categories {
        let key = category.category.key
        #expect(
          category.category.spelling == portfolio.spelling(of: key), comment,
          sourceLocation: location)
        let members = try transaction.assets(in: key)
        #expect(
          members == portfolio.categories[key]?.sorted(), comment, sourceLocation: location)
      }
      for asset in TestWorld.assets {
        #expect(
          try transaction.holding(of: asset) == overlay.holding(of: asset), comment,
          sourceLocation: location)
      }
      try expectSameDocuments(overlay, transaction, comment, location)
    }
    let found = try store.read {
      try $0.pending(after: 0, maxCount: .max, maxByteCount: .max)
    }
    #expect(
      found.map(\.transaction.id) == pending.map(\.transaction.id), comment,
      sourceLocation: location)
    #expect(found.map(\.isVoid) == pending.map(\.isVoid), comment, sourceLocation: location)
  }

  private func expectSameDocuments(
    _ overlay: Overlay, _ transaction: borrowing StoreReadTransaction, _ comment: Comment,
    _ location: SourceLocation
  ) throws {
    let all = overlay.documents(in: TestWorld.collection, includingDeleted: true)
    try IndexModel.expectSame(all, transaction, comment, location)
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
        #expect(listed == expected, comment, sourceLocation: location)
      }
    }
  }
}

/// The few names that random tests use, so that they meet often.
enum TestWorld {
  static let assets = [
    ("crypto", "bitcoin"), ("crypto", "ether"), ("stock", "ACME"), ("forex", "EUR"),
    ("forex", "USD"), ("x.odd", "a\u{301}"),
  ].map { AssetKey(type: AssetType(unchecked: $0.0), id: AssetID(unchecked: $0.1)) }
  static let categories = ["Savings", "savings", "Fun", "crypto", "Rente"].map { name in
    Category(
      key: CategoryKey(unchecked: name.lowercased()), spelling: CategorySpelling(unchecked: name))
  }
  static let collection = CollectionName(unchecked: "note")
  static let documents = (1...4).map { DocumentID(UInt128($0)) }
  static let fields = ["title", "type", "a", "metadata"].map(FieldName.init(unchecked:))
}
