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
    try forEach(document, listing) { keys.append($0) }
    return keys
  }

  /// Calls `body` with all keys that a document has, one after the other.
  static func forEach(
    _ document: DocumentKey, _ listing: DocumentListing, _ body: (KeyBuilder) -> Void
  ) throws(StorageError) {
    try forEach(document, listing, type: nil, body)
    if let type = listing.type { try forEach(document, listing, type: type, body) }
  }

  private static func forEach(
    _ document: DocumentKey, _ listing: DocumentListing, type: UInt128?,
    _ body: (KeyBuilder) -> Void
  ) throws(StorageError) {
    var key = try prefix(document.collection, type: type, isDeleted: listing.isDeleted, .created)
    append(listing.createdAt, document.id, to: &key)
    body(key)
    key = try prefix(document.collection, type: type, isDeleted: listing.isDeleted, .updated)
    append(listing.updatedAt, document.id, to: &key)
    body(key)
  }
}
