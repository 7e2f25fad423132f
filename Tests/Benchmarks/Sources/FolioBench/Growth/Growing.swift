import FolioCrypto
import FolioDomain
import FolioJSON
import FolioStore
import Foundation

/// A store with so many assets, some of which change.
final class GrowingStore {
  private let store: Store
  private let assets: [AssetKey]
  private var random = Seeded(seed: 61)

  init(_ folder: String, assetCount: Int) throws {
    let holdings = try Holdings(assetCount: assetCount, categoryCount: 10)
    assets = holdings.assets
    store = try holdings.makeStore(folder)
  }

  func close() { store.close() }

  /// The nanoseconds of a durable save of one edit, of `count`.
  func save(_ count: Int) throws -> Double {
    let edits = try (0..<count).map { _ in
      Edit.add(
        assets[random.int(0...assets.count - 1)], try Amount(random.decimal()), category: nil)
    }
    let begin = Stopwatch.wall()
    for edit in edits { _ = try store.write { try $0.save([edit]) } }
    return Double(Stopwatch.wall() - begin) / Double(count)
  }
}

/// A collection of so many documents of 1 KB, given by a server, as most of one are.
struct GrowingCollection {
  private static let batch = 100
  private static let collection = CollectionName(unchecked: "notes")
  private let store: Store
  private var ids: [DocumentID] = []
  private var random = Seeded(seed: 62)

  init(_ folder: String, count: Int) throws {
    store = try Store.create(
      at: folder, StoreOptions(clock: FixedClock(Holdings.now), random: Random(seed: 63)))
    var log = LogContent(
      try Content(assetCount: 1), account: Holdings.accountID, log: LogID(5),
      start: Holdings.now.adding(milliseconds: -Slot.milliseconds))
    while ids.count < count {
      let puts = try documents()
      ids += puts.map(\.document)
      let entry = try log.next(after: 1, operations: puts.map { .put($0) })
      let chained = ChainedEntry(entry, hash: log.head.hash)
      _ = try store.write { try $0.apply([chained]) }
    }
  }

  func close() { store.close() }

  /// The nanoseconds of a document of a batch of new ones, durable at once.
  mutating func put() throws -> Double {
    let edits = try documents().map { Edit.put($0) }
    let begin = Stopwatch.wall()
    _ = try store.write { try $0.save(edits) }
    return Double(Stopwatch.wall() - begin) / Double(Self.batch)
  }

  private mutating func documents() throws -> [DocumentPut] {
    try (0..<Self.batch).map { number in
      try DocumentPut(
        collection: Self.collection, document: DocumentID(random.next128()),
        fields: DocumentWork.fields(number, &random))
    }
  }

  /// The nanoseconds of a document that is got, of `count` in no order.
  mutating func get(_ count: Int) throws -> Double {
    let wanted = (0..<count).map { _ in ids[random.int(0...ids.count - 1)] }
    let begin = Stopwatch.processor()
    try store.read { state in
      for id in wanted {
        let key = DocumentKey(collection: Self.collection, id: id)
        try demand(try state.document(key) != nil, "a document is missing")
      }
    }
    return Double(Stopwatch.processor() - begin) / Double(count)
  }
}

/// A server whose logs have so many entries together.
final class GrowingLog {
  private static let clients = 64
  private let server: OurServer
  private let sockets: [LoadSocket]
  private var content: LoadContent
  private var request = 0

  init(_ programs: Programs, _ folder: String, entryCount: Int) throws {
    let server = try OurServer(programs, folder, accounts: Self.clients) { $0 }
    self.server = server
    sockets = try (0..<Self.clients).map { try server.connect($0) }
    content = try LoadContent()
    _ = try append(each: max(entryCount / Self.clients, 1))
  }

  func stop() { server.stop() }

  /// The nanoseconds of a durable acknowledgement, where each client appends so many, one after the
  /// other.
  func append(each count: Int) throws -> Double {
    let requests = try sockets.indices.map { client in
      var requests = Requests()
      for number in 0..<count {
        let transaction = try content.next(client)
        requests.add(server.append(transaction, client: client, request: request + number))
      }
      return requests
    }
    request += count
    return 1e9 / (try LoadOutcome(server.speech, mark: server.appended, sockets, requests)).rate
  }
}
