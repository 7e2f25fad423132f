import FolioDomain
import FolioJSON
import FolioStore
import StoreWorld
import TestSupport
import Testing

@Suite("Records in a store")
struct RecordTests {
  private func put(
    _ id: UInt64, title: String? = nil, type: String? = nil, undelete: Bool = false
  ) throws -> Edit {
    var members: [JSONMember] = []
    if let title { members.append(JSONMember("title", .string(title))) }
    if let type { members.append(JSONMember("type", .string(type))) }
    return .put(
      try DocumentPut(
        collection: .record, document: DocumentID(UInt128(id)), fields: .object(members),
        undelete: undelete))
  }

  private func key(_ id: UInt64) -> DocumentKey {
    DocumentKey(collection: .record, id: DocumentID(UInt128(id)))
  }

  @Test("A title is unique among the records of its type that are not deleted")
  func unique() throws {
    let fixture = try StoreFixture()
    try fixture.save(put(1, title: "Rent", type: "bill"))
    let taken = RecordError.titleTaken(by: DocumentID(1))
    #expect(throws: taken) { try fixture.save(put(2, title: " RENT ", type: "bill")) }
    try fixture.save(put(2, title: "RENT", type: "note"))
    #expect(throws: taken) { try fixture.save(put(2, type: "bill")) }
    #expect(throws: taken) { try fixture.save(put(3, title: "rent", type: "bill")) }
    // A record may be spelled otherwise, and written otherwise, under its own title.
    try fixture.save(put(1, title: "rent"))
    try fixture.save(.deleteDocument(key(1)))
    try fixture.save(put(3, title: "Rent", type: "bill"))
    #expect(throws: RecordError.titleTaken(by: DocumentID(3))) {
      try fixture.save(put(1, undelete: true))
    }
    // What touches neither title, type nor deletion is free.
    try fixture.save(
      .put(
        try DocumentPut(
          collection: .record, document: DocumentID(1),
          fields: .object([JSONMember("subtitle", .string("old"))]))))
    #expect(try fixture.store.verify().problems.isEmpty)
  }

  @Test("Edits saved together are held against each other, and a deletion frees a title at once")
  func together() throws {
    let fixture = try StoreFixture()
    #expect(throws: RecordError.titleTaken(by: DocumentID(1))) {
      try fixture.store.write {
        try $0.save([
          try put(1, title: "Rent", type: "bill"), try put(2, title: "Rent", type: "bill"),
        ])
      }
    }
    #expect(try fixture.store.read { try $0.status().documentCount } == 0)
    try fixture.save(put(1, title: "Rent", type: "bill"))
    try fixture.store.write {
      try $0.save([.deleteDocument(key(1)), try put(2, title: "Rent", type: "bill")])
    }
    try fixture.store.write {
      try $0.save([try put(2, title: "Rent of May"), try put(3, title: "Rent", type: "bill")])
    }
    #expect(try fixture.store.read { try $0.documentCount(in: .record) } == 2)
  }

  @Test("Two devices that made a title apart keep both records, and both are found by it")
  func apart() throws {
    let (fixture, start) = try StoreFixture.joined()
    var log = start
    try fixture.save(put(1, title: "Rent", type: "bill"))
    guard case .put(let foreign) = try put(2, title: "RENT", type: "bill") else { return }
    try log.append(id: 1, .put(foreign))
    try fixture.pull(log)
    let identity = RecordIdentity(type: "bill", title: "rent")
    #expect(try fixture.store.read { try $0.records(of: identity).map(\.value) } == [1, 2])
    #expect(throws: RecordError.titleTaken(by: DocumentID(1))) {
      try fixture.save(put(3, title: "Rent", type: "bill"))
    }
    // Titles alike in their first 200 bytes are told apart.
    let long = String(repeating: "é", count: 120)
    for (id, end) in [(UInt64(4), "a"), (5, "b")] {
      guard case .put(let put) = try put(id, title: long + end, type: "bill") else { return }
      try log.append(id: id, .put(put))
    }
    try fixture.pull(log)
    let first = RecordIdentity(type: "bill", title: long + "a")
    #expect(try fixture.store.read { try $0.records(of: first).map(\.value) } == [4])
  }

  @Test("Records in the order of their titles, page by page, of one type or of all")
  func byTitle() throws {
    let fixture = try StoreFixture()
    let names = ["Zebra", "ant", "Élan", "Bee", "bear", "Cat"]
    for (place, title) in names.enumerated() {
      try fixture.save(
        put(UInt64(place + 1), title: title, type: place % 2 == 0 ? "even" : "odd"))
    }
    try fixture.save(.deleteDocument(key(4)))
    func titles(_ change: (inout DocumentQuery) -> Void = { _ in }) throws -> [String] {
      var query = DocumentQuery(.record)
      query.order = .title
      query.limit = 2
      change(&query)
      var found: [String] = []
      while true {
        let wanted = query
        let page = try fixture.store.read { try $0.documents(wanted) }
        for record in page {
          guard case .string(let title)? = record[RecordRule.title] else { continue }
          found.append(title)
        }
        guard let last = page.last else { return found }
        query.after = try DocumentCursor(DocumentCursor(last, order: .title).text)
      }
    }
    #expect(try titles() == ["ant", "bear", "Cat", "Zebra", "Élan"])
    #expect(try titles { $0.isDescending = true } == ["Élan", "Zebra", "Cat", "bear", "ant"])
    #expect(
      try titles { $0.includesDeleted = true } == ["ant", "bear", "Bee", "Cat", "Zebra", "Élan"])
    #expect(try titles { $0.type = "even" } == ["bear", "Zebra", "Élan"])
    #expect(
      try titles {
        $0.type = "odd"
        $0.includesDeleted = true
        $0.isDescending = true
      } == ["Cat", "Bee", "ant"])
    var other = DocumentQuery(CollectionName(unchecked: "note"))
    other.order = .title
    let wrong = other
    #expect(throws: StoreError.badListOrder(wrong.collection)) {
      try fixture.store.read { try $0.documents(wrong) }
    }
  }
}
