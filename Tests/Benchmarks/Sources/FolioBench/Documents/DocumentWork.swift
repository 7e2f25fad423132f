import CBaseline
import FolioDomain
import FolioJSON
import FolioStore
import Foundation

/// The same documents on three sides.
final class DocumentWork {
  enum Side: CaseIterable { case ours, sqlite, engine }

  private static let now = Timestamp(milliseconds: 1_772_348_400_000)
  /// As many as fit into one transaction that is sent.
  private static let inTransaction = 125
  private static let collection = CollectionName(unchecked: "notes")

  private let count: Int
  private let fields: [JSONValue]
  private let texts: [[UInt8]]
  private let ids: [DocumentID]
  private let store: Store
  private let database: SQLite
  private let engine: Baseline
  /// A store that was given the documents by its server, as most of one are, and the engine with
  /// their texts.
  private let synced: Store
  private let plain: Baseline
  private let insert: Statement
  private let send: Statement
  private let select: Statement
  private let folder: String
  private var random = Seeded(seed: 17)

  var batchCount: Int { count / DocumentBenchmark.batch }

  init(_ folder: String, count: Int) throws {
    self.folder = folder
    self.count = count
    var random = Seeded(seed: 16)
    ids = (0..<count).map { _ in DocumentID(random.next128()) }
    fields = (0..<count).map { Self.fields($0, &random) }
    texts = try fields.map { try $0.canonicalBytes }
    let script = try Self.script(folder, ids, fields)
    store = try Self.makeStore(folder + "/ours")
    try FileManager.default.createDirectory(
      atPath: folder + "/engine", withIntermediateDirectories: false)
    try FileManager.default.copyItem(
      atPath: folder + "/ours/data.mdb", toPath: folder + "/engine/data.mdb")
    engine = try Baseline(
      folder + "/engine", mapByteCount: Self.options.mapByteCount, script)
    synced = try Self.makeSynced(folder + "/synced", ids, fields)
    try FileManager.default.createDirectory(
      atPath: folder + "/plain", withIntermediateDirectories: false)
    try FileManager.default.copyItem(
      atPath: folder + "/recorded/data.mdb", toPath: folder + "/plain/data.mdb")
    plain = try Self.makePlain(folder + "/plain", ids, texts)
    database = try SQLite(folder + "/peer.sqlite")
    try database.execute(
      """
      CREATE TABLE document(
        collection TEXT NOT NULL, id BLOB NOT NULL, type TEXT, created INTEGER NOT NULL,
        updated INTEGER NOT NULL, deleted INTEGER NOT NULL, fields TEXT NOT NULL,
        PRIMARY KEY(collection, id)) STRICT;
      CREATE INDEX document_created ON document(collection, deleted, created, id);
      CREATE INDEX document_updated ON document(collection, deleted, updated, id);
      CREATE INDEX document_type_created ON document(collection, type, deleted, created, id);
      CREATE INDEX document_type_updated ON document(collection, type, deleted, updated, id);
      CREATE TABLE outbox(sequence INTEGER PRIMARY KEY, recorded INTEGER, body BLOB) STRICT;
      """)
    insert = try database.prepare("INSERT INTO document VALUES(?,?,?,?,?,0,?)")
    send = try database.prepare("INSERT INTO outbox VALUES(?,?,?)")
    select = try database.prepare("SELECT fields FROM document WHERE collection = ? AND id = ?")
  }

  func close() {
    store.close()
    synced.close()
    for statement in [insert, send, select] { statement.finalize() }
    database.close()
  }

  // MARK: Documents

  /// An object whose canonical JSON has about 1,024 bytes.
  static func fields(_ number: Int, _ random: inout Seeded) -> JSONValue {
    let words = ["alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel"]
    var text = ""
    while text.utf8.count < 840 { text += words[random.int(0...7)] + " " }
    return .object([
      JSONMember("amount", .string(random.decimal())),
      JSONMember("body", .string(text)),
      JSONMember("count", .integer(Int64(random.int(0...1_000_000)))),
      JSONMember("isOpen", .bool(random.int(0...1) == 1)),
      JSONMember("title", .string("Note number \(number)")),
      JSONMember("type", .string("type \(number % 10)")),
    ])
  }

  private static var options: StoreOptions {
    var options = StoreOptions(clock: FixedClock(now), random: Random(seed: 23))
    options.outbox.countMax = .max
    options.outbox.byteCountMax = .max
    return options
  }

  private static func makeStore(_ folder: String) throws -> Store {
    try Store.create(at: folder, options)
  }

  /// Puts a batch in one commit.
  private static func put(
    _ batch: Int, _ store: Store, _ ids: [DocumentID], _ fields: [JSONValue]
  ) throws {
    let places = batch * DocumentBenchmark.batch..<(batch + 1) * DocumentBenchmark.batch
    try store.write { transaction in
      for begin in stride(from: places.lowerBound, to: places.upperBound, by: inTransaction) {
        var edits: [Edit] = []
        for place in begin..<min(begin + inTransaction, places.upperBound) {
          edits.append(
            .put(
              try DocumentPut(
                collection: collection, document: ids[place], fields: fields[place])))
        }
        try transaction.save(edits)
      }
    }
  }

