public import FolioDomain

/// What saving edits came to.
public struct SavedEdits: Hashable, Sendable {
  /// The transaction that was made; nil where the edits left nothing, so that there is none.
  public var transaction: TransactionID?
  /// How many operations it has.
  public var operationCount: Int
  /// What each edit came to, in their order.
  public var outcomes: [EditOutcome]
}

extension StoreWriteTransaction {
  /// Saves edits as one transaction: merged, each checked on the state as it is now, what is pending
  /// included.
  ///
  /// Holdings, documents and outbox change together. Edits that leave nothing make no transaction.
  /// - Throws: `EditError` or `DocumentError` of the first edit that cannot be made,
  ///   `BodyError` for a value that cannot be sent, ``StoreError/bodyTooLarge(byteCount:max:)``,
  ///   ``StoreError/outboxFull(count:countMax:byteCount:byteCountMax:)``,
  ///   ``StoreError/restoreUnfinished``. Nothing is saved then. An error of the storage, such as a
  ///   quota that is passed, ends the whole write, also where it is caught.
  /// - Complexity: O(edits x log n), and for a renamed category its assets.
  @discardableResult
  public mutating func save(_ edits: [Edit]) throws -> SavedEdits {
    var staged = StagedEdits()
    var outcomes: [EditOutcome] = []
    for edit in edits { outcomes.append(try staged.stage(edit, on: reading)) }
    let result = staged.stagedOperations
    let operations = result.operations
    var saved = SavedEdits(
      transaction: nil, operationCount: operations.count, outcomes: outcomes)
    if !operations.isEmpty { saved.transaction = try enqueue(operations, knowing: result) }
    return saved
  }

  /// A new id for a document.
  public func newDocumentID() -> DocumentID { DocumentID(random: context.random) }
}

extension StoreReadTransaction: EditBase {
  /// An asset, listed or not, with what is pending over it.
  ///
  /// - Complexity: O(log n) for a listed one, O(rows of its history) for any other.
  public func holding(of asset: AssetKey) throws -> Holding {
    if let record = try assetRecord(asset) { return record.holding(of: asset) }
    return Holding(
      asset, accepted: try acceptedAsset(asset, through: try through()),
      pending: try pendingAsset(asset))
  }
}
