import FolioDomain
import FolioJSON
import FolioStore
import StoreWorld
import TestSupport
import Testing

@Suite("Collections of values of one type")
struct TypedCollectionTests {
  struct Item: Codable, Hashable, Sendable {
    var title: String
    var rank: Int
    var note: String?
    var metadata: [String: String]?
  }

  private func items() throws -> TypedCollection<Item> {
    try TypedCollection(
      "item",
      indexes: [
        TypedIndex("by-rank", .field("rank"), .folded("title")),
        TypedIndex("by-title", .folded("title")),
      ])
  }

  private func document(_ fixture: StoreFixture, _ id: DocumentID) throws -> Document? {
    try fixture.store.read {
      try $0.document(DocumentKey(collection: CollectionName(unchecked: "item"), id: id))
    }
  }

  @Test("Inserted, read, changed in place, listed by an index, deleted")
  func whole() throws {
    let fixture = try StoreFixture()
    let items = try items()
    try fixture.store.prepare(items)
    let values = [
      Item(title: "Walnut", rank: 2), Item(title: "apple", rank: 1), Item(title: "Birch", rank: 2),
    ]
    let ids = try fixture.store.write { transaction in
      var ids: [DocumentID] = []
      for value in values { ids.append(try transaction.insert(value, in: items)) }
      return ids
    }
    let first = try #require(try fixture.store.read { try $0.get(ids[0], in: items) })
    #expect(first.value == values[0] && first.id == ids[0] && first.isPending)
    let query = try items.query("by-rank")
    #expect(
      try fixture.store.read { try $0.list(query, in: items).map(\.value.title) }
        == ["apple", "Birch", "Walnut"])
    let changed = try fixture.store.write { try $0.update(ids[1], in: items) { $0.rank = 3 } }
    #expect(changed.rank == 3)
    var second = query
    second.equal = [.integer(2)]
    let twos = second
    #expect(
      try fixture.store.read { try $0.list(twos, in: items).map(\.value.title) }
        == ["Birch", "Walnut"])
    try fixture.store.write { try $0.delete(ids[0], in: items) }
    #expect(try fixture.store.read { try $0.get(ids[0], in: items) } == nil)
    let listed = try fixture.store.read { state in
      try state.list(in: items) { $0.limit = 2 }.map(\.value.title)
    }
    #expect(listed.sorted() == ["Birch", "apple"])
    let missing = StoreError.documentMissing(items.name, ids[0])
    #expect(throws: missing) { try fixture.store.write { try $0.delete(ids[0], in: items) } }
    #expect(throws: missing) {
      try fixture.store.write { try $0.update(ids[0], in: items) { $0.rank = 9 } }
    }
    #expect(throws: StoreError.indexNotDeclared("by-size")) { try items.query("by-size") }
    #expect(try fixture.store.verify().problems.isEmpty)
  }

  @Test("Only what differs is written, and what the type does not know stays")
  func fields() throws {
    let fixture = try StoreFixture()
    let items = try items()
    let id = try fixture.store.write {
      try $0.insert(
        Item(title: "A", rank: 1, note: "n", metadata: ["x": "1", "y": "2"]), in: items)
    }
    try fixture.save(
      .put(
        try DocumentPut(
          collection: items.name, document: id,
          fields: JSONValue(parsing: Array(#"{"colour":"red","metadata":{"z":3}}"#.utf8)))))
    // The metadata is of another kind now than the type has: told, not lost.
    #expect(throws: DecodingError.self) { try fixture.store.read { try $0.get(id, in: items) } }
    try fixture.save(
      .put(
        try DocumentPut(
          collection: items.name, document: id,
          fields: JSONValue(parsing: Array(#"{"metadata":{"z":"3"}}"#.utf8)))))
    let before = try fixture.pending().count
    try fixture.store.write { transaction in
      try transaction.update(id, in: items) { _ in }
      try transaction.update(id, in: items) { item in
        item.note = nil
        item.metadata?["x"] = nil
        item.metadata?["y"] = "5"
      }
    }
    let pending = try fixture.pending()
    #expect(pending.count == before + 1, "what changes nothing is not written")
    let body = try TransactionBody(decoding: try #require(pending.last).transaction.body)
    guard case .put(let put)? = body.operations.first else {
      Issue.record("no put")
      return
    }
    #expect(put.set.map(\.path.pointer) == ["/metadata/y"])
    #expect(put.unset.map(\.pointer) == ["/metadata/x", "/note"])
    let text = String(
      decoding: try #require(try document(fixture, id)).fields.canonicalBytes, as: UTF8.self)
    #expect(text == #"{"colour":"red","metadata":{"y":"5","z":"3"},"rank":1,"title":"A"}"#)
  }

  struct Old: Codable, Sendable { var name: String; var done: Bool }
  struct New: Codable, Hashable, Sendable { var title: String; var state: String; var size: Int }

  private func old() throws -> TypedCollection<Old> { try TypedCollection("job") }

  private func new() throws -> TypedCollection<New> {
    try TypedCollection(
      "job", indexes: [TypedIndex("by-state", .field("state"))],
      migrations: [
        ShapeMigration { fields in
          fields["title"] = fields.removeValue(forKey: "name")
          fields["state"] =
            fields.removeValue(forKey: "done") == .bool(true) ? .string("done") : .string("open")
        },
        ShapeMigration { $0["size"] = .integer(7) },
      ])
  }

  @Test("A shape that changed is brought up to date, once; what comes later is understood")
  func migrated() throws {
    let (fixture, start) = try StoreFixture.joined()
    var log = start
    let old = try old()
    let new = try new()
    let ids = try fixture.store.write { transaction in
      var ids: [DocumentID] = []
      for number in 0..<250 {
        let value = Old(name: "job \(number)", done: number % 2 == 0)
        ids.append(try transaction.insert(value, in: old))
      }
      try transaction.delete(ids[249], in: old)
      return ids
    }
    #expect(
      try fixture.store.read { try $0.get(ids[0], in: new)?.value }
        == New(title: "job 0", state: "done", size: 7), "before it is prepared, too")
    #expect(try fixture.store.prepare(new) == 250)
    #expect(try fixture.store.prepare(new) == 0)
    var done = try new.query("by-state")
    done.equal = [.string("done")]
    done.limit = 1_000
    let query = done
    let found = try fixture.store.read { try $0.list(query, in: new) }
    #expect(
      found.count == 125 && found.allSatisfy { $0.value.state == "done" && $0.value.size == 7 })
    let fields = try #require(
      try fixture.store.read { try $0.document(DocumentKey(collection: new.name, id: ids[1])) })
    #expect(
      String(decoding: try fields.fields.canonicalBytes, as: UTF8.self)
        == #"{"shapeVersion":3,"size":7,"state":"open","title":"job 1"}"#)
    // A device with the app's first version writes on.
    try log.append(
      id: 1,
      .put(
        try DocumentPut(
          collection: new.name, document: DocumentID(9),
          fields: JSONValue(parsing: Array(#"{"done":true,"name":"late"}"#.utf8)))))
    try fixture.pull(log)
    #expect(try fixture.store.read { try $0.get(DocumentID(9), in: new)?.value.title } == "late")
    #expect(try fixture.store.prepare(new) == 1)
    // And one with a later version than this one.
    try log.append(
      id: 2,
      .put(
        try DocumentPut(
          collection: new.name, document: DocumentID(8),
          fields: JSONValue(parsing: Array(#"{"shapeVersion":4}"#.utf8)))))
    try fixture.pull(log)
    #expect(throws: StoreError.newerShape(new.name, found: 4, known: 3)) {
      try fixture.store.read { try $0.get(DocumentID(8), in: new) }
    }
    #expect(try fixture.store.prepare(new) == 0)
    #expect(try fixture.store.verify().problems.isEmpty)
  }

  @Test("A migration that fails leaves what it was given as it was")
  func failing() throws {
    struct Stop: Error {}
    let fixture = try StoreFixture()
    let id = try fixture.store.write { try $0.insert(Old(name: "a", done: false), in: try old()) }
    let failing = try TypedCollection<New>(
      "job", migrations: [ShapeMigration { _ in throw Stop() }])
    #expect(throws: Stop.self) { try fixture.store.prepare(failing) }
    #expect(try fixture.store.read { try $0.get(id, in: try old())?.value.name } == "a")
  }

  @Test("Names that cannot be are refused")
  func names() throws {
    #expect(throws: NameError.self) { try TypedCollection<Old>("Job") }
    #expect(throws: StoreError.badIndex("Bad")) {
      try TypedCollection<Old>("job", indexes: [TypedIndex("Bad", .createdAt)])
    }
    #expect(throws: StoreError.badIndex("a")) {
      try TypedCollection<Old>(
        "job", indexes: [TypedIndex("a", .createdAt), TypedIndex("a", .updatedAt)])
    }
  }
}
