public import FolioDomain
internal import LMDB

extension StoreReadTransaction {
  /// The indexes that were declared on a collection, in the order of their names.
  public func indexes(of collection: CollectionName) throws -> [DocumentIndex] {
    try declaredIndexes(of: collection).map(\.index)
  }

  func declaredIndexes(of collection: CollectionName) throws -> [IndexRecord] {
    var prefix = KeyBuilder()
    try prefix.append(text: collection.text)
    var found: [IndexRecord] = []
    try base.scan(spaces.indexes, prefix.prefix) { key, value in
      var keyReader = KeyReader(key)
      _ = try keyReader.readText()
      let name = try keyReader.readText()
      var reader = RecordReader(value, of: spaces.indexes.name)
      found.append(try IndexRecord(&reader, name, collection))
      return .next
    }
    return found
  }

  /// All indexes of a collection, those it has without being told among them.
  func allIndexes(of collection: CollectionName) throws -> [IndexRecord] {
    IndexRecord.builtIn(collection) + (try declaredIndexes(of: collection))
  }

  /// The places that a document has in indexes.
  func indexedPlaces(of key: DocumentKey) throws -> [[UInt8]] {
    guard let span = try base.get(spaces.indexedDocuments, try Keys.document(key)) else {
      return []
    }
    var reader = RecordReader(span, of: spaces.indexedDocuments.name)
    var places: [[UInt8]] = []
    for _ in 0..<(try reader.readCount()) { places.append(try reader.readCounted()) }
    try reader.finish()
    return places
  }

  /// Whether a declared index differs from what is kept under its name, or is not there.
  public func needsIndex(_ index: DocumentIndex) throws -> Bool {
    try declaredIndexes(of: index.collection).first { $0.index.name == index.name }?.index != index
  }
}

extension StoreWriteTransaction {
  /// Makes an index of a collection, which is kept from then on.
  ///
  /// One that is there already, and the same, stays; one of the same name that is otherwise is made
  /// anew. It is part of this store alone: each device declares its own.
  /// - Throws: ``StoreError/tooManyIndexes(max:)``.
  /// - Complexity: O(documents of the collection) where it is made, else O(1).
  public mutating func declare(_ index: DocumentIndex) throws {
    let declared = try reading.declaredIndexes(of: index.collection)
    let present = declared.first { $0.index.name == index.name }
    if present?.index == index { return }
    guard present != nil || declared.count < DocumentIndex.countMax else {
      throw StoreError.tooManyIndexes(max: DocumentIndex.countMax)
    }
    let record = IndexRecord(number: try nextIndexNumber(), index: index)
    var writer = RecordWriter()
    record.encode(&writer)
    try base.put(spaces.indexes, try Keys.index(index), writer.bytes)
    try rebuildPlaces(of: index.collection)
  }

  /// Forgets an index; nothing where there is none of that name.
  ///
  /// - Complexity: O(documents of the collection).
  public mutating func removeIndex(_ name: String, of collection: CollectionName) throws {
    let declared = try reading.declaredIndexes(of: collection)
    guard let present = declared.first(where: { $0.index.name == name }) else { return }
    try base.delete(spaces.indexes, try Keys.index(present.index))
    try rebuildPlaces(of: collection)
  }

  private func nextIndexNumber() throws -> UInt32 {
    var greatest = IndexRecord.firstDeclared - 1
    try base.scan(spaces.indexes, .all) { _, value in
      var reader = RecordReader(value, of: spaces.indexes.name)
      greatest = max(greatest, try IndexRecord.readNumber(&reader))
      return .next
    }
    return greatest + 1
  }

  /// Gives every document of a collection its places in all indexes.
  mutating func rebuildPlaces(of collection: CollectionName) throws {
    session.forgetIndexes()
    var ids: [DocumentID] = []
    var prefix = KeyBuilder()
    try prefix.append(text: collection.text)
    try base.scan(spaces.documents, prefix.prefix) { key, _ in
      var reader = KeyReader(key)
      _ = try reader.readText()
      ids.append(DocumentID(try reader.readUInt128()))
      return .next
    }
    var puts = DocumentPuts()
    for id in ids {
      let key = DocumentKey(collection: collection, id: id)
      try updatePlaces(key, try reading.document(key), isRebuilding: true, &puts)
      if puts.areMany { try put(&puts) }
    }
    try put(&puts)
  }

