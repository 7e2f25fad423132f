internal import FolioDomain
internal import LMDB

extension StoreWriteTransaction {
  /// Brings a document's record up to date with what is pending of it.
  ///
  /// - Parameter newest: What a transaction that is being laid does to it.
  mutating func updateDocument(_ key: DocumentKey, knowing newest: LaidOperations? = nil) throws {
    try updateDocument(
      key, accepted: try reading.acceptedDocument(key), hasOutbox: true, knowing: newest)
  }

  /// Writes a document's record, and its places in the lists, or takes both away where nothing is
  /// left of it.
  ///
  /// - Parameters:
  ///   - accepted: What the log's operations on it come to.
  ///   - hasOutbox: Whether anything may be pending.
  ///   - newest: What a transaction that is being laid does to it.
  mutating func updateDocument(
    _ key: DocumentKey, accepted: DocumentState?, hasOutbox: Bool,
    knowing newest: LaidOperations? = nil
  ) throws {
    session.note(key.collection)
    let before = try reading.documentRecord(key)?.listing
    let pending = hasOutbox ? try reading.pendingOperations(on: key, knowing: newest) : []
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
    for place in old.subtracting(new) { try base.delete(spaces.documentOrder, place) }
    for place in new.subtracting(old) { try base.put(spaces.documentOrder, place, []) }
  }
}
