public import FolioDomain
public import FolioJSON
internal import LMDB

/// Which documents of an index are asked for.
public struct IndexedQuery: Hashable, Sendable {
  /// The index, which must have been declared.
  public var index: DocumentIndex
  /// What the first parts of the index are, nil for an unset field; empty for all documents.
  public var equal: [JSONValue?] = []
  /// The least that the next part is; nil for no bound.
  public var from: JSONValue?
  /// What the next part is below; nil for no bound.
  public var upTo: JSONValue?
  /// Whether deleted documents are wanted too.
  public var includesDeleted = false
  /// Whether the last of the order come first.
  public var isDescending = false
  /// How many are wanted at most.
  public var limit = 100
  /// The row to go on after; nil to begin.
  public var after: DocumentCursor?

  /// The documents of an index that are not deleted, in its order.
  public init(_ index: DocumentIndex) { self.index = index }
}

extension StoreReadTransaction {
  /// A page of the documents of an index.
  ///
  /// Walks the index from where the page begins, and reads the documents on the page: nothing else,
  /// however many there are.
  /// - Complexity: O(page x log n).
  /// - Throws: ``StoreError/indexNotDeclared(_:)``, ``StoreError/badListLimit(_:max:)``,
  ///   ``StoreError/badListCursor``.
  public func documents(_ query: IndexedQuery) throws -> [Document] {
    let declared = try declaredIndexes(of: query.index.collection)
    guard let record = declared.first(where: { $0.index == query.index }) else {
      throw StoreError.indexNotDeclared(query.index.name)
    }
    return try documents(query, record)
  }

  /// The place of a document in the list of an index.
  ///
  /// - Throws: ``StoreError/indexNotDeclared(_:)``.
  public func cursor(of document: Document, in index: DocumentIndex) throws -> DocumentCursor {
    let declared = try declaredIndexes(of: index.collection)
    guard let record = declared.first(where: { $0.index == index }) else {
      throw StoreError.indexNotDeclared(index.name)
    }
    return DocumentCursor(document, in: record)
  }

  func documents(_ query: IndexedQuery, _ record: IndexRecord) throws -> [Document] {
    guard (1...DocumentQuery.limitMax).contains(query.limit) else {
      throw StoreError.badListLimit(query.limit, max: DocumentQuery.limitMax)
    }
    var places = try places(query, record, isDeleted: false)
    if query.includesDeleted {
      places += try self.places(query, record, isDeleted: true)
      places.sort { query.isDescending ? $1 < $0 : $0 < $1 }
    }
    return try documents(at: places.prefix(query.limit), in: query.index.collection)
  }

  private func places(
    _ query: IndexedQuery, _ record: IndexRecord, isDeleted: Bool
  ) throws -> [DocumentCursor] {
    let base = record.prefix(isDeleted: isDeleted)
    let range = try range(query, record, base)
    var places: [DocumentCursor] = []
    let order = query.isDescending ? ScanOrder.descending : .ascending
    try self.base.scan(spaces.indexed, range, order, limit: query.limit) { key, _ in
      places.append(try DocumentCursor(indexed: key.copied, after: base.byteCount))
      return .next
    }
    return places
  }

  /// The keys that a query is about, from where its page begins.
  private func range(
    _ query: IndexedQuery, _ record: IndexRecord, _ base: KeyBuilder
  ) throws -> KeyRange {
    let parts = record.index.parts
    guard query.equal.count <= parts.count else {
      throw StoreError.badIndex(record.index.name)
    }
    var prefix = base
    for (value, part) in zip(query.equal, parts) { record.append(value, for: part, to: &prefix) }
    let next = parts.dropFirst(query.equal.count).first
    func bound(_ value: JSONValue?) throws -> [UInt8]? {
      guard let value else { return nil }
      guard let next else { throw StoreError.badIndex(record.index.name) }
      var key = prefix
      record.append(value, for: next, to: &key)
      return key.bytes
    }
    var lower = try bound(query.from) ?? prefix.bytes
    var upper = try bound(query.upTo) ?? Self.successor(ofPrefix: prefix.bytes)
    if let after = query.after {
      guard case .key(let values) = after.place else { throw StoreError.badListCursor }
      var key = base
      key.append(fixed: values)
      key.append(after.id.value)
      if query.isDescending {
        if key.bytes.lexicographicallyPrecedes(upper) { upper = key.bytes }
      } else if lower.lexicographicallyPrecedes(key.bytes) {
        lower = key.bytes + [0]
      }
    }
    return .from(lower, upTo: upper)
  }

  /// The least key that is above all that begin with `bytes`, which do not begin with 255.
  private static func successor(ofPrefix bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    while bytes.last == 255 { bytes.removeLast() }
    if let last = bytes.popLast() { bytes.append(last + 1) }
    return bytes
  }
}

extension StoreReadTransaction {
  /// The records of an identity that are not deleted, in order of their ids.
  ///
  /// - Complexity: O(records of that title x log n).
  public func records(of identity: RecordIdentity) throws -> [DocumentID] {
    let index = IndexRecord.recordsByTypeAndTitle
    var query = IndexedQuery(index.index)
    query.equal = [
      .string(String(decoding: identity.type, as: UTF8.self)),
      .string(String(decoding: identity.titleKey, as: UTF8.self)),
    ]
    query.limit = DocumentQuery.limitMax
    return try documents(query, index).filter { RecordRule.identity(of: $0) == identity }
      .map(\.key.id)
  }
}
