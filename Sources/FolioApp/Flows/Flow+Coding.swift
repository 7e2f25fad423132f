internal import FolioDomain
internal import FolioJSON

extension Flow {
  /// The version of the form that flows are kept in; one that is kept otherwise is not read.
  private static let form: Int64 = 1

  /// The flow as it is kept: canonical JSON.
  func encoded() throws -> [UInt8] {
    var members: [String: JSONValue] = [
      "flow": .string(kind.rawValue), "form": .integer(Self.form),
      "begunAt": .string(begunAt.text),
    ]
    switch self {
    case .edit(let flow): members["edits"] = .array(flow.edits.map(\.json))
    case .transfer(let flow): members["transfer"] = flow.json
    }
    return try JSONValue.members(members).canonicalBytes
  }

  /// The flow that was kept.
  ///
  /// - Throws: `AppError.flowUnreadable`.
  init(decoding bytes: [UInt8]) throws {
    do {
      let value = try JSONValue(parsing: bytes)
      guard value["form"] == .integer(Self.form) else { throw AppError.flowUnreadable }
      let begunAt = try Timestamp(try value.text("begunAt"))
      switch FlowKind(rawValue: try value.text("flow")) {
      case .edit?:
        guard case .array(let edits)? = value["edits"] else { throw AppError.flowUnreadable }
        self = .edit(EditFlow(begunAt: begunAt, edits: try edits.map { try Edit(json: $0) }))
      case .transfer?:
        guard let state = value["transfer"] else { throw AppError.flowUnreadable }
        self = .transfer(try TransferFlow(begunAt: begunAt, json: state))
      case nil: throw AppError.flowUnreadable
      }
    } catch {
      throw AppError.flowUnreadable
    }
  }
}

extension Edit {
  fileprivate var json: JSONValue {
    switch self {
    case .add(let asset, let amount, let category):
      var members: [String: JSONValue] = [
        "edit": .string("add"), "asset": .string(asset.text), "amount": .string(amount.text),
      ]
      members["category"] = category.map { .string($0.spelling.text) }
      return .members(members)
    case .set(let asset, let amount):
      return .members([
        "edit": .string("set"), "asset": .string(asset.text), "amount": .string(amount.text),
      ])
    case .move(let asset, let category):
      return .members([
        "edit": .string("move"), "asset": .string(asset.text),
        "category": .string(category.spelling.text),
      ])
    case .delete(let asset):
      return .members(["edit": .string("delete"), "asset": .string(asset.text)])
    case .renameCategory(let old, let new):
      return .members([
        "edit": .string("rename"), "old": .string(old.text), "new": .string(new.spelling.text),
      ])
    case .put(let put): return put.json
    case .deleteDocument(let key):
      return .members([
        "edit": .string("deleteDocument"), "collection": .string(key.collection.text),
        "id": .string(key.id.text),
      ])
    }
  }

  fileprivate init(json: JSONValue) throws {
    switch try json.text("edit") {
    case "add":
      let category = json["category"] == nil ? nil : try Category(named: json.text("category"))
      self = .add(
        try AssetKey(try json.text("asset")), try Amount(try json.text("amount")),
        category: category)
    case "set":
      self = .set(try AssetKey(try json.text("asset")), try Amount(try json.text("amount")))
    case "move":
      self = .move(
        try AssetKey(try json.text("asset")), to: try Category(named: try json.text("category")))
    case "delete": self = .delete(try AssetKey(try json.text("asset")))
    case "rename":
      self = .renameCategory(
        CategoryKey(unchecked: try json.text("old")),
        to: try Category(named: try json.text("new")))
    case "put": self = .put(try DocumentPut(json: json))
    case "deleteDocument": self = .deleteDocument(try json.documentKey())
    default: throw AppError.flowUnreadable
    }
  }
}

extension DocumentPut {
  fileprivate var json: JSONValue {
    .members([
      "edit": .string("put"), "collection": .string(collection.text),
      "id": .string(document.text),
      "set": .array(set.map { .array([$0.path.json, $0.value]) }),
      "unset": .array(unset.map(\.json)), "undelete": .bool(undelete),
    ])
  }

  fileprivate init(json: JSONValue) throws {
    let key = try json.documentKey()
    guard case .array(let set)? = json["set"], case .array(let unset)? = json["unset"],
      case .bool(let undelete)? = json["undelete"]
    else { throw AppError.flowUnreadable }
    let fields = try set.map { pair in
      guard case .array(let parts) = pair, parts.count == 2 else { throw AppError.flowUnreadable }
      return DocumentField(try FieldPath(json: parts[0]), parts[1])
    }
    self.init(
      collection: key.collection, document: key.id, set: fields,
      unset: try unset.map { try FieldPath(json: $0) }, undelete: undelete)
  }
}

extension FieldPath {
  fileprivate var json: JSONValue {
    .array([.string(name.text)] + (member.map { [.string($0.text)] } ?? []))
  }

  fileprivate init(json: JSONValue) throws {
    guard case .array(let parts) = json, (1...2).contains(parts.count) else {
      throw AppError.flowUnreadable
    }
    let names = try parts.map { part in
      guard case .string(let text) = part else { throw AppError.flowUnreadable }
      return try FieldName(validating: text)
    }
    self.init(names[0], member: names.count > 1 ? names[1] : nil)
  }
}

extension JSONValue {
  /// An object of those members, in the order that an object has.
  static func members(_ members: [String: JSONValue]) -> JSONValue {
    .object(
      members.map { JSONMember($0.key, $0.value) }
        .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) })
  }

  /// A member of an object; nil where there is none.
  subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
  }

  /// A member that is text.
  func text(_ name: String) throws -> String {
    guard case .string(let text)? = self[name] else { throw AppError.flowUnreadable }
    return text
  }

  fileprivate func documentKey() throws -> DocumentKey {
    DocumentKey(
      collection: try CollectionName(validating: try text("collection")),
      id: try DocumentID(try text("id")))
  }
}
