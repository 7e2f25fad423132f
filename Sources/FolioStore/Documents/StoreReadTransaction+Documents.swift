public import FolioDomain
internal import FolioJSON
internal import LMDB

extension StoreReadTransaction {
  /// A document, deleted or not, with what is pending over it; nil where there never was one.
  ///
  /// - Complexity: O(log n), and O(its pending operations).
  public func document(_ key: DocumentKey) throws -> Document? {
    guard let span = try base.get(spaces.documents, try Keys.document(key)) else { return nil }
    var reader = RecordReader(span, of: spaces.documents.name)
    return try document(key, try ShownDocumentRecord(&reader))
  }

  /// A page of the documents of a collection.
  ///
  /// Reads an index from where the page begins, and the documents on the page: nothing else.
  /// - Complexity: O(page x log n).
  /// - Throws: ``StoreError/badListLimit(_:max:)``, ``StoreError/badListOrder(_:)``,
  ///   ``StoreError/badListCursor``.
  public func documents(_ query: DocumentQuery) throws -> [Document] {
    guard (1...DocumentQuery.limitMax).contains(query.limit) else {
      throw StoreError.badListLimit(query.limit, max: DocumentQuery.limitMax)
    }
    if query.order == .title { return try documentsByTitle(query) }
    var places = try places(query, isDeleted: false)
    if query.includesDeleted {
      places += try self.places(query, isDeleted: true)
      places.sort { query.isDescending ? $1 < $0 : $0 < $1 }
    }
    return try documents(at: places.prefix(query.limit), in: query.collection)
  }

  func documents(
    at places: some Sequence<DocumentCursor>, in collection: CollectionName
  ) throws -> [Document] {
    try places.map { place in
      guard let found = try document(DocumentKey(collection: collection, id: place.id)) else {
        throw StoreError.missingRecord(space: spaces.documents.name)
      }
      return found
    }
  }

  private func documentsByTitle(_ query: DocumentQuery) throws -> [Document] {
    guard query.collection == .record else { throw StoreError.badListOrder(query.collection) }
    let record =
      query.type == nil ? IndexRecord.recordsByTitle : IndexRecord.recordsByTypeAndTitle
    var indexed = IndexedQuery(record.index)
    indexed.equal = query.type.map { [.string($0)] } ?? []
    indexed.includesDeleted = query.includesDeleted
    indexed.isDescending = query.isDescending
    indexed.limit = query.limit
    indexed.after = query.after?.inTitles(ofType: query.type, record)
    return try documents(indexed, record)
  }

  /// Where the next rows of a list stand, of those that are deleted or of those that are not.
  private func places(_ query: DocumentQuery, isDeleted: Bool) throws -> [DocumentCursor] {
    let type = query.type.map(DocumentListing.number(ofType:))
    let prefix = try DocumentOrderKey.prefix(
      query.collection, type: type, isDeleted: isDeleted, query.order)
    var range = prefix.prefix
    if let after = query.after {
      guard case .time(let time) = after.place else { throw StoreError.badListCursor }
      var key = prefix
      DocumentOrderKey.append(time, after.id, to: &key)
      range =
        query.isDescending
        ? range.resuming(before: key.bytes) : range.resuming(after: key.bytes)
    }
    var places: [DocumentCursor] = []
    let order = query.isDescending ? ScanOrder.descending : .ascending
    try base.scan(spaces.documentOrder, range, order, limit: query.limit) { key, _ in
      var reader = KeyReader(key)
      _ = try reader.readFixed(prefix.byteCount)
      let time = Timestamp(milliseconds: try reader.readInt64())
      places.append(
        DocumentCursor(.time(time), id: DocumentID(try reader.readUInt128())))
      return .next
    }
    return places
  }

  /// How many documents a collection has.
  ///
  /// - Complexity: O(documents); none of them is read.
  public func documentCount(
    in collection: CollectionName, includingDeleted: Bool = false
  ) throws -> Int {
    var count = 0
    for isDeleted in includingDeleted ? [false, true] : [false] {
      let prefix = try DocumentOrderKey.prefix(
        collection, type: nil, isDeleted: isDeleted, .created)
      count += try base.count(spaces.documentOrder, in: prefix.prefix)
    }
    return count
  }

