public import FolioDomain
public import FolioJSON

/// A collection whose documents are values of one type.
///
/// A value's members are the document's fields. They merge field by field with what other devices
/// write, so that two devices' changes of different members both survive. Fields that the type does
/// not know are kept.
///
///     struct Task: Codable, Sendable { var title: String; var rank: Int; var isDone: Bool }
///     let tasks = try TypedCollection<Task>(
///       "task", indexes: [.init("by-rank", .field("isDone"), .field("rank"))])
///     try store.prepare(tasks)
///     let id = try store.write { try $0.insert(Task(title: "Pay", rank: 1, isDone: false), in: tasks) }
public struct TypedCollection<Value: Codable & Sendable>: Sendable {
  /// The collection.
  public let name: CollectionName
  /// The indexes that it has beside its lists by time.
  public let indexes: [DocumentIndex]
  /// How values of earlier versions become those of the present one, in order.
  public let migrations: [ShapeMigration]

  /// The version of values' shape: one more than there are migrations.
  public var version: Int { migrations.count + 1 }

  /// A collection of that name.
  ///
  /// - Parameters:
  ///   - name: The collection's name.
  ///   - indexes: The indexes that a query can walk; each name once.
  ///   - migrations: What was done to the values' shape since the first version, each step once and
  ///     for ever in its place.
  /// - Throws: `NameError`, ``StoreError/badIndex(_:)``.
  public init(
    _ name: String, indexes: [TypedIndex] = [], migrations: [ShapeMigration] = []
  ) throws {
    let collection = try CollectionName(validating: name)
    self.name = collection
    self.migrations = migrations
    var declared = try indexes.map { index in
      try DocumentIndex(index.name, on: collection, by: index.parts)
    }
    if !migrations.isEmpty { declared.append(try ShapeVersion.index(of: collection)) }
    for (place, index) in declared.enumerated()
    where declared.dropFirst(place + 1).contains(where: { $0.name == index.name }) {
      throw StoreError.badIndex(index.name)
    }
    self.indexes = declared
  }

  /// What to ask an index of the collection for.
  ///
  /// - Throws: ``StoreError/indexNotDeclared(_:)``.
  public func query(_ index: String) throws -> IndexedQuery {
    guard let found = indexes.first(where: { $0.name == index }) else {
      throw StoreError.indexNotDeclared(index)
    }
    return IndexedQuery(found)
  }
}

/// An index of a typed collection.
public struct TypedIndex: Sendable {
  /// The index's name.
  public let name: String
  let parts: [DocumentIndex.Part]

  /// An index of that name, the first part deciding.
  public init(_ name: String, _ parts: TypedIndexPart...) {
    self.name = name
    self.parts = parts.map(\.part)
  }
}

/// A part of an index of a typed collection.
public struct TypedIndexPart: Sendable {
  let part: DocumentIndex.Part

  /// A member of the values, by the name it is encoded under.
  public static func field(_ name: String) -> TypedIndexPart {
    TypedIndexPart(part: .field(FieldPath(FieldName(unchecked: name))))
  }

  /// A member of the values that is text, in lower case.
  public static func folded(_ name: String) -> TypedIndexPart {
    TypedIndexPart(part: .folded(FieldPath(FieldName(unchecked: name))))
  }

  /// The time a document was created.
  public static let createdAt = TypedIndexPart(part: .createdAt)
  /// The time a document was updated last.
  public static let updatedAt = TypedIndexPart(part: .updatedAt)
}

/// A step from one version of a collection's values to the next.
///
/// It is given a document's fields as an earlier version of the app wrote them and changes them to
/// what the next version reads. It may run more than once, on any device, and must come to the same
/// each time.
public struct ShapeMigration: Sendable {
  let change: @Sendable (inout [String: JSONValue]) throws -> Void

  /// A step that changes fields so.
  public init(_ change: @escaping @Sendable (inout [String: JSONValue]) throws -> Void) {
    self.change = change
  }
}

/// A document of a typed collection.
public struct TypedDocument<Value: Codable & Sendable>: Sendable {
  /// The document's id.
  public let id: DocumentID
  /// When it was created.
  public let createdAt: Timestamp
  /// When it was updated last.
  public let updatedAt: Timestamp
  /// Whether it is deleted.
  public let isDeleted: Bool
  /// Whether something of it waits to be sent.
  public let isPending: Bool
  /// What it is.
  public let value: Value
}

extension TypedDocument: Equatable where Value: Equatable {}
extension TypedDocument: Hashable where Value: Hashable {}

/// Which version of a collection's values a document was written by.
enum ShapeVersion {
  /// The field that says so; one without it is of the first.
  static let field = FieldPath(FieldName(unchecked: "shapeVersion"))

  static func index(of collection: CollectionName) throws -> DocumentIndex {
    try DocumentIndex("shape-version", on: collection, by: [.field(field)])
  }

  static func version(of document: Document) -> Int {
    if case .integer(let version)? = document[field] { return Int(version) }
    return 1
  }
}
