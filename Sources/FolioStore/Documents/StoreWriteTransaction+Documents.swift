internal import FolioDomain
internal import LMDB

extension StoreWriteTransaction {
  /// Brings a document's record up to date with what is pending of it.
  ///
  /// - Parameter newest: What a transaction that is being laid does to it.
  mutating func updateDocument(_ key: DocumentKey, knowing newest: LaidOperations? = nil) throws {
    let record = try reading.documentRecord(key)
    var pending: [(operation: FolioDomain.Operation, recordedAt: Timestamp)]
    if let newest, record?.listing.isPending != true {
      // Nothing was pending of it before.
      pending = newest.operations.map { ($0, newest.recordedAt) }
    } else {
      pending = try reading.pendingOperations(on: key, knowing: newest)
    }
    try replaceDocument(key, record?.listing, accepted: record?.accepted, pending)
  }

  /// Writes a document's record, and its places in the lists, or takes both away where nothing is
  /// left of it.
  ///
  /// - Parameters:
  ///   - accepted: What the log's operations on it come to.
  ///   - hasOutbox: Whether anything may be pending.
  mutating func updateDocument(
    _ key: DocumentKey, accepted: DocumentState?, hasOutbox: Bool
  ) throws {
    try replaceDocument(
      key, try reading.documentListing(key), accepted: accepted,
      hasOutbox ? try reading.pendingOperations(on: key) : [])
  }

  private mutating func replaceDocument(
    _ key: DocumentKey, _ before: DocumentListing?, accepted: DocumentState?,
    _ pending: [(operation: FolioDomain.Operation, recordedAt: Timestamp)]
  ) throws {
    session.note(key.collection)
    let document = Document(key, accepted: accepted, pending: pending)
    let after = document.map(DocumentListing.init)
    if let after {
      let record = DocumentRecord(accepted: accepted, listing: after)
      try base.put(spaces.documents, try Keys.document(key), try record.encoded())
    } else {
      try base.delete(spaces.documents, try Keys.document(key))
    }
    try updatePlaces(key, document)
    if before == after { return }
    let old = try before.map { try DocumentOrderKey.keys(key, $0) } ?? []
    let new = try after.map { try DocumentOrderKey.keys(key, $0) } ?? []
    for place in old where !new.contains(place) { try base.delete(spaces.documentOrder, place) }
    for place in new where !old.contains(place) { try base.put(spaces.documentOrder, place, []) }
  }
}
