import FolioDomain
import FolioJSON
import FolioStore

extension JSONValue {
  /// A document, in a list with the cursor to go on after it.
  static func document(_ document: Document, cursor: DocumentCursor? = nil) -> JSONValue {
    sorted(members(document, cursor))
  }

  /// A record: a document whose known fields stand beside its `fields` too.
  static func record(_ record: Document, cursor: DocumentCursor? = nil) -> JSONValue {
    var members = members(record, cursor)
    for name in ["subtitle", "title", "type", "userId"] {
      members.append(JSONMember(name, text(record.text(name))))
    }
    var metadata = JSONValue.null
    if case .object(let fields) = record.fields {
      metadata = fields.first { $0.name == "metadata" }?.value ?? .null
    }
    members.append(JSONMember("metadata", metadata))
    return sorted(members)
  }

  private static func members(_ document: Document, _ cursor: DocumentCursor?) -> [JSONMember] {
    var members = [
      JSONMember("id", .string(document.key.id.text)),
      JSONMember("createdAt", .string(document.createdAt.text)),
      JSONMember("updatedAt", .string(document.updatedAt.text)),
      JSONMember("isDeleted", .bool(document.isDeleted)),
      JSONMember("pending", .bool(document.isPending)), JSONMember("fields", document.fields),
    ]
    if let cursor { members.append(JSONMember("cursor", .string(cursor.text))) }
    return members
  }

  private static func sorted(_ members: [JSONMember]) -> JSONValue {
    .object(members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) })
  }
}

extension Document {
  /// A field that is text; nil where it is not set, or is something else.
  func text(_ field: String) -> String? {
    guard case .string(let text)? = self[FieldPath(FieldName(unchecked: field))] else { return nil }
    return text
  }
}
