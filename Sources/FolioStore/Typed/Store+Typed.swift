public import FolioDomain
internal import FolioJSON

extension Store {
  /// Makes a collection's indexes where they are missing, and brings values of earlier versions to
  /// the present one.
  ///
  /// To be called once the store is open. The indexes are made in one storage transaction. Values are
  /// brought up to date by edits, which are sent to other devices like all others; what comes from a
  /// device with an earlier version of the app is understood when it is read, and brought up to date
  /// the next time.
  /// - Returns: How many values were brought up to date.
  /// - Throws: ``StoreError/tooManyIndexes(max:)``, what a migration throws; what was done before
  ///   stays.
  /// - Complexity: O(1) where nothing is to be done, but for the indexes to be looked up; else
  ///   O(documents of the collection).
  @discardableResult
  public func prepare<Value>(_ collection: TypedCollection<Value>) throws -> Int {
    let missing = try read { state in try collection.indexes.filter { try state.needsIndex($0) } }
    if !missing.isEmpty {
      try write { transaction in for index in missing { try transaction.declare(index) } }
    }
    guard !collection.migrations.isEmpty else { return 0 }
    var total = 0
    while true {
      let count = try write { try $0.upgradeSome(of: collection) }
      if count == 0 { return total }
      total += count
    }
  }
}

extension StoreReadTransaction {
  /// A value of a collection; nil where there is none of that id, or it is deleted.
  ///
  /// - Throws: ``StoreError/newerShape(_:found:known:)``, `DecodingError`, and what a migration throws.
  public func get<Value>(_ id: DocumentID, in collection: TypedCollection<Value>) throws
    -> TypedDocument<Value>?
  {
    let found = try document(DocumentKey(collection: collection.name, id: id))
    guard let found, !found.isDeleted else { return nil }
    return try collection.typed(found)
  }

  /// A page of the values of an index, as the query for documents of it gives them.
  public func list<Value>(_ query: IndexedQuery, in collection: TypedCollection<Value>) throws
    -> [TypedDocument<Value>]
  {
    try documents(query).map { try collection.typed($0) }
  }

  /// A page of the values in the order of their creation, or of another list by time.
  ///
  /// - Parameters:
  ///   - collection: The collection.
  ///   - change: Changes the query: its order, its limit, where it goes on.
  public func list<Value>(
    in collection: TypedCollection<Value>, _ change: (inout DocumentQuery) -> Void = { _ in }
  ) throws -> [TypedDocument<Value>] {
    var query = DocumentQuery(collection.name)
    change(&query)
    query.collection = collection.name
    return try documents(query).map { try collection.typed($0) }
  }
}

extension StoreWriteTransaction {
  /// Makes a document of a value, under a new id.
  @discardableResult
  public mutating func insert<Value>(_ value: Value, in collection: TypedCollection<Value>) throws
    -> DocumentID
  {
    let id = newDocumentID()
    try put(value, id: id, in: collection)
    return id
  }

  /// Makes a document what a value is, and makes it where it is new.
  ///
  /// Only members that differ are written.
  public mutating func put<Value>(
    _ value: Value, id: DocumentID, in collection: TypedCollection<Value>
  ) throws {
    let present = try reading.document(DocumentKey(collection: collection.name, id: id))
    guard let put = try collection.put(value, id, over: present) else { return }
    try save([.put(put)])
  }

  /// Changes a value in place.
  ///
  /// - Returns: The value as it is then.
  /// - Throws: ``StoreError/documentMissing(_:_:)`` where there is none, or it is deleted.
  @discardableResult
  public mutating func update<Value>(
    _ id: DocumentID, in collection: TypedCollection<Value>,
    _ change: (inout Value) throws -> Void
  ) throws -> Value {
    guard let present = try reading.get(id, in: collection) else {
      throw StoreError.documentMissing(collection.name, id)
    }
    var value = present.value
    try change(&value)
    try put(value, id: id, in: collection)
    return value
  }

  /// Deletes a document softly.
  ///
  /// - Throws: ``StoreError/documentMissing(_:_:)`` where there is none, or it is deleted.
  public mutating func delete<Value>(_ id: DocumentID, in collection: TypedCollection<Value>) throws
  {
    let key = DocumentKey(collection: collection.name, id: id)
    guard let present = try reading.document(key), !present.isDeleted else {
      throw StoreError.documentMissing(collection.name, id)
    }
    try save([.deleteDocument(key)])
  }

  /// Brings some values of earlier versions to the present one, deleted ones too.
  ///
  /// - Returns: How many; 0 where there are no more.
  mutating func upgradeSome<Value>(of collection: TypedCollection<Value>) throws -> Int {
    var query = IndexedQuery(try ShapeVersion.index(of: collection.name))
    query.upTo = .integer(Int64(collection.version))
    query.includesDeleted = true
    query.limit = 100
    let documents = try reading.documents(query)
    var edits: [Edit] = []
    for document in documents {
      if let put = try collection.upgrade(document) { edits.append(.put(put)) }
    }
    try saveInParts(edits[...])
    return edits.count
  }

  /// Saves edits in as few transactions as the limit of a body allows.
  private mutating func saveInParts(_ edits: ArraySlice<Edit>) throws {
    do {
      try save(Array(edits))
    } catch StoreError.bodyTooLarge where edits.count > 1 {
      let half = edits.startIndex + edits.count / 2
      try saveInParts(edits[..<half])
      try saveInParts(edits[half...])
    }
  }
}
