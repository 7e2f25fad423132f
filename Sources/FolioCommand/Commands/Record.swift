import FolioArguments
import FolioDomain
import FolioJSON
import FolioStore

extension Command {
  private static let id = Argument("ID", "The record's UUID")
  private static let optional = [
    Option("subtitle", "TEXT", "A line below the title"),
    Option("metadata", "JSON", "An object, whose members merge one by one"),
    Option("user", "ID", "Whose record it is"),
  ]

  static let record = Command(
    "record", "Create, list, show, update and delete records",
    [
      Command(
        "create", "Make a record; its title is unique among those of its type",
        options: [
          Option("type", "TYPE", "What kind of record it is", isRequired: true),
          Option("title", "TITLE", "3 to 50 characters", isRequired: true),
        ] + optional,
        session: { session in try session.createRecord() }),
      Command(
        "list", "List records, page by page",
        options: listOptions(orders: ["created", "updated", "title"]),
        session: { session in try session.listRecords() }),
      Command(
        "get", "Show a record", arguments: [id],
        options: [Option("deleted", "One that is deleted, too")],
        session: { session in
          try session.say(
            try session.document(
              try session.recordKey(), deletedToo: session.invocation.flag("deleted")))
        }),
      Command(
        "update", "Change fields of a record; the others stay", arguments: [id],
        options: [
          Option("type", "TYPE", "What kind of record it is"),
          Option("title", "TITLE", "3 to 50 characters"),
        ] + optional + [unsetOption, Option("undelete", "Take a deletion back")],
        session: { session in try session.updateRecord() }),
      Command(
        "delete", "Delete a record; its fields stay known", arguments: [id],
        session: { session in try session.say(try session.delete(try session.recordKey())) }),
    ])
}

extension Session {
  fileprivate func recordKey() throws -> DocumentKey {
    DocumentKey(collection: .record, id: try DocumentID(try invocation.required("ID")))
  }

  /// The fields that options give.
  private func recordFields() throws -> JSONValue {
    var members: [JSONMember] = []
    for (option, field) in [
      ("subtitle", "subtitle"), ("title", "title"), ("type", "type"), ("user", "userId"),
    ] {
      guard let text = invocation.option(option) else { continue }
      members.append(JSONMember(field, .string(text)))
    }
    if let metadata = invocation.option("metadata") {
      members.append(JSONMember("metadata", try Self.typedJSON(metadata)))
    }
    return .object(
      members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) })
  }

  fileprivate func createRecord() throws {
    let fields = try recordFields()
    try say(
      try save({ try DocumentPut(collection: .record, document: $0, fields: fields) }, id: nil))
  }

  fileprivate func updateRecord() throws {
    let id = try DocumentID(try invocation.required("ID"))
    let fields = try recordFields()
    let unset = try unsetFields()
    let undelete = invocation.flag("undelete")
    guard fields != .object([]) || !unset.isEmpty || undelete else {
      throw Failure.usage(
        "record update says nothing to change", hint: "--title TITLE, for one; see --help")
    }
    let put = try DocumentPut(
      collection: .record, document: id, fields: fields, unset: unset, undelete: undelete)
    try say(try save({ _ in put }, id: id, mustExist: true))
  }

  fileprivate func listRecords() throws {
    let query = try query(of: .record)
    let (found, display) = try read { (try $0.documents(query), try Display($0)) }
    var table = TextTable([
      .left("id"), .left("type"), .left("title"), .left("subtitle"), .left("updated"),
    ])
    for record in found {
      table.add([
        record.key.id.text, record.text("type") ?? "", record.text("title") ?? "",
        record.text("subtitle") ?? "", record.updatedText(display),
      ])
    }
    try console.say(
      rows: found.map { .record($0, cursor: DocumentCursor($0, order: query.order)) },
      text: found.isEmpty ? "no records\n" : table.text)
  }

  fileprivate func say(_ record: Document?) throws {
    guard let record else { return }
    let fields = try record.fieldsText()
    try console.say(.record(record), text: "\(record.key.id.text)  \(fields)")
  }
}
