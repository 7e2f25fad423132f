public import FolioDomain
internal import FolioJSON
internal import LMDB

/// An index of a collection: its documents in the order of some of their fields.
///
/// It is declared once with ``StoreWriteTransaction/declare(_:)`` and kept in each storage
/// transaction that changes a document of the collection, whoever makes it: a save, a sync, a
/// restore, this process or another.
public struct DocumentIndex: Hashable, Sendable {
  /// What documents are ordered by.
  @nonexhaustive
  public enum Part: Hashable, Sendable {
    /// A field: unset before null, false, true, numbers, text and everything else; text in the order
    /// of its UTF-8.
    case field(FieldPath)
    /// A field, its text in lower case and in normal form C.
    case folded(FieldPath)
    /// The time the document was created.
    case createdAt
    /// The time it was updated last.
    case updatedAt
  }

  /// The most parts that an index has.
  public static let partCountMax = 4
  /// How many indexes a collection can have.
  public static let countMax = 16

  /// The collection.
  public let collection: CollectionName
  /// The index's name in the collection.
  public let name: String
  /// What documents are ordered by, the first part deciding; those alike in all of them are in the
  /// order of their ids.
  public let parts: [Part]

  /// An index of that name.
  ///
  /// - Parameters:
  ///   - name: `[a-z][a-z0-9-]{0,63}`, as a collection's.
  ///   - collection: The collection.
  ///   - parts: 1 to ``partCountMax``.
  /// - Throws: ``StoreError/badIndex(_:)``.
  public init(_ name: String, on collection: CollectionName, by parts: [Part]) throws {
    guard (try? CollectionName(validating: name)) != nil else { throw StoreError.badIndex(name) }
    guard (1...Self.partCountMax).contains(parts.count) else { throw StoreError.badIndex(name) }
    self.init(builtIn: name, on: collection, by: parts)
  }

  init(builtIn name: String, on collection: CollectionName, by parts: [Part]) {
    self.collection = collection
    self.name = name
    self.parts = parts
  }
}

/// An index as the store keeps it.
struct IndexRecord: Hashable {
  /// What its keys begin with.
  var number: UInt32
  var index: DocumentIndex

  /// The indexes that a store has without being told, by collection.
  static func builtIn(_ collection: CollectionName) -> [IndexRecord] {
    collection == .record ? [recordsByTitle, recordsByTypeAndTitle] : []
  }

  /// The first number of an index that a user declares.
  static let firstDeclared: UInt32 = 16

  static let recordsByTitle = IndexRecord(
    number: 1,
    index: DocumentIndex(
      builtIn: "folio.title", on: .record, by: [.folded(RecordRule.title)]))

  static let recordsByTypeAndTitle = IndexRecord(
    number: 2,
    index: DocumentIndex(
      builtIn: "folio.type.title", on: .record,
      by: [.field(RecordRule.type), .folded(RecordRule.title)]))

  /// What the keys of its documents begin with.
  func prefix(isDeleted: Bool) -> KeyBuilder {
    var key = KeyBuilder(reserving: 64)
    key.append(number)
    key.append(UInt8(isDeleted ? 1 : 0))
    return key
  }

  /// The key of a document.
  func key(of document: Document) -> KeyBuilder {
    var key = prefix(isDeleted: document.isDeleted)
    for part in index.parts { append(value(of: part, in: document), for: part, to: &key) }
    key.append(document.key.id.value)
    return key
  }

  private func value(of part: DocumentIndex.Part, in document: Document) -> JSONValue? {
    switch part {
    case .field(let path), .folded(let path): document[path]
    case .createdAt: .integer(document.createdAt.milliseconds)
    case .updatedAt: .integer(document.updatedAt.milliseconds)
    }
  }

  /// Appends a value of a part, as the documents' keys have it.
  func append(_ value: JSONValue?, for part: DocumentIndex.Part, to key: inout KeyBuilder) {
    var value = value
    if case .folded = part, case .string(let text)? = value {
      value = .string(TextRule.folded(text))
    }
    IndexValue.append(value, textByteCountMax: textByteCountMax, to: &key)
  }

  /// How many bytes of a text stand in a key: what a key has room for, shared between the parts.
  private var textByteCountMax: Int {
    min(200, 440 / index.parts.count - 20)
  }
}
