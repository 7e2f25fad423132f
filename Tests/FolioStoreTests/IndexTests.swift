import FolioDomain
import FolioJSON
import FolioStore
import LMDB
import StoreWorld
import TestSupport
import Testing

@Suite("Indexes that a user declares")
struct IndexTests {
  let tasks = CollectionName(unchecked: "task")
  let rank = FieldPath(FieldName(unchecked: "rank"))
  let label = FieldPath(FieldName(unchecked: "label"))

  private func put(_ id: UInt64, _ fields: [(FieldPath, JSONValue)]) -> Edit {
    .put(
      DocumentPut(
        collection: tasks, document: DocumentID(UInt128(id)),
        set: fields.map { DocumentField($0.0, $0.1) }))
  }

  private func index(_ name: String, by parts: DocumentIndex.Part...) throws -> DocumentIndex {
    try DocumentIndex(name, on: tasks, by: parts)
  }

  /// The ids of all pages of a query.
  private func ids(_ fixture: StoreFixture, _ query: IndexedQuery) throws -> [UInt64] {
    var query = query
    query.limit = 2
    var found: [UInt64] = []
    while true {
      let wanted = query
      let page = try fixture.store.read { state in
        try state.documents(wanted).map {
          ($0.key.id.value, try state.cursor(of: $0, in: wanted.index).text)
        }
      }
      found += page.map { UInt64($0.0) }
      guard let last = page.last else { return found }
      query.after = try DocumentCursor(last.1)
    }
  }

  /// Values in the order that an index has them.
  private let ordered: [JSONValue] = [
    .null, .bool(false), .bool(true), .integer(-9_007_199_254_740_991), .double(-1.5),
    .integer(-1), .integer(0), .double(0.25), .integer(1), .integer(9_007_199_254_740_991),
    .string(""), .string("\0"), .string("\0a"), .string("\u{1}"), .string("a"), .string("a\0"),
    .string("ab"), .string("b"), .string("é"),
    .string("é" + String(repeating: "x", count: 300)), .array([]),
  ]

