import FolioDomain
import FolioJSON
import FolioStore
import LMDB
import StoreWorld
import TestSupport
import Testing

/// Many documents in one save, and many saves in one write, against a plain model.
@Suite("Many documents that are saved together")
struct SaveManyTests {
  static let collections = ["note", "record", "task"].map { CollectionName(unchecked: $0) }
  static let text = FieldPath(FieldName(unchecked: "text"))
  static let tag = FieldPath(.metadata, member: FieldName(unchecked: "tag"))
  static let type = FieldPath(FieldName(unchecked: "type"))
  static let title = FieldPath(FieldName(unchecked: "title"))

  /// A document as the rules have it.
  struct Row: Equatable {
    var fields: [FieldPath: JSONValue] = [:]
    var createdAt: Timestamp
    var updatedAt: Timestamp
    var isDeleted = false
  }

  /// What all documents are, found without any of what the store does for them.
  struct Model: Equatable {
    var rows: [DocumentKey: Row] = [:]

    /// Does the edits of one save at a time; those that come to nothing leave nothing.
    mutating func save(_ edits: [Edit], at now: Timestamp) {
      let before = rows
      for edit in edits {
        switch edit {
        case .put(let put):
          let key = DocumentKey(collection: put.collection, id: put.document)
          var row = rows[key] ?? Row(createdAt: now, updatedAt: now)
          for field in put.set { row.fields[field.path] = field.value }
          for path in put.unset { row.fields[path] = nil }
          if put.undelete { row.isDeleted = false }
          row.updatedAt = now
          rows[key] = row
        case .deleteDocument(let key):
          // A document that is made and deleted in one save has never been.
          if before[key] == nil { rows[key] = nil }
          if rows[key]?.isDeleted == false {
            rows[key]?.isDeleted = true
            rows[key]?.updatedAt = now
          }
        default: Issue.record("no edit of a document")
        }
      }
    }

    /// The ids of a list, all of it.
    func ids(_ query: DocumentQuery) -> [DocumentID] {
      let found = rows.filter { key, row in
        var isOfType = query.type == nil
        if let type = query.type, case .string(let text)? = row.fields[SaveManyTests.type] {
          // Byte by byte: two normal forms of a text are two types.
          isOfType = Array(text.utf8) == Array(type.utf8)
        }
        return key.collection == query.collection && isOfType
          && (query.includesDeleted || !row.isDeleted)
      }
      func time(_ row: Row) -> Timestamp {
        query.order == .created ? row.createdAt : row.updatedAt
      }
      return found.sorted {
        let (a, b) = (time($0.value), time($1.value))
        return a == b ? $0.key.id < $1.key.id : a < b
      }.map(\.key.id)
    }
  }

  /// Checks a state against the model: each document, and each list.
  static func check(
    _ state: borrowing StoreReadTransaction, _ model: Model, _ place: String
  ) throws {
    for (key, row) in model.rows {
      let document = try state.document(key)
      let found = try #require(document, "\(place): \(key)")
      let fields = Dictionary(uniqueKeysWithValues: found.values.map { ($0.path, $0.value) })
      let shown = Row(
        fields: fields, createdAt: found.createdAt, updatedAt: found.updatedAt,
        isDeleted: found.isDeleted)
      try #require(shown == row, "\(place): \(key)")
    }
    for collection in collections {
      for order in [DocumentQuery.Order.created, .updated] {
        for type in [nil, "a", "é"] {
          for includesDeleted in [false, true] {
            var query = DocumentQuery(collection)
            (query.order, query.type) = (order, type)
            (query.includesDeleted, query.limit) = (includesDeleted, 1_000)
            let found = try state.documents(query).map(\.key.id)
            try #require(found == model.ids(query), "\(place): \(query)")
          }
        }
      }
    }
  }

  /// Edits of one save: new documents and old ones, some twice, some put and deleted at once.
  static func edits(_ random: inout SeededRandom, _ known: [DocumentKey]) -> [Edit] {
    var edits: [Edit] = []
    var keys: [DocumentKey] = []
    for _ in 0..<random.int(1...60) {
      let isOld = !known.isEmpty && random.one(in: 4)
      let isRepeated = !keys.isEmpty && random.one(in: 6)
      let new = DocumentKey(
        collection: random.pick(collections), id: DocumentID(random: Source(random.next())))
      let key = isRepeated ? random.pick(keys) : isOld ? random.pick(known) : new
      let isKnown = isRepeated || isOld
      keys.append(key)
      if isKnown, random.one(in: 4) {
        edits.append(.deleteDocument(key))
        // One that was made in this save is gone with that, and can be put anew in the next.
        keys.removeAll { $0 == key }
        continue
      }
      edits.append(.put(put(key, isKnown: isKnown, &random)))
    }
    return edits
  }

  private static func put(
    _ key: DocumentKey, isKnown: Bool, _ random: inout SeededRandom
  ) -> DocumentPut {
    var set = [DocumentField(text, .string("text \(random.int(0...9))"))]
    if random.one(in: 2) { set.append(DocumentField(tag, .integer(Int64(random.int(0...3))))) }
    // A record needs a type, and a title that is its own.
    let isRecord = key.collection == .record
    if isRecord || random.one(in: 2) {
      set.append(DocumentField(type, .string(random.pick(["a", "b", "é", "e\u{301}"]))))
    }
    if isRecord { set.append(DocumentField(title, .string(key.id.text))) }
    let unset = isKnown && random.one(in: 4) && set.allSatisfy { $0.path != tag } ? [tag] : []
    return DocumentPut(
      collection: key.collection, document: key.id, set: set.sorted { $0.path < $1.path },
      unset: unset, undelete: isKnown && random.one(in: 4))
  }

