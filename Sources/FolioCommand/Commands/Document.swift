import FolioArguments
import FolioDomain
import FolioJSON
import FolioStore

extension Command {
  private static let collection = Argument("COLLECTION", "The collection, like notes")
  private static let id = Argument("ID", "The document's UUID")

  static let document = Command(
    "doc", "Put, get, list and delete JSON documents",
    [
      Command(
        "put", "Set and unset fields of a document, making it where it is new",
        details: "Fields merge one by one; null is a value like others.",
        arguments: [collection, Argument("JSON", "An object of the fields to set")],
        options: [
          Option("id", "ID", "The document; without it a new one"),
          unsetOption,
          Option("undelete", "Take a deletion back"),
        ],
        session: { session in try session.putDocument() }),
      Command(
        "get", "Show a document", arguments: [collection, id],
        options: [Option("deleted", "One that is deleted, too")],
        session: { session in try session.getDocument() }),
      Command(
        "list", "List a collection, page by page", arguments: [collection],
        options: listOptions(orders: ["created", "updated"]),
        session: { session in try session.listDocuments() }),
      Command(
        "delete", "Delete a document; its fields stay known", arguments: [collection, id],
        session: { session in try session.deleteDocument() }),
    ])
}

extension Session {
  private func collection() throws -> CollectionName {
    try CollectionName(validating: try invocation.required("COLLECTION"))
  }

  private func key() throws -> DocumentKey {
    DocumentKey(
      collection: try collection(), id: try DocumentID(try invocation.required("ID")))
  }

  fileprivate func putDocument() throws {
    let collection = try collection()
    let fields = try Self.typedJSON(try invocation.required("JSON"))
    let given = try invocation.option("id").map { try DocumentID($0) }
    let unset = try unsetFields()
    let undelete = invocation.flag("undelete")
    try say(
      try save(
        {
          try DocumentPut(
            collection: collection, document: $0, fields: fields, unset: unset, undelete: undelete)
        }, id: given))
  }

  fileprivate func getDocument() throws {
    try say(try document(try key(), deletedToo: invocation.flag("deleted")))
  }

  fileprivate func listDocuments() throws {
    let query = try query(of: try collection())
    let (found, display) = try read { (try $0.documents(query), try Display($0)) }
    var table = TextTable([.left("id"), .left("updated"), .left("fields")])
    for document in found {
      table.add([document.key.id.text, document.updatedText(display), try document.fieldsText()])
    }
    try console.say(
      rows: found.map { .document($0, cursor: DocumentCursor($0, order: query.order)) },
      text: found.isEmpty ? "no documents\n" : table.text)
  }

  fileprivate func deleteDocument() throws {
    try say(try delete(try key()))
  }

  private func say(_ document: Document?) throws {
    guard let document else { return }
    let fields = try document.fieldsText()
    try console.say(.document(document), text: "\(document.key.id.text)  \(fields)")
  }
}
