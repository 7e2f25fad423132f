import FolioDomain
import FolioJSON
import FolioStore

extension JSONValue {
  /// A document, in a list with the cursor to go on after it.
  static func document(_ document: Document, cursor: DocumentCursor? = nil) -> JSONValue {
    var members = [
      JSONMember("id", .string(document.key.id.text)),
      JSONMember("createdAt", .string(document.createdAt.text)),
      JSONMember("updatedAt", .string(document.updatedAt.text)),
      JSONMember("isDeleted", .bool(document.isDeleted)),
      JSONMember("pending", .bool(document.isPending)), JSONMember("fields", document.fields),
    ]
    if let cursor { members.append(JSONMember("cursor", .string(cursor.text))) }
    return .object(members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) })
  }
}
