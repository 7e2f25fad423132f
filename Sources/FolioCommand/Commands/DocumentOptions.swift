import FolioArguments
import FolioDomain
import FolioJSON
import FolioStore

/// What the commands of documents and of records have in common.
extension Command {
  /// The options of a list of documents.
  static func listOptions(orders: [String]) -> [Option] {
    [
      Option("type", "TYPE", "Only those of a type"),
      Option("limit", "N", "At most so many; 100 without it"),
      Option("after", "CURSOR", "Go on after a row, by its cursor"),
      Option("sort", "ORDER", "The order", choices: orders),
      Option("descending", "The last of the order first"),
      Option("deleted", "Those that are deleted too"),
    ]
  }

  static let unsetOption = Option(
    "unset", "FIELDS", "Fields to unset, with commas between; metadata.NAME for one")
}

extension Session {
  /// The page of a collection that the options of a list ask for.
  func query(of collection: CollectionName) throws -> DocumentQuery {
    var query = DocumentQuery(collection)
    query.type = invocation.option("type")
    query.limit = try invocation.number("limit", atLeast: 1) ?? query.limit
    switch invocation.option("sort") {
    case "updated": query.order = .updated
    case "title": query.order = .title
    default: query.order = .created
    }
    query.isDescending = invocation.flag("descending")
    query.includesDeleted = invocation.flag("deleted")
    query.after = try invocation.option("after").map { try DocumentCursor($0) }
    return query
  }

  /// The fields that are to be unset.
  func unsetFields() throws -> [FieldPath] {
    try (invocation.option("unset") ?? "").split(separator: ",")
      .map { try FieldPath(validating: String($0)) }
  }

  /// The JSON that a person typed; numbers may be spelled otherwise than they are stored.
  static func typedJSON(_ text: String) throws -> JSONValue {
    let json = Array(text.utf8)
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

  /// Saves a put and gives the document as it is then.
  ///
  /// - Parameter mustExist: Whether there must be such a document before, not deleted unless the put
  ///   takes that back.
  func save(_ put: (DocumentID) throws -> DocumentPut, id: DocumentID?, mustExist: Bool = false)
    throws -> Document?
  {
    try withStore { store in
      try store.write { transaction in
        let put = try put(id ?? transaction.newDocumentID())
        let key = DocumentKey(collection: put.collection, id: put.document)
        if mustExist {
          try requirePresent(try transaction.reading.document(key), key, deletedToo: put.undelete)
        }
        try transaction.save([.put(put)])
        return try transaction.reading.document(key)
      }
    }
  }

  /// Deletes a document and gives it as it is then.
  func delete(_ key: DocumentKey) throws -> Document? {
    try withStore { store in
      try store.write { transaction in
        try requirePresent(try transaction.reading.document(key), key, deletedToo: false)
        try transaction.save([.deleteDocument(key)])
        return try transaction.reading.document(key)
      }
    }
  }

  /// A document that is there, not deleted unless those are wanted too.
  func document(_ key: DocumentKey, deletedToo: Bool) throws -> Document? {
    let document = try read { try $0.document(key) }
    try requirePresent(document, key, deletedToo: deletedToo)
    return document
  }

  private func requirePresent(
    _ document: Document?, _ key: DocumentKey, deletedToo: Bool
  ) throws {
    guard let document, deletedToo || !document.isDeleted else {
      throw StoreError.documentMissing(key.collection, key.id)
    }
  }
}

extension Document {
  /// The fields as a line of JSON.
  func fieldsText() throws -> String {
    String(decoding: try fields.canonicalBytes, as: UTF8.self)
  }

  /// When it was updated, and what is to be known of it beside.
  func updatedText(_ display: Display) -> String {
    display.text(updatedAt) + (isDeleted ? " (deleted)" : "") + (isPending ? " (pending)" : "")
  }
}
