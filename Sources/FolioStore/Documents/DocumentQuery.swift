public import FolioDomain
internal import LMDB

/// Which documents of a collection are asked for, and in what order.
public struct DocumentQuery: Hashable, Sendable {
  /// What documents are ordered by; those of the same time are in the order of their ids.
  @nonexhaustive
  public enum Order: UInt8, Hashable, Sendable {
    /// By the time they were created.
    case created = 0
    /// By the time they were updated last.
    case updated = 1
    /// By the title in lower case: of records alone, those with the same title in the order of their
    /// ids.
    case title = 2
  }

  /// The most rows a page can have.
  public static let limitMax = 1_000

  /// The collection.
  public var collection: CollectionName
  /// The text of the field `type`, where only documents of one type are wanted.
  public var type: String?
  /// Whether deleted ones are wanted too.
  public var includesDeleted = false
  /// What they are ordered by.
  public var order = Order.created
  /// Whether the latest come first.
  public var isDescending = false
  /// How many are wanted at most.
  public var limit = 100
  /// The row to go on after; nil to begin.
  public var after: DocumentCursor?

  /// The documents of a collection that are not deleted, the first created first.
  public init(_ collection: CollectionName) {
    self.collection = collection
  }
}

/// How the keys of `documentOrder` are laid out.
enum DocumentOrderKey {
  /// The keys of a collection, of one type or of all, deleted or not, in one order.
  static func prefix(
    _ collection: CollectionName, type: UInt128?, isDeleted: Bool, _ order: DocumentQuery.Order
  ) throws(StorageError) -> KeyBuilder {
    var key = KeyBuilder(reserving: 64)
    try key.append(text: collection.text)
    key.append(UInt8(type == nil ? 0 : 1))
    if let type { key.append(type) }
    key.append(UInt8(isDeleted ? 1 : 0))
    key.append(order.rawValue)
    return key
  }

  static func append(_ time: Timestamp, _ id: DocumentID, to key: inout KeyBuilder) {
    key.append(time.milliseconds)
    key.append(id.value)
  }

  /// All keys that a document has: four at most, no two alike.
  static func keys(_ document: DocumentKey, _ listing: DocumentListing) throws(StorageError)
    -> [KeyBuilder]
  {
    var keys: [KeyBuilder] = []
    let types: [UInt128?] = listing.type.map { [nil, $0] } ?? [nil]
    for type in types {
      for order in [DocumentQuery.Order.created, .updated] {
        var key = try prefix(
          document.collection, type: type, isDeleted: listing.isDeleted, order)
        append(listing.time(order), document.id, to: &key)
        keys.append(key)
      }
    }
    return keys
  }
}

extension DocumentListing {
  /// What the document stands at in a list of that order.
  fileprivate func time(_ order: DocumentQuery.Order) -> Timestamp {
    order == .updated ? updatedAt : createdAt
  }
}

/// Documents that come into lists in which they did not stand.
struct ListedDocuments {
  private var documents: [Listed] = []
  /// Those that documents were added of, each once for those that came one behind the other.
  private var collections: [CollectionName] = []

  private struct Listed {
    /// Its collection's place.
    var collection: Int
    var id: DocumentID
    var listing: DocumentListing
  }

  var count: Int { documents.count }

  mutating func add(_ key: DocumentKey, _ listing: DocumentListing) {
    if collections.last != key.collection { collections.append(key.collection) }
    documents.append(
      Listed(collection: collections.count - 1, id: key.id, listing: listing))
  }

  /// Gives all keys that the documents have in `documentOrder`, and forgets them.
  ///
  /// Documents that were added in the order of their keys have theirs list by list in the order in
  /// which they lie.
  mutating func moveKeys(to batch: inout RecordBatch) throws(StorageError) {
    if documents.isEmpty { return }
    let all = documents.indices
    var ofTypes: [(type: UInt128, place: Int)] = []
    for place in all {
      if let type = documents[place].listing.type { ofTypes.append((type, place)) }
    }
    ofTypes.sort { a, b in a.type == b.type ? a.place < b.place : a.type < b.type }
    for order in [DocumentQuery.Order.created, .updated] {
      try addKeys(all, order, type: nil, to: &batch)
    }
    var first = 0
    while first < ofTypes.count {
      let type = ofTypes[first].type
      let end = ofTypes[first...].firstIndex { $0.type != type } ?? ofTypes.count
      for order in [DocumentQuery.Order.created, .updated] {
        try addKeys(ofTypes[first..<end].lazy.map { $0.place }, order, type: type, to: &batch)
      }
      first = end
    }
    documents.removeAll(keepingCapacity: true)
    collections.removeAll(keepingCapacity: true)
  }

  /// Adds the keys of the documents at those places in one list, whose head is made once for all that
  /// have it.
  private func addKeys(
    _ places: some Sequence<Int>, _ order: DocumentQuery.Order, type: UInt128?,
    to batch: inout RecordBatch
  ) throws(StorageError) {
    var key = KeyBuilder(reserving: 64)
    var head: (collection: Int, isDeleted: Bool, byteCount: Int)?
    for place in places {
      let document = documents[place]
      let isDeleted = document.listing.isDeleted
      if let head, head.collection == document.collection, head.isDeleted == isDeleted {
        key.truncate(to: head.byteCount)
      } else {
        key = try DocumentOrderKey.prefix(
          collections[document.collection], type: type, isDeleted: isDeleted, order)
        head = (document.collection, isDeleted, key.byteCount)
      }
      DocumentOrderKey.append(document.listing.time(order), document.id, to: &key)
      batch.add(key)
    }
  }
}