  /// The collections that have documents, deleted ones too, in byte order.
  ///
  /// - Complexity: O(collections x log n).
  public func collections() throws -> [CollectionName] {
    var found: [CollectionName] = []
    var range = KeyRange.all
    while let (key, _) = try base.first(spaces.documents, in: range) {
      let name = Array(key.prefix { $0 != 0 })
      found.append(CollectionName(unchecked: String(decoding: name, as: UTF8.self)))
      range = .from(name + [1])
    }
    return found
  }

  func documentRecord(_ key: DocumentKey) throws -> DocumentRecord? {
    guard let span = try base.get(spaces.documents, try Keys.document(key)) else { return nil }
    var reader = RecordReader(span, of: spaces.documents.name)
    return try DocumentRecord(&reader)
  }

  func acceptedDocument(_ key: DocumentKey) throws -> DocumentState? {
    try documentRecord(key)?.accepted
  }

  func documentListing(_ key: DocumentKey) throws -> DocumentListing? {
    guard let span = try base.get(spaces.documents, try Keys.document(key)) else { return nil }
    var reader = RecordReader(span, of: spaces.documents.name)
    return try DocumentListing(&reader)
  }

  /// What is pending of it is found by an index, which damage can hide: what comes of both is to be
  /// what the document is listed as.
  private func document(_ key: DocumentKey, _ record: ShownDocumentRecord) throws -> Document? {
    let listing = record.listing
    let document = Document(
      key, accepted: record.accepted,
      pending: listing.isPending ? try pendingOperations(on: key) : [])
    if listing.isPending {
      guard let document, document.isPending, document.updatedAt == listing.updatedAt,
        document.isDeleted == listing.isDeleted
      else { throw StoreError.missingRecord(space: spaces.outboxByDocument.name) }
    }
    return document
  }

  /// The operations of the outbox on a document, in order, with the times they were recorded.
  ///
  /// - Parameter newest: What a transaction that is being laid does to it, and need not be read.
  /// - Complexity: O(operations on the document), and copying the bodies that they stand in.
  func pendingOperations(on key: DocumentKey, knowing newest: LaidOperations? = nil) throws -> [(
    operation: FolioDomain.Operation, recordedAt: Timestamp
  )] {
    var found: [(operation: FolioDomain.Operation, recordedAt: Timestamp)] = []
    let prefix = try Keys.document(key)
    try base.scan(spaces.outboxByDocument, prefix.prefix) { place, value in
      var keyReader = KeyReader(place)
      _ = try keyReader.readFixed(prefix.byteCount)
      let sequence = try keyReader.readUInt64()
      if let newest, newest.sequence == sequence {
        found += newest.operations.map { ($0, newest.recordedAt) }
        return .next
      }
      var reader = RecordReader(value, of: spaces.outboxByDocument.name)
      let record = try pendingRecord(keeping: sequence)
      for operation in try operations(of: record, on: key, at: try OperationPlaces(&reader)) {
        found.append((operation, record.recordedAt))
      }
      return .next
    }
    return found
  }

  /// A pending transaction, kept for as long as others are not asked for: documents that were saved
  /// together are often read together.
  private func pendingRecord(keeping sequence: UInt64) throws -> PendingRecord {
    if let last = cache?.lastPending, last.sequence == sequence { return last.record }
    let record = try pendingRecord(sequence)
    cache?.lastPending = (sequence, record)
    return record
  }

  private func operations(
    of record: PendingRecord, on key: DocumentKey, at places: OperationPlaces?
  ) throws -> [FolioDomain.Operation] {
    guard let places else { return record.operations.filter { $0.document == key } }
    return try places.ranges.map { range in
      guard let operation = try? TransactionBody.operation(in: record.body, at: range),
        operation.document == key
      else { throw StoreError.unreadableRecord(space: spaces.outboxByDocument.name) }
      return operation
    }
  }
}
