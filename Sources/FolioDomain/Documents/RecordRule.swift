import FolioJSON

/// A record's title as it is stored: trimmed and in normal form C.
public struct RecordTitle: Hashable, Sendable {
  /// The fewest characters (grapheme clusters).
  public static let characterMinimum = 3
  /// The most characters (grapheme clusters).
  public static let characterLimit = 50
  /// The most UTF-8 bytes.
  public static let byteLimit = 200

  /// The title.
  public let text: String

  /// The title of text as a person writes it.
  ///
  /// - Complexity: O(length).
  public init(validating text: String) throws(RecordError) {
    let title = TextRule.normalized(TextRule.trimmed(text))
    let count = title.count
    guard count >= Self.characterMinimum else {
      throw .titleTooShort(characterCount: count, limit: Self.characterMinimum)
    }
    guard count <= Self.characterLimit else {
      throw .titleTooLong(characterCount: count, limit: Self.characterLimit)
    }
    guard title.utf8.count <= Self.byteLimit else {
      throw .titleTooManyBytes(byteCount: title.utf8.count, limit: Self.byteLimit)
    }
    if let offset = TextRule.controlCharacterOffset(in: title) {
      throw .titleControlCharacter(offset: offset)
    }
    self.text = title
  }

  /// Whether both have the same bytes.
  public static func == (a: RecordTitle, b: RecordTitle) -> Bool {
    compareBytes(a.text, b.text) == 0
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
  }
}

/// What is unique among the records that are not deleted: the type, and the folded title.
public struct RecordIdentity: Sendable, Hashable, Comparable {
  /// The type's UTF-8 bytes.
  public let type: [UInt8]
  /// The folded title's UTF-8 bytes.
  public let titleKey: [UInt8]

  /// The identity of a record of that type and title.
  public init(type: String, title: String) {
    self.type = Array(type.utf8)
    titleKey = Array(TextRule.folded(title).utf8)
  }

  /// By type, then by title, in byte order.
  public static func < (a: RecordIdentity, b: RecordIdentity) -> Bool {
    a.type == b.type
      ? a.titleKey.lexicographicallyPrecedes(b.titleKey) : a.type.lexicographicallyPrecedes(b.type)
  }
}

/// The rules of the collection `record`.
public enum RecordRule {
  /// The field that says what kind of record it is.
  public static let type = FieldPath(FieldName(unchecked: "type"))
  /// The field with the title.
  public static let title = FieldPath(FieldName(unchecked: "title"))
  private static let textFields = ["type", "title", "subtitle", "userId"]
    .map { FieldPath(FieldName(unchecked: $0)) }

  /// The put with its title as it is stored.
  ///
  /// - Parameters:
  ///   - put: The put as it was made.
  ///   - isNew: Whether there is no such record before; then it needs a type and a title.
  /// - Throws: `RecordError`, where a field may not be written so.
  public static func checked(_ put: DocumentPut, isNew: Bool) throws(RecordError) -> DocumentPut {
    var put = put
    for path in [type, title] {
      let isSet = put.set.contains { $0.path == path }
      if isNew && !isSet || put.unset.contains(path) { throw .fieldMissing(path.name.text) }
    }
    for index in put.set.indices where textFields.contains(put.set[index].path) {
      let path = put.set[index].path
      guard case .string(let text) = put.set[index].value else {
        throw .fieldNotText(path.name.text)
      }
      if path == title { put.set[index].value = .string(try RecordTitle(validating: text).text) }
    }
    return put
  }

  /// Whether an operation can bring two records under one title, and the rule is to be checked.
  public static func concerns(_ put: DocumentPut) -> Bool {
    put.undelete || put.set.contains { $0.path == title || $0.path == type }
  }

  /// What is unique of a record; nil where it is deleted, or lacks a type or a title.
  public static func identity(of record: Document) -> RecordIdentity? {
    guard !record.isDeleted, case .string(let type) = record[type],
      case .string(let title) = record[title]
    else { return nil }
    return RecordIdentity(type: type, title: title)
  }

  /// Checks that no other record has the identity.
  ///
  /// - Parameters:
  ///   - holders: The records of that identity that are not deleted.
  ///   - id: The record that is to have it.
  public static func requireUnique(
    _ id: DocumentID, among holders: some Sequence<DocumentID>
  ) throws(RecordError) {
    for holder in holders where holder != id { throw .titleTaken(by: holder) }
  }
}
