import FolioDomain
import FolioJSON
import TestSupport
import Testing

@Suite("Records")
struct RecordTests {
  private func put(_ fields: String, unset: [String] = []) throws -> DocumentPut {
    try DocumentPut(
      collection: .record, document: DocumentID(1), fields: try JSONValue(parsing: fields),
      unset: try unset.map { try FieldPath(validating: $0) })
  }

  @Test(
    "A title is trimmed, NFC, and has 3 to 50 characters, counted as people see them",
    arguments: [
      (" Rent ", "Rent"), ("abc", "abc"), ("e\u{301}a\u{308}c", "\u{E9}\u{E4}c"),
      ("👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧", "👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧"),
      (String(repeating: "é", count: 50), String(repeating: "\u{E9}", count: 50)),
    ])
  func title(written: String, stored: String) throws {
    #expect(Array(try RecordTitle(validating: written).text.utf8) == Array(stored.utf8))
  }

  @Test("Each rule of a title has its own error")
  func titleErrors() {
    #expect(throws: RecordError.titleTooShort(characterCount: 2, limit: 3)) {
      try RecordTitle(validating: " ab ")
    }
    #expect(throws: RecordError.titleTooShort(characterCount: 0, limit: 3)) {
      try RecordTitle(validating: "   ")
    }
    #expect(throws: RecordError.titleTooLong(characterCount: 51, limit: 50)) {
      try RecordTitle(validating: String(repeating: "a", count: 51))
    }
    #expect(throws: RecordError.titleTooManyBytes(byteCount: 216, limit: 200)) {
      try RecordTitle(validating: String(repeating: "👨‍👩‍👧", count: 12))
    }
    #expect(throws: RecordError.titleControlCharacter(offset: 2)) {
      try RecordTitle(validating: "ab\u{7}c")
    }
  }

  /// Holds [save-7].
  @Test("A new record has a type and a title, both text; neither is unset later")
  func required() throws {
    #expect(throws: RecordError.fieldMissing("type")) {
      try RecordRule.checked(put(#"{"title":"Rent"}"#), isNew: true)
    }
    #expect(throws: RecordError.fieldMissing("title")) {
      try RecordRule.checked(put(#"{"type":"bill"}"#), isNew: true)
    }
    #expect(throws: RecordError.fieldMissing("title")) {
      try RecordRule.checked(put("{}", unset: ["title"]), isNew: false)
    }
    for name in ["type", "title", "subtitle", "userId"] {
      #expect(throws: RecordError.fieldNotText(name)) {
        try RecordRule.checked(put("{\"\(name)\":1}"), isNew: false)
      }
    }
    let checked = try RecordRule.checked(
      put(#"{"title":"  Rent ","type":"bill","extra":[1]}"#), isNew: true)
    #expect(checked.set.map(\.value) == [.array([.integer(1)]), .string("Rent"), .string("bill")])
  }

  @Test("A title is unique by its folded key among the records of its type")
  func unique() throws {
    let rent = RecordIdentity(type: "bill", title: "Rent")
    #expect(rent == RecordIdentity(type: "bill", title: "RENT"))
    #expect(rent != RecordIdentity(type: "note", title: "Rent"))
    let taken = RecordError.titleTaken(by: DocumentID(2))
    #expect(throws: taken) {
      try RecordRule.requireUnique(DocumentID(1), among: [DocumentID(1), DocumentID(2)])
    }
    #expect(taken.message.contains(DocumentID(2).text))
    #expect(throws: Never.self) {
      try RecordRule.requireUnique(DocumentID(1), among: [DocumentID(1)])
    }
  }

  @Test("The rule is checked on the write that touches title, type or deletion")
  func concerns() throws {
    #expect(RecordRule.concerns(try put(#"{"title":"Rent"}"#)))
    #expect(RecordRule.concerns(try put(#"{"type":"bill"}"#)))
    #expect(RecordRule.concerns(try put(#"{"subtitle":"x"}"#)) == false)
    var undelete = try put("{}")
    undelete.undelete = true
    #expect(RecordRule.concerns(undelete))
  }

  @Test("A deleted record has no identity; two made apart keep both")
  func identities() throws {
    var log = LogBuilder()
    for device in [UInt128(1), 2] {
      var made = try put(#"{"title":"Rent","type":"bill"}"#)
      made.document = DocumentID(device)
      try log.append([.put(made)], by: device)
    }
    let both = Overlay(log.state, through: nil).documents(in: .record)
    #expect(both.count == 2)
    #expect(Set(both.compactMap { RecordRule.identity(of: $0) }).count == 1)
    try log.append([.delete(.record, DocumentID(1))], by: 3)
    let rest = Overlay(log.state, through: nil).documents(in: .record, includingDeleted: true)
    #expect(rest.compactMap { RecordRule.identity(of: $0) }.count == 1)
  }

  @Test("Staged edits hold records to the rules, and store the title as it is to be")
  func staged() throws {
    let empty = Overlay(AcceptedState(), through: nil)
    #expect(throws: RecordError.titleTooShort(characterCount: 1, limit: 3)) {
      try StagedEdits.operations(
        for: [.put(try put(#"{"title":"x","type":"bill"}"#))], on: empty)
    }
    let operations = try StagedEdits.operations(
      for: [.put(try put(#"{"title":" Rent","type":"bill"}"#))], on: empty)
    guard case .put(let written) = operations.first else {
      Issue.record("no put")
      return
    }
    #expect(written.set.first?.value == .string("Rent"))
  }

  @Test("Every error of a record has a code, a message and a hint of its own")
  func errorTexts() {
    let errors: [RecordError] = [
      .fieldMissing("title"), .fieldNotText("title"), .titleTooShort(characterCount: 2, limit: 3),
      .titleTooLong(characterCount: 51, limit: 50), .titleTooManyBytes(byteCount: 201, limit: 200),
      .titleControlCharacter(offset: 1), .titleTaken(by: DocumentID(1)),
    ]
    #expect(Set(errors.map(\.code)).count == errors.count)
    #expect(errors.allSatisfy { !$0.message.isEmpty && !$0.hint.isEmpty })
  }
}
