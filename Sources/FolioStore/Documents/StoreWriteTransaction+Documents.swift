internal import FolioDomain
internal import LMDB

/// What is to be put of documents that change together, each space's records in one go.
///
/// Documents come in the order of their ids at best, and each has places in several lists: put as
/// they come, no two of them would be neighbours.
struct DocumentPuts {
  var documents = RecordBatch()
  var order = RecordBatch()
  /// Documents with places in `order` that are still to be made.
  var listed = ListedDocuments()
  var indexed = RecordBatch()
  var indexedDocuments = RecordBatch()

  /// Whether it is time to put them, since they take memory of their own until then.
  var areMany: Bool {
    listed.count > 1_000
      || documents.byteCount + order.byteCount + indexed.byteCount + indexedDocuments.byteCount
        > 1 << 20
  }
}

extension StoreWriteTransaction {
  /// Brings a document's record up to date with what is pending of it.
  ///
  /// - Parameters:
  ///   - newest: What a transaction that is being laid does to it.
  ///   - puts: Where its records wait to be put.
  mutating func updateDocument(
    _ key: DocumentKey, knowing newest: LaidOperations? = nil, _ puts: inout DocumentPuts
  ) throws {
    if let newest, newest.isOnNewDocument { return try addDocument(key, newest, &puts) }
    let record = try reading.documentRecord(key)
    var pending: [(operation: FolioDomain.Operation, recordedAt: Timestamp)]
    if let newest, record?.listing.isPending != true {
      // Nothing was pending of it before.
      pending = newest.operations.map { ($0, newest.recordedAt) }
    } else {
      pending = try reading.pendingOperations(on: key, knowing: newest)
    }
    try replaceDocument(key, record?.listing, accepted: record?.accepted, pending, &puts)
  }

  /// Writes the record and the places of a document of which there was nothing before.
  private mutating func addDocument(
    _ key: DocumentKey, _ newest: LaidOperations, _ puts: inout DocumentPuts
  ) throws {
    guard
      let document = Document(
        key, accepted: nil as DocumentState?,
        pending: newest.operations.map { ($0, newest.recordedAt) })
    else { return }
    session.note(key.collection)
    let listing = DocumentListing(document) { session.number(ofType: $0) }
    let record = DocumentRecord(accepted: nil, listing: listing)
    puts.documents.add(try Keys.document(key), try record.encoded())
    try updatePlaces(key, document, isNew: true, &puts)
    puts.listed.add(key, listing)
    if puts.areMany { try put(&puts) }
  }

  /// Writes a document's record, and its places in the lists, or takes both away where nothing is
  /// left of it.
  ///
  /// - Parameters:
  ///   - accepted: What the log's operations on it come to.
  ///   - hasOutbox: Whether anything may be pending.
  ///   - puts: Where its records wait to be put.
  mutating func updateDocument(
    _ key: DocumentKey, accepted: DocumentState?, hasOutbox: Bool, _ puts: inout DocumentPuts
  ) throws {
    try replaceDocument(
      key, try reading.documentListing(key), accepted: accepted,
      hasOutbox ? try reading.pendingOperations(on: key) : [], &puts)
  }

  private mutating func replaceDocument(
    _ key: DocumentKey, _ before: DocumentListing?, accepted: DocumentState?,
    _ pending: [(operation: FolioDomain.Operation, recordedAt: Timestamp)],
    _ puts: inout DocumentPuts
  ) throws {
    session.note(key.collection)
    let document = Document(key, accepted: accepted, pending: pending)
    let after = document.map { DocumentListing($0) { session.number(ofType: $0) } }
    if let after {
      let record = DocumentRecord(accepted: accepted, listing: after)
      puts.documents.add(try Keys.document(key), try record.encoded())
    } else {
      try base.delete(spaces.documents, try Keys.document(key))
    }
    try updatePlaces(key, document, &puts)
    try updateOrder(key, from: before, to: after, &puts)
    if puts.areMany { try put(&puts) }
  }

  private mutating func updateOrder(
    _ key: DocumentKey, from before: DocumentListing?, to after: DocumentListing?,
    _ puts: inout DocumentPuts
  ) throws {
    guard let before else {
      if let after { puts.listed.add(key, after) }
      return
    }
    if before == after { return }
    let old = try DocumentOrderKey.keys(key, before)
    let new = try after.map { try DocumentOrderKey.keys(key, $0) } ?? []
    for place in old where !new.contains(place) { try base.delete(spaces.documentOrder, place) }
    for place in new where !old.contains(place) { puts.order.add(place) }
  }

  /// Puts what waits to be put.
  mutating func put(_ puts: inout DocumentPuts) throws {
    try base.put(spaces.documents, &puts.documents)
    try puts.listed.moveKeys(to: &puts.order)
    try base.put(spaces.documentOrder, &puts.order)
    try base.put(spaces.indexed, &puts.indexed)
    try base.put(spaces.indexedDocuments, &puts.indexedDocuments)
  }
}