  private struct Source: RandomSource {
    let value: UInt64
    init(_ value: UInt64) { self.value = value }
    func next() -> UInt64 { value }
  }

  @Test(arguments: PlaceKind.allCases, 0..<3)
  func theyAreWhatAPlainModelHas(place: PlaceKind, run: Int) throws {
    var random = SeededRandom("theyAreWhatAPlainModelHas(\(place), \(run))")
    let fixture = try StoreFixture(seed: random.next(), in: place)
    try fixture.store.write {
      try $0.declare(DocumentIndex("text", on: Self.collections[2], by: [.field(Self.text)]))
    }
    var model = Model()
    for step in 0..<4 {
      let name = "seed \(random.seed), step \(step)"
      let before = model
      let isThrown = random.one(in: 4)
      let outcome = Result {
        try fixture.store.write { transaction in
          for _ in 0..<random.int(1...3) {
            let edits = Self.edits(&random, model.rows.keys.sorted())
            try transaction.save(edits)
            model.save(edits, at: fixture.clock.now())
            // What was saved is seen before the next save, and before the commit.
            try Self.check(transaction.reading, model, name)
            fixture.clock.advance(milliseconds: Int64(random.int(0...2)))
          }
          if isThrown { throw StorageError.emptyKey }
        }
      }
      if isThrown {
        #expect(throws: StoreError.self) { try outcome.get() }
        model = before
      } else {
        try outcome.get()
      }
      try fixture.store.read { try Self.check($0, model, name) }
      #expect(try fixture.store.verify().problems.isEmpty, "\(name)")
    }
  }

  @Test func aDocumentPutTwiceInASaveHasBothPuts() throws {
    let fixture = try StoreFixture()
    let key = DocumentKey(collection: Self.collections[0], id: DocumentID(5))
    func put(_ field: String, _ value: Int64) -> Edit {
      .put(
        DocumentPut(
          collection: key.collection, document: key.id,
          set: [DocumentField(FieldPath(FieldName(unchecked: field)), .integer(value))]))
    }
    let saved = try fixture.save(put("a", 1), put("b", 2), put("a", 3))
    #expect(saved.operationCount == 1)
    let fields = try fixture.store.read { try $0.document(key)?.fields }
    #expect(fields == .object([JSONMember("a", .integer(3)), JSONMember("b", .integer(2))]))
    #expect(try fixture.store.verify().problems.isEmpty)
  }

  @Test func aDocumentPutAndDeletedInASaveHasNeverBeen() throws {
    let fixture = try StoreFixture()
    let keys = (1...3).map {
      DocumentKey(collection: Self.collections[0], id: DocumentID(UInt128($0)))
    }
    let puts = keys.map { Edit.put(DocumentPut(collection: $0.collection, document: $0.id)) }
    let saved = try fixture.store.write { try $0.save(puts + [.deleteDocument(keys[1])]) }
    #expect(saved.operationCount == 2)
    let found = try fixture.store.read { state in
      try keys.map { try state.document($0) != nil }
    }
    #expect(found == [true, false, true])
    let count = try fixture.store.read { try $0.documentCount(in: keys[0].collection) }
    #expect(count == 2)
    #expect(try fixture.store.verify().problems.isEmpty)
  }

  @Test(
    "A save that passes the quota leaves nothing, also where its error is caught",
    arguments: PlaceKind.allCases, [(400, 200), (1, 150_000)])
  func aSaveAboveTheQuotaLeavesNothing(place: PlaceKind, size: (count: Int, text: Int)) throws {
    let quota = 1 << 20
    let fixture = try StoreFixture(in: place) {
      $0.quotaByteCount = quota
      $0.outbox.countMax = .max
      $0.outbox.byteCountMax = .max
    }
    let value = JSONValue.string(String(repeating: "x", count: size.text))
    func edits(_ number: Int) -> [Edit] {
      (0..<size.count).map { place in
        .put(
          DocumentPut(
            collection: Self.collections[0], document: DocumentID(UInt128(number << 32 | place)),
            set: [DocumentField(Self.text, value)]))
      }
    }
    let full = StoreError.storage(.quotaExceeded(limit: quota))
    var number = 0
    while number < 100 {
      do {
        try fixture.store.write { try $0.save(edits(number)) }
      } catch let error as StoreError where error == full {
        break
      }
      number += 1
    }
    #expect((1..<100).contains(number))
    let before = try AtomicityTests.Contents(fixture.store)
    // Caught inside the write, it does not let the half that was put be committed.
    let outcome = Result {
      try fixture.store.write { transaction in
        #expect(throws: StorageError.quotaExceeded(limit: quota)) {
          try transaction.save(edits(number))
        }
      }
    }
    #expect(throws: full) { try outcome.get() }
    #expect(try AtomicityTests.Contents(fixture.store) == before)
    let count = try fixture.store.read { try $0.documentCount(in: Self.collections[0]) }
    #expect(count == number * size.count)
    #expect(try fixture.store.verify().problems.isEmpty)
  }
}
