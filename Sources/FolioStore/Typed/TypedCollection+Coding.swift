internal import FolioDomain
internal import FolioJSON

extension TypedCollection {
  /// A document as a value of the type, brought to the present version where it was written by an
  /// earlier one.
  ///
  /// - Throws: ``StoreError/newerShape(_:found:known:)``, `DecodingError`, and what a migration throws.
  func typed(_ document: Document) throws -> TypedDocument<Value> {
    TypedDocument(
      id: document.key.id, createdAt: document.createdAt, updatedAt: document.updatedAt,
      isDeleted: document.isDeleted, isPending: document.isPending,
      value: try JSONValue(members: try migrated(document)).decoded())
  }

  /// A document's fields, brought to the present version.
  func migrated(_ document: Document) throws -> [String: JSONValue] {
    var fields = document.fields.members
    let version = ShapeVersion.version(of: document)
    guard version <= self.version else {
      throw StoreError.newerShape(name, found: version, known: self.version)
    }
    for migration in migrations.dropFirst(max(version, 1) - 1) { try migration.change(&fields) }
    return fields
  }

  /// The put that makes a document what a value is; nil where it is that already.
  ///
  /// It sets the members that differ, and unsets those that the type wrote before and does not now.
  /// - Parameters:
  ///   - value: The value.
  ///   - id: The document.
  ///   - present: The document as it is; nil where there is none.
  func put(_ value: Value, _ id: DocumentID, over present: Document?) throws -> DocumentPut? {
    guard case .object = try JSONValue(encoding: value) else { throw DocumentError.notAnObject }
    var wanted = try JSONValue(encoding: value).members
    if version > 1 { wanted[ShapeVersion.field.name.text] = .integer(Int64(version)) }
    let stored = present?.fields.members ?? [:]
    var known: [String: JSONValue] = [:]
    if let present { known = try JSONValue(encoding: try typed(present).value).members }
    return try put(wanted, replacing: known, in: stored, id, isNew: present == nil)
  }

  /// The put that brings a document to the present version; nil where it is of it.
  func upgrade(_ document: Document) throws -> DocumentPut? {
    if ShapeVersion.version(of: document) >= version { return nil }
    var wanted = try migrated(document)
    wanted[ShapeVersion.field.name.text] = .integer(Int64(version))
    let stored = document.fields.members
    return try put(wanted, replacing: stored, in: stored, document.key.id, isNew: false)
  }

  /// The put that brings stored fields to wanted ones, without those that nobody here knows.
  private func put(
    _ wanted: [String: JSONValue], replacing known: [String: JSONValue],
    in stored: [String: JSONValue], _ id: DocumentID, isNew: Bool
  ) throws -> DocumentPut? {
    var set: [JSONMember] = []
    var unset: [FieldPath] = []
    for (field, value) in wanted.sorted(by: { $0.key < $1.key }) where stored[field] != value {
      guard field == FieldName.metadata.text, case .object(let members) = value else {
        set.append(JSONMember(field, value))
        continue
      }
      // Its members merge one by one.
      let before = stored[field]?.members ?? [:]
      set.append(JSONMember(field, .object(members.filter { before[$0.name] != $0.value })))
      let names = Set(members.map(\.name))
      for name in (known[field]?.members ?? [:]).keys.sorted() where !names.contains(name) {
        unset.append(FieldPath(.metadata, member: try FieldName(validating: name)))
      }
    }
    for field in known.keys.sorted() where wanted[field] == nil && stored[field] != nil {
      unset.append(FieldPath(try FieldName(validating: field)))
    }
    if set.isEmpty, unset.isEmpty, !isNew { return nil }
    return try DocumentPut(
      collection: name, document: id,
      fields: .object(set.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }),
      unset: unset)
  }
}

extension JSONValue {
  /// The members of an object by name; none of anything else.
  var members: [String: JSONValue] {
    guard case .object(let members) = self else { return [:] }
    return Dictionary(members.map { ($0.name, $0.value) }) { first, _ in first }
  }

  /// The object of those members.
  init(members: [String: JSONValue]) {
    self = .object(
      members.map { JSONMember($0.key, $0.value) }
        .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) })
  }
}