  /// What the puts of each batch change in the data file of a store like the one that is measured.
  private static func script(
    _ folder: String, _ ids: [DocumentID], _ fields: [JSONValue]
  ) throws -> Script {
    let store = try makeStore(folder + "/recorded")
    defer { store.close() }
    var script = Script()
    var before = try Dump(folder + "/recorded")
    for batch in 0..<ids.count / DocumentBenchmark.batch {
      try put(batch, store, ids, fields)
      let after = try Dump(folder + "/recorded")
      script.add(from: before, to: after)
      before = after
    }
    return script
  }

  private static func makeSynced(
    _ folder: String, _ ids: [DocumentID], _ fields: [JSONValue]
  ) throws -> Store {
    let store = try makeStore(folder)
    var log = LogContent(
      try Content(assetCount: 1), account: Holdings.accountID, log: LogID(5), start: now)
    for begin in stride(from: 0, to: ids.count, by: inTransaction) {
      let operations = try (begin..<min(begin + inTransaction, ids.count)).map { place in
        FolioDomain.Operation.put(
          try DocumentPut(
            collection: collection, document: ids[place], fields: fields[place]))
      }
      let entry = try log.next(after: 1, operations: operations)
      let chained = ChainedEntry(entry, hash: log.head.hash)
      _ = try store.write { try $0.apply([chained]) }
    }
    return store
  }

  /// The engine, with the texts of the documents under their ids, in one database of a store's file.
  private static func makePlain(
    _ folder: String, _ ids: [DocumentID], _ texts: [[UInt8]]
  ) throws -> Baseline {
    var script = Script()
    script.add(zip(ids, texts).map { (key: [1] + bytes($0), value: $1) }, to: 0)
    let engine = try Baseline(folder, mapByteCount: options.mapByteCount, script)
    _ = try engine.replay(1)
    return engine
  }

  // MARK: Putting

  /// The nanoseconds of a document of a batch.
  func put(_ batch: Int, side: Side) throws -> Double {
    if side == .engine {
      return Double(try engine.replay(1)) / Double(DocumentBenchmark.batch)
    }
    let begin = Stopwatch.wall()
    if side == .ours {
      try Self.put(batch, store, ids, fields)
    } else {
      try putSQLite(batch)
    }
    return Double(Stopwatch.wall() - begin) / Double(DocumentBenchmark.batch)
  }

  private func putSQLite(_ batch: Int) throws {
    let places = batch * DocumentBenchmark.batch..<(batch + 1) * DocumentBenchmark.batch
    let now = Int(Self.now.milliseconds)
    try database.transaction {
      for begin in stride(from: places.lowerBound, to: places.upperBound, by: Self.inTransaction) {
        var body: [UInt8] = []
        for place in begin..<min(begin + Self.inTransaction, places.upperBound) {
          let text = try fields[place].canonicalBytes
          insert.bind(1, Self.collection.text)
          insert.bind(2, Self.bytes(ids[place]))
          insert.bind(3, "type \(place % 10)")
          insert.bind(4, now)
          insert.bind(5, now)
          insert.bind(6, String(decoding: text, as: UTF8.self))
          try insert.run()
          body += text
        }
        send.bind(1, begin)
        send.bind(2, now)
        send.bind(3, body)
        try send.run()
      }
    }
  }

  private static func bytes(_ id: DocumentID) -> [UInt8] {
    withUnsafeBytes(of: id.value.bigEndian) { Array($0) }
  }

  // MARK: Getting

  /// The nanoseconds of a document of a batch, in no order, in a read of its own.
  func get(_ side: Side) throws -> Double {
    let wanted = (0..<DocumentBenchmark.batch).map { _ in random.int(0...count - 1) }
    let begin = Stopwatch.processor()
    switch side {
    case .ours:
      try synced.read { state in
        for place in wanted {
          let key = DocumentKey(collection: Self.collection, id: ids[place])
          try demand(try state.document(key) != nil, "a document is missing")
        }
      }
    case .sqlite:
      try database.read { for place in wanted { _ = try value(place) } }
    case .engine:
      var count = 0
      try plain.get(wanted) { bytes in
        if (try? JSONValue(parsing: Array(bytes))) != nil { count += 1 }
      }
      try demand(count == wanted.count, "a text is unreadable")
    }
    return Double(Stopwatch.processor() - begin) / Double(DocumentBenchmark.batch)
  }

  private func value(_ place: Int) throws -> JSONValue {
    select.bind(1, Self.collection.text)
    select.bind(2, Self.bytes(ids[place]))
    defer { select.reset() }
    try demand(try select.step(), "a row is missing")
    return try JSONValue(parsing: select.bytes(0))
  }

  /// Whether all sides hold the same.
  func compare() throws {
    for place in stride(from: 0, to: batchCount * DocumentBenchmark.batch, by: 7) {
      let key = DocumentKey(collection: Self.collection, id: ids[place])
      let ours = try [store, synced].map { try $0.read { try $0.document(key)?.fields } }
      try demand(
        ours == [fields[place], fields[place]] && (try value(place)) == fields[place],
        "the two sides hold other documents")
    }
    try demand(
      try Dump(folder + "/ours") == Dump(folder + "/engine"), "the two sides wrote other records")
  }
}
