import FolioCrypto
import FolioDomain
import FolioJSON
import FolioStore
import StoreWorld
import TestSupport
import Testing

@Suite struct DocumentTests {
  let notes = TestWorld.collection
  let text = FieldPath(FieldName(unchecked: "text"))
  let type = FieldPath(FieldName(unchecked: "type"))

  func put(
    _ id: DocumentID, _ fields: [(FieldPath, JSONValue)] = [], unset: [FieldPath] = [],
    undelete: Bool = false
  ) -> Edit {
    .put(
      DocumentPut(
        collection: notes, document: id, set: fields.map { DocumentField($0.0, $0.1) },
        unset: unset, undelete: undelete))
  }

  func document(_ fixture: StoreFixture, _ id: DocumentID) throws -> Document? {
    try fixture.store.read { try $0.document(DocumentKey(collection: notes, id: id)) }
  }

  /// Sends all that is pending to a log and reads it back.
  func sync(_ fixture: StoreFixture, _ log: inout TestLog) throws {
    let pending = try fixture.store.read {
      try $0.pending(after: 0, maxCount: .max, maxByteCount: .max)
    }
    let seq = log.head.seq
    for entry in pending { log.accept(entry.transaction, at: fixture.clock.now()) }
    let entries = log.page(after: seq)
    try fixture.store.write { _ = try $0.apply(entries) }
  }

  @Test func fieldsMergeAndAreUnset() throws {
    let fixture = try StoreFixture()
    let id = try fixture.store.write { $0.newDocumentID() }
    try fixture.save(put(id, [(text, .string("a")), (type, .null)]))
    try fixture.save(put(id, [(text, .string("b"))], unset: [type]))
    let found = try #require(try document(fixture, id))
    #expect(found.fields == .object([JSONMember("text", .string("b"))]))
    #expect(found.isPending)
    #expect(found.createdAt == fixture.clock.now())
  }

  @Test func equalDocumentsHaveEqualRecordsHoweverTheirFieldsCame() throws {
    var log = TestLog()
    let id = DocumentID(1)
    for part in [0..<40, 40..<80] {
      let fields = part.map { DocumentField(FieldPath(FieldName(unchecked: "f\($0)")), .null) }
      let sorted = fields.sorted { $0.path < $1.path }
      try log.append(
        id: UInt64(part.upperBound), .put(DocumentPut(collection: notes, document: id, set: sorted))
      )
    }
    let (atOnce, oneByOne) = (try StoreFixture(in: .memory), try StoreFixture(in: .memory))
    try atOnce.pull(log)
    for seq in [0, 1] as [UInt64] {
      try oneByOne.store.write { _ = try $0.apply(log.page(after: seq, limit: 1)) }
    }
    let rows = try atOnce.rows(of: "domain.documents")
    #expect(rows.count == 2)
    #expect(try oneByOne.rows(of: "domain.documents") == rows)
  }

  @Test func aNewIDIsAVersion4UUID() throws {
    let fixture = try StoreFixture()
    let id = try fixture.store.write { $0.newDocumentID() }
    let digits = Array(id.text)
    #expect(digits.count == 36)
    #expect(digits[14] == "4")
    #expect("89ab".contains(digits[19]))
  }

  @Test("F63 deleting moves updatedAt, and is sent")
  func deletingIsAChange() throws {
    let fixture = try StoreFixture()
    var log = TestLog()
    let id = DocumentID(5)
    try fixture.save(put(id, [(text, .string("a"))]))
    try sync(fixture, &log)
    let before = try #require(try document(fixture, id))
    #expect(!before.isPending)
    fixture.clock.advance(milliseconds: 1_000)
    try fixture.save(.deleteDocument(DocumentKey(collection: notes, id: id)))
    #expect(try fixture.store.read { try $0.status().outbox.count } == 1)
    let pending = try #require(try document(fixture, id))
    #expect(pending.isDeleted)
    #expect(pending.isPending)
    #expect(pending.updatedAt == before.updatedAt.adding(milliseconds: 1_000))
    try sync(fixture, &log)
    let after = try #require(try document(fixture, id))
    #expect(after.isDeleted)
    #expect(!after.isPending)
    #expect(after.updatedAt == before.updatedAt.adding(milliseconds: 1_000))
    #expect(after.createdAt == before.createdAt)
    // A later put does not bring it back unless it says so.
    try fixture.save(put(id, [(text, .string("b"))]))
    #expect(try document(fixture, id)?.isDeleted == true)
    try fixture.save(put(id, undelete: true))
    #expect(try document(fixture, id)?.isDeleted == false)
  }

