internal import FolioCrypto
package import FolioDomain
package import FolioStore
package import LMDB
package import TestSupport

/// The two places that a store can be in.
package enum PlaceKind: CaseIterable {
  case folder
  case memory
}

/// A store of a test's own in a temporary folder or in memory, with a clock and ids that a seed brings back.
package final class StoreFixture {
  package let folder: TemporaryFolder
  /// The disk of a store in memory.
  package let disk: MemoryDisk?
  package let clock = ManualClock(Timestamp(known: "2026-03-01T07:00:00Z"))
  package var options: StoreOptions
  package private(set) var store: Store

  package var path: String { folder.path + "/store" }

  package init(
    seed: UInt64 = 1, in place: PlaceKind = .folder,
    _ change: (inout StoreOptions) -> Void = { _ in }
  ) throws {
    folder = try TemporaryFolder("store")
    options = StoreOptions(clock: clock, random: SeededSource(seed: seed))
    options.mapByteCount = 1 << 28
    change(&options)
    disk = place == .memory ? MemoryDisk() : nil
    store =
      if let disk {
        try Store.create(on: disk, options)
      } else {
        try Store.create(at: folder.path + "/store", options)
      }
  }

  deinit { store.close() }

  /// Closes the store and opens it again.
  package func reopen() throws {
    store.close()
    store =
      if let disk { try Store.open(on: disk, options) } else { try Store.open(at: path, options) }
  }

  /// Closes the store and leaves it as a program of an older format did: with its number, and without
  /// the records of spaces that it did not have.
  package func closeAsFormat(_ version: UInt8, without spaces: [String]) throws {
    store.close()
    let environment = try Environment.open(
      at: path, Environment.Options(databases: ["meta/format"] + spaces))
    try environment.write { transaction in
      let (format, key) = (environment.database("meta/format"), Array("format".utf8))
      var record = try transaction.bytes(format, key) ?? []
      // The version follows the application's name.
      record[1 + Int(record[0])] = version
      try transaction.put(format, key, record)
      for name in spaces { try transaction.deleteAll(environment.database(name)) }
    }
    environment.close()
  }

  @discardableResult
  package func save(_ edits: Edit...) throws -> SavedEdits {
    try store.write { try $0.save(edits) }
  }

  /// The records of a space of a store in memory, keys and values in turn.
  package func rows(of space: String) throws -> [[UInt8]] {
    guard let disk else { return [] }
    let environment = try Environment.inMemory(
      on: disk.copied(), Environment.Options(databases: [space]))
    var rows: [[UInt8]] = []
    try environment.read { state in
      try state.scan(environment.database(space), .all) { key, value in
        rows += [key.copied, value.copied]
        return .next
      }
    }
    return rows
  }

  /// The amount shown of an asset; nil where it is not listed.
  package func amount(_ asset: AssetKey) throws -> String? {
    try store.read { try $0.holding(asset)?.holding.amount.decimalText }
  }
}

extension StoreFixture {
  /// A store that has joined the account of an empty log.
  package static func joined() throws -> (StoreFixture, TestLog) {
    let fixture = try StoreFixture()
    let log = TestLog()
    try fixture.store.write { try $0.join(account: log.account, server: 1, log: log.id) }
    return (fixture, log)
  }

  package func pending() throws -> [PendingEntry] {
    try store.read { try $0.pending(after: 0, maxCount: .max, maxByteCount: .max) }
  }

  /// Takes in what the log has beyond the store's cursor.
  @discardableResult
  package func pull(_ log: TestLog, stable: UInt64? = nil) throws -> PageResult {
    let seq = try store.read { try $0.status().position?.seq ?? 0 }
    return try store.write { try $0.apply(log.page(after: seq), stable: stable) }
  }
}

extension Timestamp {
  /// A moment known to be one.
  package init(known text: StaticString) {
    do {
      self = try Timestamp(String(describing: text))
    } catch {
      fatalError("\(text) is no time")
    }
  }
}

/// A server's log in memory: what entries a store reads, and what it pushes.
package struct TestLog {
  package let account = AccountID(Hash256(words: (1, 2, 3, 4)))
  package let id = LogID(77)
  package private(set) var entries: [ChainedEntry] = []
  private var sequences: [DeviceID: UInt64] = [:]

  /// An empty log.
  package init() {}

  package var head: LogPosition {
    entries.last?.position
      ?? LogPosition(seq: 0, hash: LogChain.start(account: account, using: SHA256.self))
  }

  /// Takes a transaction as the next entry.
  package mutating func accept(
    _ transaction: Envelope, at acceptedAt: Timestamp, kind: EntryKind = .accepted
  ) {
    let entry = LogEntry(
      seq: head.seq + 1, acceptedAt: acceptedAt, kind: kind, transaction: transaction,
      bodyHash: SHA256.hash(of: transaction.body))
    let hash = LogChain.next(after: head.hash, entry, using: SHA256.self)
    entries.append(ChainedEntry(entry, hash: hash))
    sequences[transaction.device] = transaction.deviceSequence
  }

  /// Takes a transaction of another device, made of those operations.
  package mutating func append(
    device: DeviceID, id: UInt64, recordedAt: Timestamp, acceptedAt: Timestamp,
    kind: EntryKind = .accepted, seen: Seen? = nil, _ operations: [FolioDomain.Operation]
  ) throws {
    let body = TransactionBody(seen: seen, operations: operations)
    try append(
      device: device, id: id, recordedAt: recordedAt, acceptedAt: acceptedAt, kind: kind,
      body: try body.encoded())
  }

  /// Takes a transaction of another device, made and accepted on the first of March.
  package mutating func append(
    id: UInt64, seen: Seen? = nil, _ operations: FolioDomain.Operation...
  ) throws {
    let time = Timestamp(known: "2026-03-01T07:00:00Z")
    try append(
      device: DeviceID(9), id: id, recordedAt: time, acceptedAt: time, seen: seen, operations)
  }

  /// Takes a transaction of another device with that body.
  package mutating func append(
    device: DeviceID, id: UInt64, recordedAt: Timestamp, acceptedAt: Timestamp,
    kind: EntryKind = .accepted, body: [UInt8]
  ) throws {
    let transaction = Envelope(
      id: TransactionID(UInt128(id)), device: device,
      deviceSequence: (sequences[device] ?? 0) + 1, recordedAt: recordedAt, body: body)
    accept(transaction, at: acceptedAt, kind: kind)
  }

  package func page(after seq: UInt64, limit: Int = .max) -> [ChainedEntry] {
    Array(entries.dropFirst(Int(seq)).prefix(limit))
  }
}
