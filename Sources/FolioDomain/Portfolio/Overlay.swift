/// Accepted state with a device's own pending transactions laid over it.
///
/// What is pending is never mixed into accepted history: laid over anew without a transaction, the
/// view has no trace of it.
public struct Overlay: Hashable, Sendable {
  /// Accepted state.
  public var accepted: AcceptedState
  /// The last closed slot; nil where none is.
  public var through: Slot?
  /// Pending transactions, in the device's sequence, without those that are void.
  public private(set) var pending: [Envelope] = []
  private var operations: [PendingOperation] = []

  private struct PendingOperation: Hashable, Sendable {
    var operation: Operation
    var order: PendingOrder
    var recordedAt: Timestamp
  }

  /// `accepted`, with `pending` over it.
  public init(
    _ accepted: AcceptedState, through: Slot?, pending: some Sequence<Envelope> = []
  ) {
    self.accepted = accepted
    self.through = through
    for transaction in pending { lay(transaction) }
  }

  private mutating func lay(_ transaction: Envelope) {
    pending.append(transaction)
    // One's own body is always readable; if it were not, it would be inert for everyone.
    guard let body = try? TransactionBody(decoding: transaction.body) else { return }
    for (index, operation) in body.operations.enumerated() {
      let order = PendingOrder(
        deviceSequence: transaction.deviceSequence, index: UInt32(truncatingIfNeeded: index))
      operations.append(
        PendingOperation(operation: operation, order: order, recordedAt: transaction.recordedAt))
    }
  }

  /// An asset, listed or not.
  public func holding(of asset: AssetKey) -> Holding {
    Holding(
      asset, accepted: accepted.asset(asset, through: through),
      pending: pendingAssets(asset)[asset] ?? PendingAsset())
  }

  /// What is pending of each asset, or of one.
  private func pendingAssets(_ only: AssetKey? = nil) -> [AssetKey: PendingAsset] {
    var assets: [AssetKey: PendingAsset] = [:]
    for pending in operations {
      guard let asset = pending.operation.asset, only == nil || asset == only else { continue }
      assets[asset, default: PendingAsset()].apply(pending.operation, order: pending.order)
    }
    return assets
  }

  /// The listed assets by type and by category.
  ///
  /// - Complexity: O(n log n) in the rows of the history and the pending operations.
  public var portfolio: PortfolioMaps {
    let acceptedAssets = accepted.assets(through: through)
    let pendingAssets = pendingAssets()
    let assets = Set(acceptedAssets.keys).union(pendingAssets.keys)
    return PortfolioMaps(
      assets.map {
        Holding(
          $0, accepted: acceptedAssets[$0] ?? AcceptedAsset(),
          pending: pendingAssets[$0] ?? PendingAsset())
      })
  }

  /// A document, deleted or not; nil where there never was one.
  public func document(_ key: DocumentKey) -> Document? {
    Document(
      key, accepted: accepted.documents[key],
      pending: operations.filter { $0.operation.document == key }
        .map { ($0.operation, $0.recordedAt) })
  }

  /// The documents of a collection, in order of their ids; the deleted ones only where asked for.
  public func documents(
    in collection: CollectionName, includingDeleted: Bool = false
  ) -> [Document] {
    let keys = Set(accepted.documents.keys).union(operations.compactMap(\.operation.document))
    return keys.filter { $0.collection == collection }.sorted()
      .compactMap { document($0) }.filter { includingDeleted || !$0.isDeleted }
  }
}
