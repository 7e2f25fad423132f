import LMDB
import Synchronization

/// The server's storage on disk: one LMDB environment in a folder.
///
/// Several processes may use the folder at once. After a commit that failed, the folder is opened
/// again before the next use, so that what is read is what is on disk.
package final class LMDBServerStorage: ServerStorage {
  /// How a folder is opened.
  package struct Options: Sendable {
    /// Whether nothing is written, and nothing is made.
    package var readOnly = false
    /// Whether nobody else may use the folder meanwhile.
    package var exclusive = false
    /// How long to wait for those who use it.
    package var lockWait: Duration = .seconds(5)
    /// How much address space the file may take.
    package var mapByteCount = 32 << 30
    /// How much of it may be in use, or nil for seven eighths.
    package var quotaByteCount: Int?
    /// The ordinary way.
    package init() {}
  }

  private let path: String
  private let options: Environment.Options
  private let environment: Mutex<Environment>

  /// Opens the folder at `path`, which is made where it is missing and not opened read-only.
  package convenience init(at path: String, _ options: Options = Options()) throws {
    try self.init(at: path, options, faults: nil)
  }

  /// The same, with faults of the storage injected.
  init(at path: String, _ options: Options, faults: (any StorageFaults)?) throws {
    var chosen = Environment.Options(databases: Space.allCases.map(\.name))
    chosen.readOnly = options.readOnly
    chosen.exclusive = options.exclusive
    chosen.lockWait = options.lockWait
    chosen.mapByteCount = options.mapByteCount
    chosen.quotaByteCount = options.quotaByteCount
    chosen.applicationLabel = "folio-server"
    chosen.faults = faults
    self.path = path
    self.options = chosen
    environment = Mutex(try Self.translating { try Environment.open(at: path, chosen) })
  }

  package func read<Query: ServerQuery>(_ query: Query) throws -> Query.Answer {
    try Self.translating { try opened().read { try query.answer($0) } }
  }

  package func write<Change: ServerChange>(_ change: Change) throws -> Change.Answer {
    try Self.translating {
      do {
        return try opened().write { try change.apply(&$0) }
      } catch StorageError.commitFailed(let detail) {
        needsReopening.store(true, ordering: .releasing)
        throw StorageError.commitFailed(detail: detail)
      }
    }
  }

  /// Writes a consistent copy of the data file to `file`, complete and synced when it returns.
  package func copy(to file: String) throws {
    try Self.translating { try opened().copy(to: file) }
  }

  /// How many bytes are in use, and how many may be.
  package func space() throws -> (used: Int, limit: Int) {
    try Self.translating {
      let statistics = try opened().statistics()
      return (statistics.usedByteCount, statistics.quotaByteCount)
    }
  }

  /// What is wrong with the file's pages and records, read without the engine, which damage could
  /// end; `progress` is told how many pages of how many were looked at.
  package func damages(_ progress: (Int, Int) -> Void) throws -> [StorageProblem] {
    try Self.translating {
      try opened().verify(progress).damages.map {
        StorageProblem(rule: .damaged, message: "\($0.table ?? "data file"): \($0.what)")
      }
    }
  }

  /// Gives the folder up; every use after it fails.
  package func close() { environment.withLock { $0.close() } }

  private let needsReopening = Atomic<Bool>(false)

  private func opened() throws -> Environment {
    try environment.withLock { environment in
      if needsReopening.load(ordering: .acquiring) {
        environment.close()
        environment = try Environment.open(at: path, options)
        needsReopening.store(false, ordering: .releasing)
      }
      return environment
    }
  }

  private static func translating<R>(_ body: () throws -> R) throws -> R {
    do {
      return try body()
    } catch let error as StorageError {
      throw ServerStorageError(error)
    }
  }
}

extension ServerStorageError {
  init(_ error: StorageError) {
    switch error {
    case .commitFailed: self = .commitFailed(reason: error.description)
    case .mapFull, .quotaExceeded: self = .full(reason: error.description)
    case .missing(let path): self = .missing(path: path)
    case .locked, .alreadyOpen: self = .busy(reason: error.description)
    case .corrupt(let database):
      let space = Space.allCases.first { $0.name.utf8.elementsEqual(database.utf8) }
      self = .damaged(space: space ?? .meta, what: "checksum does not fit")
    default: self = .failed(reason: error.description)
    }
  }
}

extension RowRange {
  fileprivate var keys: KeyRange {
    switch (from.isEmpty, upTo) {
    case (true, nil): .all
    case (false, nil): .from(from)
    case (_, let upTo?): .from(from, upTo: upTo)
    }
  }
}

extension RowOrder {
  fileprivate var scanOrder: ScanOrder { self == .ascending ? .ascending : .descending }
}

extension RowStep {
  fileprivate var scanStep: ScanStep { self == .next ? .next : .stop }
}

extension ReadTransaction: ServerReading {
  func row(_ space: Space, _ key: [UInt8]) throws -> [UInt8]? {
    try bytes(database(space.name), key)
  }

  func scan(
    _ space: Space, _ range: RowRange, _ order: RowOrder,
    _ body: (_ key: RawSpan, _ row: RawSpan) throws -> RowStep
  ) throws {
    try scan(database(space.name), range.keys, order.scanOrder) { key, row in
      try body(key, row).scanStep
    }
  }
}

extension WriteTransaction: ServerWriting {
  func row(_ space: Space, _ key: [UInt8]) throws -> [UInt8]? {
    try bytes(database(space.name), key)
  }

  func scan(
    _ space: Space, _ range: RowRange, _ order: RowOrder,
    _ body: (_ key: RawSpan, _ row: RawSpan) throws -> RowStep
  ) throws {
    try reading.scan(space, range, order, body)
  }

  mutating func put(_ space: Space, _ key: [UInt8], _ row: [UInt8]) throws {
    try put(database(space.name), key, row)
  }

  mutating func delete(_ space: Space, _ key: [UInt8]) throws {
    try delete(database(space.name), key)
  }
}
