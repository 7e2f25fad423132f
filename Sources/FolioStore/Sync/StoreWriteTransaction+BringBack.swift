internal import FolioDomain
internal import LMDB

/// What a store shows: its assets, hidden ones too, and its documents, deleted ones too.
struct ShownState {
  fileprivate let holdings: [AssetKey: Holding]
  fileprivate let documents: [DocumentKey: Document]

  init(_ state: borrowing StoreReadTransaction) throws {
    var holdings: [AssetKey: Holding] = [:]
    try state.scanRecords(.all) { asset, record in holdings[asset] = record.holding(of: asset) }
    self.holdings = holdings
    var documents: [DocumentKey: Document] = [:]
    for key in try state.documentKeys() { documents[key] = try state.document(key) }
    self.documents = documents
  }
}

extension StoreWriteTransaction {
  /// Makes the transactions after which the store shows `wanted`, and lays them in the outbox.
  ///
  /// They are taken even where it is full: they take the place of what was shown already.
  /// - Returns: How many transactions that takes.
  mutating func bringBack(_ wanted: ShownState) throws -> Int {
    let present = try ShownState(reading)
    var operations: [FolioDomain.Operation] = []
    for asset in Set(wanted.holdings.keys).union(present.holdings.keys).sorted() {
      let now = try present.holdings[asset] ?? reading.holding(of: asset)
      let then = wanted.holdings[asset] ?? Holding(asset, accepted: AcceptedAsset())
      operations += try Compensation.operations(from: now, to: then)
    }
    for key in Set(wanted.documents.keys).union(present.documents.keys).sorted() {
      operations += try Compensation.operations(
        on: key, from: present.documents[key], to: wanted.documents[key])
    }
    return try enqueueAll(operations[...])
  }

  /// Lays operations in the outbox, in as few transactions as they fit into.
  private mutating func enqueueAll(_ operations: ArraySlice<FolioDomain.Operation>) throws -> Int {
    if operations.isEmpty { return 0 }
    do {
      _ = try enqueue(Array(operations), isBounded: false)
      return 1
    } catch StoreError.bodyTooLarge where operations.count > 1 {
      let middle = operations.startIndex + operations.count / 2
      let first = try enqueueAll(operations[..<middle])
      return try first + enqueueAll(operations[middle...])
    }
  }
}

extension StoreReadTransaction {
  fileprivate func documentKeys() throws -> [DocumentKey] {
    var keys: [DocumentKey] = []
    try scanDocuments { key, _ in keys.append(key) }
    return keys
  }
}