  /// Forgets which indexes were declared where that cannot be read, and says whether it could.
  mutating func dropUnreadableIndexes() throws -> Bool {
    do {
      try base.scan(spaces.indexes, .all) { key, value in
        var keyReader = KeyReader(key)
        let collection = CollectionName(unchecked: try keyReader.readText())
        let name = try keyReader.readText()
        var reader = RecordReader(value, of: spaces.indexes.name)
        _ = try IndexRecord(&reader, name, collection)
        return .next
      }
      return true
    } catch StorageError.corrupt, StorageError.keyUnreadable, StoreError.unreadableRecord {
      try base.deleteAll(spaces.indexes)
      return false
    }
  }

  /// Gives all documents their places in indexes anew.
  mutating func remakePlaces() throws {
    try base.deleteAll(spaces.indexed)
    try base.deleteAll(spaces.indexedDocuments)
    for collection in try reading.collections() { try rebuildPlaces(of: collection) }
  }

  /// Brings the places of a document in the indexes of its collection up to date.
  ///
  /// - Parameters:
  ///   - document: The document as it is now; nil where nothing is left of it.
  ///   - isRebuilding: Whether it may have places in an index that is no more.
  ///   - isNew: Whether it is known to have no places.
  ///   - puts: Where its places wait to be put.
  mutating func updatePlaces(
    _ key: DocumentKey, _ document: Document?, isRebuilding: Bool = false, isNew: Bool = false,
    _ puts: inout DocumentPuts
  ) throws {
    let indexes = try knownIndexes(of: key.collection)
    if indexes.isEmpty, !isRebuilding { return }
    let before = isNew ? [] : try reading.indexedPlaces(of: key)
    let after = document.map { document in indexes.map { $0.key(of: document).bytes } } ?? []
    if before == after { return }
    // A document has as many places as its collection has indexes, which are few.
    for place in before where !after.contains(place) { try base.delete(spaces.indexed, place) }
    for place in after where !before.contains(place) { puts.indexed.add(place) }
    if after.isEmpty {
      try base.delete(spaces.indexedDocuments, try Keys.document(key))
    } else {
      var writer = RecordWriter(reserving: 128)
      writer.append(varint: UInt64(after.count))
      for place in after { writer.append(counted: place) }
      puts.indexedDocuments.add(try Keys.document(key), writer.bytes)
    }
  }

  /// The indexes of a collection, read once in a transaction.
  private func knownIndexes(of collection: CollectionName) throws -> [IndexRecord] {
    if let known = session.indexes[collection] { return known }
    let found = try reading.allIndexes(of: collection)
    session.remember(found, of: collection)
    return found
  }
}

extension Keys {
  /// Of `indexes`.
  fileprivate static func index(_ index: DocumentIndex) throws(StorageError) -> KeyBuilder {
    var key = KeyBuilder()
    try key.append(text: index.collection.text)
    try key.append(text: index.name)
    return key
  }
}

extension IndexRecord {
  private enum PartKind: UInt8 {
    case field, folded, createdAt, updatedAt
  }

  static func readNumber(_ reader: inout RecordReader) throws(StoreError) -> UInt32 {
    guard let number = UInt32(exactly: try reader.readVarint()) else { throw reader.unreadable }
    return number
  }

  fileprivate init(
    _ reader: inout RecordReader, _ name: String, _ collection: CollectionName
  ) throws(StoreError) {
    number = try Self.readNumber(&reader)
    var parts: [DocumentIndex.Part] = []
    for _ in 0..<(try reader.readCount()) {
      switch PartKind(rawValue: try reader.readByte()) {
      case .field: parts.append(.field(try reader.readFieldPath()))
      case .folded: parts.append(.folded(try reader.readFieldPath()))
      case .createdAt: parts.append(.createdAt)
      case .updatedAt: parts.append(.updatedAt)
      case nil: throw reader.unreadable
      }
    }
    try reader.finish()
    index = DocumentIndex(builtIn: name, on: collection, by: parts)
  }

  fileprivate func encode(_ writer: inout RecordWriter) {
    writer.append(varint: UInt64(number))
    writer.append(varint: UInt64(index.parts.count))
    for part in index.parts {
      switch part {
      case .field(let path):
        writer.append(PartKind.field.rawValue)
        writer.append(path)
      case .folded(let path):
        writer.append(PartKind.folded.rawValue)
        writer.append(path)
      case .createdAt: writer.append(PartKind.createdAt.rawValue)
      case .updatedAt: writer.append(PartKind.updatedAt.rawValue)
      }
    }
  }
}