  @Test func listsArePagedOrderedAndNarrowed() throws {
    let fixture = try StoreFixture()
    for number in 1...20 {
      fixture.clock.advance(milliseconds: 10)
      try fixture.save(
        put(
          DocumentID(UInt128(100 - number)),
          [
            (type, .string(number.isMultiple(of: 4) ? "b\0c" : "a")),
            (text, .integer(Int64(number))),
          ]))
    }
    fixture.clock.advance(milliseconds: 10)
    try fixture.save(put(DocumentID(95), [(text, .string("new"))]))
    try fixture.save(.deleteDocument(DocumentKey(collection: notes, id: DocumentID(90))))
    func ids(_ change: (inout DocumentQuery) -> Void) throws -> [UInt128] {
      var query = DocumentQuery(notes)
      query.limit = 3
      change(&query)
      var found: [UInt128] = []
      while true {
        let page = try fixture.store.read { try $0.documents(query) }
        #expect(page.count <= 3)
        found += page.map(\.key.id.value)
        guard let last = page.last else { return found }
        let cursor = DocumentCursor(last, order: query.order)
        query.after = try DocumentCursor(cursor.text)
      }
    }
    let live = (80...99).reversed().map { UInt128($0) }.filter { $0 != 90 }
    #expect(try ids { _ in } == live)
    #expect(try ids { $0.isDescending = true } == live.reversed())
    #expect(try ids { $0.includesDeleted = true } == (80...99).reversed().map { UInt128($0) })
    #expect(try ids { $0.type = "b\0c" } == [96, 92, 88, 84, 80])
    #expect(try ids { $0.type = "none" } == [])
    #expect(try ids { $0.order = .updated }.last == 95)
    #expect(
      try ids {
        $0.order = .updated
        $0.includesDeleted = true
        $0.isDescending = true
      }.prefix(2) == [95, 90])
    let counts = try fixture.store.read {
      [
        try $0.documentCount(in: notes), try $0.documentCount(in: notes, includingDeleted: true),
        try $0.documentCount(in: CollectionName(unchecked: "other")),
      ]
    }
    #expect(counts == [19, 20, 0])
  }

  @Test func badListsAreRefused() throws {
    let fixture = try StoreFixture()
    for limit in [0, -1, 1_001] {
      var query = DocumentQuery(notes)
      query.limit = limit
      let wrong = query
      #expect(throws: StoreError.badListLimit(limit, max: 1_000)) {
        try fixture.store.read { try $0.documents(wrong) }
      }
    }
    for text in ["", "x", "12", "12.", ".x", "1.2.3", "12.00000000-0000-0000-0000-00000000000"] {
      #expect(throws: StoreError.badListCursor) { try DocumentCursor(text) }
    }
  }

  @Test func deletingWhatIsNotThereIsRefused() throws {
    let fixture = try StoreFixture()
    #expect(throws: EditError.documentNotFound) {
      try fixture.save(.deleteDocument(DocumentKey(collection: notes, id: DocumentID(1))))
    }
  }

  @Test func documentThatIsVoidedLeavesNoTrace() throws {
    let fixture = try StoreFixture()
    try fixture.save(put(DocumentID(1), [(text, .string("a")), (type, .string("t"))]))
    let id = try fixture.store.read {
      try $0.pending(after: 0, maxCount: 1, maxByteCount: 1)[0].transaction.id
    }
    try fixture.store.write { try $0.void(id, reason: "no") }
    #expect(try document(fixture, DocumentID(1)) == nil)
    #expect(try fixture.store.read { try $0.documentCount(in: notes, includingDeleted: true) } == 0)
    #expect(try fixture.store.verify().isSound)
  }
}
