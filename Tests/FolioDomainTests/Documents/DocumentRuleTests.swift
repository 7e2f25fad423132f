import FolioDomain
import FolioJSON
import Testing

@Suite("Rules of documents")
struct DocumentRuleTests {
  private func put(
    _ fields: JSONValue, unset: [FieldPath] = []
  ) throws(DocumentError) -> DocumentPut {
    try DocumentPut(
      collection: CollectionName(unchecked: "notes"), document: DocumentID(1), fields: fields,
      unset: unset)
  }

  private func object(_ name: String, _ value: JSONValue) -> JSONValue {
    .object([JSONMember(name, value)])
  }

  @Test(
    "The four that every document has are no settable fields",
    arguments: ["id", "createdAt", "updatedAt", "isDeleted"])
  func reserved(name: String) throws {
    #expect(throws: DocumentError.reservedField(name)) { try put(object(name, .null)) }
    #expect(throws: DocumentError.reservedField(name)) { try FieldPath(validating: name) }
    #expect(throws: DocumentError.reservedField(name)) {
      try put(.object([]), unset: [FieldPath(FieldName(unchecked: name))])
    }
    // Within metadata the name is the user's.
    #expect(try put(object("metadata", object(name, .null))).set.count == 1)
  }

  @Test("Fields are an object, and so is metadata")
  func objects() {
    #expect(throws: DocumentError.notAnObject) { try put(.array([])) }
    #expect(throws: DocumentError.metadataNotObject) { try put(object("metadata", .null)) }
    #expect(throws: DocumentError.metadataNotObject) {
      try DocumentPut(
        collection: .record, document: DocumentID(1),
        set: [DocumentField(FieldPath(.metadata), .object([]))]
      ).validated()
    }
  }

  @Test("Null is a value like others, and unknown fields are kept")
  func nullIsAValue() throws {
    let found = try put(object("anything at all", .null))
    #expect(found.set.map(\.value) == [.null])
  }

  @Test("A value nests at most 24 deep")
  func nesting() throws {
    func nested(_ levels: Int) -> JSONValue {
      (0..<levels).reduce(JSONValue.null) { value, _ in .array([value]) }
    }
    #expect(try put(object("a", nested(24))).set.count == 1)
    #expect(try put(object("metadata", object("a", nested(24)))).set.count == 1)
    #expect {
      try put(object("a", nested(25)))
    } throws: { error in
      guard case .nestingTooDeep(let path, 24) = error as? DocumentError else { return false }
      return path.hasPrefix("/a/0")
    }
  }

  @Test(
    "A number that is not portable is refused, with its path",
    arguments: [
      JSONValue.double(.infinity), .double(.nan), .double(1e-7), .double(1e300),
      .integer(9_007_199_254_740_992), .double(9_007_199_254_740_992),
    ])
  func numberNotPortable(value: JSONValue) {
    let inside = object("b/c", .array([.null, value]))
    #expect(throws: DocumentError.numberNotPortable(path: "/a/b~1c/1")) {
      try put(object("a", inside))
    }
    #expect(throws: DocumentError.numberNotPortable(path: "/metadata/m~0")) {
      try put(object("metadata", object("m~", value)))
    }
  }

  @Test("Numbers are kept in their one form")
  func numberForms() throws {
    let put = try put(
      .object([
        JSONMember("a", .double(34)), JSONMember("b", .double(0.1)),
        JSONMember("c", .integer(-9_007_199_254_740_991)), JSONMember("d", .double(-0.0)),
      ]))
    #expect(
      put.set.map(\.value) == [
        .integer(34), .double(0.1), .integer(-9_007_199_254_740_991), .integer(0),
      ])
  }

  @Test("A field's name follows its rule, in metadata too")
  func names() {
    #expect(throws: DocumentError.name(.fieldNameLength(byteCount: 0, limit: 200))) {
      try put(object("", .null))
    }
    #expect(throws: DocumentError.name(.fieldNameControlCharacter(offset: 1))) {
      try put(object("metadata", object("a\u{0}", .null)))
    }
  }

  @Test("A field is not both set and unset, nor set twice")
  func once() {
    let path = FieldPath(FieldName(unchecked: "a"))
    #expect(throws: DocumentError.setAndUnset(path: "/a")) {
      try put(object("a", .null), unset: [path])
    }
    #expect(throws: DocumentError.duplicateMember(path: "/a")) {
      try put(.object([JSONMember("a", .null), JSONMember("a", .null)]))
    }
    #expect(throws: DocumentError.duplicateMember(path: "/b/c")) {
      try put(object("b", .object([JSONMember("c", .null), JSONMember("c", .null)])))
    }
  }

  @Test("F38: two fields whose names differ in normal form are two")
  func normalForms() throws {
    let put = try put(
      .object([JSONMember("e\u{301}", .integer(1)), JSONMember("\u{E9}", .integer(2))]))
    #expect(put.set.count == 2)
    #expect(Set(put.set.map(\.path)).count == 2)
  }

  @Test("A path is a field's name, or metadata and a member's")
  func paths() throws {
    #expect(try FieldPath(validating: "a.b").member == nil)
    let member = try FieldPath(validating: "metadata.a.b")
    #expect(member.name == .metadata)
    #expect(member.member?.text == "a.b")
    #expect(throws: DocumentError.self) { try FieldPath(validating: "metadata.") }
    #expect(try FieldPath(validating: "metadata").member == nil)
  }

  @Test("Every error of a document has a code, a message and a hint of its own")
  func errorTexts() {
    let errors: [DocumentError] = [
      .notAnObject, .reservedField("id"), .name(.categoryEmpty), .metadataNotObject,
      .nestingTooDeep(path: "/a", limit: 24), .numberNotPortable(path: "/a"),
      .duplicateMember(path: "/a"), .setAndUnset(path: "/a"),
    ]
    #expect(Set(errors.map(\.code)).count == errors.count)
    #expect(errors.allSatisfy { !$0.message.isEmpty && !$0.hint.isEmpty })
  }
}