  @Test("Unset before null, booleans, numbers, text and the rest, in their own order")
  func order() throws {
    let fixture = try StoreFixture()
    let index = try self.index("by-rank", by: .field(rank))
    try fixture.store.write { try $0.declare(index) }
    for (place, value) in ordered.enumerated().reversed() {
      try fixture.save(put(UInt64(place + 2), [(rank, value)]))
    }
    try fixture.save(put(1, [(label, .string("no rank"))]))
    let all = (1...UInt64(ordered.count + 1)).map { $0 }
    var query = IndexedQuery(index)
    #expect(try ids(fixture, query) == all)
    query.isDescending = true
    #expect(try ids(fixture, query) == all.reversed())
    query.isDescending = false
    query.from = .integer(0)
    query.upTo = .string("a")
    #expect(
      try ids(fixture, query)
        == ordered.enumerated().filter { (6..<14).contains($0.offset) }
        .map { UInt64($0.offset + 2) })
    for (place, value) in ordered.enumerated() {
      var exact = IndexedQuery(index)
      exact.equal = [value]
      #expect(try ids(fixture, exact) == [UInt64(place + 2)], "\(value)")
    }
    var unset = IndexedQuery(index)
    unset.equal = [nil]
    #expect(try ids(fixture, unset) == [1])
    #expect(try fixture.store.verify().problems.isEmpty)
  }

  @Test("One declared later is built; one declared otherwise is built anew; one removed is gone")
  func declaring() throws {
    let fixture = try StoreFixture()
    for id in UInt64(1)...9 {
      try fixture.save(
        put(id, [(rank, .integer(Int64(id % 3))), (label, .string(id % 2 == 0 ? "Even" : "ODD"))]))
    }
    let first = try index("main", by: .field(rank))
    #expect(throws: StoreError.indexNotDeclared("main")) {
      try fixture.store.read { try $0.documents(IndexedQuery(first)) }
    }
    try fixture.store.write { try $0.declare(first) }
    #expect(try ids(fixture, IndexedQuery(first)) == [3, 6, 9, 1, 4, 7, 2, 5, 8])
    let second = try index("main", by: .folded(label), .field(rank))
    #expect(try fixture.store.read { try $0.needsIndex(second) })
    try fixture.store.write { try $0.declare(second) }
    #expect(try fixture.store.read { try $0.indexes(of: tasks) } == [second])
    var query = IndexedQuery(second)
    query.equal = [.string("odd")]
    #expect(try ids(fixture, query) == [3, 9, 1, 7, 5])
    query.from = .integer(1)
    #expect(try ids(fixture, query) == [1, 7, 5])
    #expect(throws: StoreError.indexNotDeclared("main")) {
      try fixture.store.read { try $0.documents(IndexedQuery(first)) }
    }
    try fixture.reopen()
    #expect(try ids(fixture, query) == [1, 7, 5])
    try fixture.store.write { try $0.removeIndex("main", of: tasks) }
    #expect(try fixture.store.read { try $0.indexes(of: tasks) }.isEmpty)
    #expect(try fixture.store.verify().problems.isEmpty)
  }

  @Test("An index is kept in the transaction that changes a document, whoever makes it")
  func kept() throws {
    let (fixture, start) = try StoreFixture.joined()
    var log = start
    let index = try self.index("by-rank", by: .field(rank), .createdAt)
    try fixture.store.write { try $0.declare(index) }
    let change = DocumentPut(
      collection: tasks, document: DocumentID(1), set: [DocumentField(rank, .integer(5))])
    try fixture.save(.put(change))
    try log.append(
      id: 1,
      .put(
        DocumentPut(
          collection: tasks, document: DocumentID(2), set: [DocumentField(rank, .integer(3))])))
    try fixture.pull(log)
    #expect(try ids(fixture, IndexedQuery(index)) == [2, 1])
    try log.append(
      id: 2,
      .put(
        DocumentPut(
          collection: tasks, document: DocumentID(2), set: [DocumentField(rank, .integer(7))])))
    try fixture.pull(log)
    #expect(try ids(fixture, IndexedQuery(index)) == [1, 2])
    try fixture.save(.deleteDocument(DocumentKey(collection: tasks, id: DocumentID(1))))
    var query = IndexedQuery(index)
    #expect(try ids(fixture, query) == [2])
    query.includesDeleted = true
    #expect(try ids(fixture, query) == [1, 2])
    let failing = { (transaction: inout StoreWriteTransaction) throws in
      try transaction.save([put(3, [(rank, .integer(1))])])
      throw StoreError.badListCursor
    }
    #expect(throws: StoreError.badListCursor) { try fixture.store.write(failing) }
    #expect(try ids(fixture, query) == [1, 2])
    try fixture.store.write { try $0.forgetLog() }
    #expect(try ids(fixture, query) == [1])
    #expect(try fixture.store.verify().problems.isEmpty)
  }

  @Test(
    "A place that is missing is made anew, and what was declared is forgotten where it is damaged",
    arguments: ["domain.documents.indexed", "domain.documents.indexes"])
  func repaired(space: String) throws {
    let fixture = try StoreFixture()
    let index = try self.index("by-rank", by: .field(rank))
    try fixture.store.write { try $0.declare(index) }
    for id in UInt64(1)...3 { try fixture.save(put(id, [(rank, .integer(Int64(4 - id)))])) }
    let isDeclared = space == "domain.documents.indexed"
    try IntegrityTests().tamper(fixture, space) { transaction, database, record in
      if isDeclared {
        _ = try transaction.delete(database, record.key)
      } else {
        try transaction.put(database, record.key, [255])
      }
    }
    #expect(try !fixture.store.verify().isSound)
    let report = try fixture.store.repair()
    #expect(report.problems.isEmpty, "\(report.problems)")
    #expect(try fixture.store.read { try $0.needsIndex(index) } == !isDeclared)
    try fixture.store.write { try $0.declare(index) }
    #expect(try ids(fixture, IndexedQuery(index)) == [3, 2, 1])
    #expect(try fixture.store.verify().problems.isEmpty)
  }

  @Test("What cannot be is refused, each under its own code")
  func refusals() throws {
    let fixture = try StoreFixture()
    #expect(throws: StoreError.badIndex("Bad")) { try self.index("Bad", by: .createdAt) }
    #expect(throws: StoreError.badIndex("none")) { try DocumentIndex("none", on: tasks, by: []) }
    #expect(throws: StoreError.badIndex("five")) {
      try self.index(
        "five", by: .createdAt, .updatedAt, .field(rank), .field(label), .folded(label))
    }
    let index = try self.index("one", by: .field(rank))
    try fixture.store.write { try $0.declare(index) }
    var query = IndexedQuery(index)
    query.equal = [.null, .null]
    let tooMany = query
    #expect(throws: StoreError.badIndex("one")) {
      try fixture.store.read { try $0.documents(tooMany) }
    }
    query.equal = [.null]
    query.from = .null
    let noPart = query
    #expect(throws: StoreError.badIndex("one")) {
      try fixture.store.read { try $0.documents(noPart) }
    }
    var elsewhere = IndexedQuery(index)
    elsewhere.after = try DocumentCursor("12.00000000-0000-0000-0000-000000000001")
    let ofAnother = elsewhere
    #expect(throws: StoreError.badListCursor) {
      try fixture.store.read { try $0.documents(ofAnother) }
    }
    for text in ["k0.", "kzz.00000000-0000-0000-0000-000000000001", "k0.\(DocumentID(1).text)"] {
      #expect(throws: StoreError.badListCursor) { try DocumentCursor(text) }
    }
    let names = (2...16).map { "i\($0)" }
    for name in names {
      let next = try self.index(name, by: .createdAt)
      try fixture.store.write { try $0.declare(next) }
    }
    let seventeenth = try self.index("last", by: .createdAt)
    #expect(throws: StoreError.tooManyIndexes(max: 16)) {
      try fixture.store.write { try $0.declare(seventeenth) }
    }
  }

  @Test("F64 a store of the format before is brought up to date, its records in order of titles")
  func upgrade() throws {
    let fixture = try StoreFixture()
    for (id, title) in [(UInt64(1), "Walnut"), (2, "apple"), (3, "Birch")] {
      try fixture.save(
        .put(
          try DocumentPut(
            collection: .record, document: DocumentID(UInt128(id)),
            fields: .object([
              JSONMember("title", .string(title)), JSONMember("type", .string("tree")),
            ]))))
    }
    var query = DocumentQuery(.record)
    query.order = .title
    let byTitle = query
    try fixture.closeAsFormat(
      1, without: ["domain.documents.indexed", "domain.documents.indexed.keys"])
    fixture.options.readOnly = true
    #expect(throws: StoreError.olderFormat(path: fixture.path, found: 1, known: 5)) {
      try Store.open(at: fixture.path, fixture.options)
    }
    fixture.options.readOnly = false
    try fixture.reopen()
    let ids = try fixture.store.read { try $0.documents(byTitle).map(\.key.id.value) }
    #expect(ids == [2, 3, 1])
    #expect(try fixture.store.verify().problems.isEmpty)
    try fixture.reopen()
  }
}
