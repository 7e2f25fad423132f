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
          Option("unset", "FIELDS", "Fields to unset, with commas between; metadata.NAME for one"),
          Option("undelete", "Take a deletion back"),
        ],
        session: { session in try session.putDocument() }),
      Command(
        "get", "Show a document", arguments: [collection, id],
        options: [Option("deleted", "One that is deleted, too")],
        session: { session in try session.getDocument() }),
      Command(
        "list", "List a collection, page by page", arguments: [collection],
        options: [
          Option("limit", "N", "At most so many; 100 without it"),
          Option("after", "CURSOR", "Go on after a row, by its cursor"),
          Option("sort", "ORDER", "The order", choices: ["created", "updated"]),
          Option("deleted", "Those that are deleted too"),
        ],
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

  /// The JSON that a person typed; numbers may be spelled otherwise than they are stored.
  private static func fields(_ json: [UInt8]) throws -> JSONValue {
    do throws(JSONError) {
      return try JSONValue(parsing: json, .rfc8259)
    } catch {
      let path = error.path(in: json)
      let isNumber = error.code == .numberNotPortable
      throw Failure(
        code: isNumber ? "numberNotPortable" : error.code.rawValue,
        message: "JSON: \(error)\(path.isEmpty ? "" : ", in \(path)")",
        hint: isNumber
          ? "what is no integer within 2^53 - 1 and no plain decimal belongs in a string"
          : "write it like {\"name\":\"value\"}, in quotes for the shell", exit: .data)
    }
  }

  private func key() throws -> DocumentKey {
    DocumentKey(
      collection: try collection(), id: try DocumentID(try invocation.required("ID")))
  }

  fileprivate func putDocument() throws {
    let collection = try collection()
    let json = Array(try invocation.required("JSON").utf8)
    let fields = try Self.fields(json)
    let given = try invocation.option("id").map { try DocumentID($0) }
    let unset = try (invocation.option("unset") ?? "").split(separator: ",")
      .map { try FieldPath(validating: String($0)) }
    let undelete = invocation.flag("undelete")
    let document = try withStore { store in
      try store.write { transaction in
        let id = given ?? transaction.newDocumentID()
        try transaction.save([
          .put(
            try DocumentPut(
              collection: collection, document: id, fields: fields, unset: unset,
              undelete: undelete))
        ])
        return try transaction.reading.document(DocumentKey(collection: collection, id: id))
      }
    }
    try say(document)
  }

  fileprivate func getDocument() throws {
    let key = try key()
    let document = try read { try $0.document(key) }
    guard let document, !document.isDeleted || invocation.flag("deleted") else {
      throw StoreError.documentMissing(key.collection, key.id)
    }
    try say(document)
  }

  fileprivate func listDocuments() throws {
    var query = DocumentQuery(try collection())
    query.limit = try invocation.number("limit", atLeast: 1) ?? query.limit
    query.order = invocation.option("sort") == "updated" ? .updated : .created
    query.includesDeleted = invocation.flag("deleted")
    query.after = try invocation.option("after").map { try DocumentCursor($0) }
    let wanted = query
    let found = try read { try $0.documents(wanted) }
    let rows = found.map {
      JSONValue.document($0, cursor: DocumentCursor($0, order: wanted.order))
    }
    var table = TextTable([.left("id"), .left("updated"), .left("fields")])
    for document in found {
      let mark = (document.isDeleted ? " (deleted)" : "") + (document.isPending ? " (pending)" : "")
      table.add([
        document.key.id.text, document.updatedAt.text + mark, try document.fieldsText(),
      ])
    }
    try console.say(rows: rows, text: found.isEmpty ? "no documents\n" : table.text)
  }

  fileprivate func deleteDocument() throws {
    let key = try key()
    let document = try withStore { store in
      try store.write { transaction in
        guard let present = try transaction.reading.document(key), !present.isDeleted else {
          throw StoreError.documentMissing(key.collection, key.id)
        }
        try transaction.save([.deleteDocument(key)])
        return try transaction.reading.document(key)
      }
    }
    try say(document)
  }

  private func say(_ document: Document?) throws {
    guard let document else { return }
    let fields = try document.fieldsText()
    try console.say(.document(document), text: "\(document.key.id.text)  \(fields)")
  }
}

extension Document {
  /// The fields as a line of JSON.
  fileprivate func fieldsText() throws -> String {
    String(decoding: try fields.canonicalBytes, as: UTF8.self)
  }
}
