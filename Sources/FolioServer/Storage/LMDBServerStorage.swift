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
    /// How long the journal may become; from half of that on it is moved to its tables by and by.
    package var journalByteCount = 8 << 20
    /// The ordinary way.
    package init() {}
  }

  private let path: String
  private let options: Environment.Options
  private let use: Mutex<Use>
  private let journalByteCount: Int
  /// What was last read of the journal.
  private let journal = Mutex(JournalRows())

  /// The environment, with its tables in the order of the spaces' numbers.
  private struct Use {
    let environment: Environment
    let tables: [Database]

    init(_ environment: Environment) {
      self.environment = environment
      tables = Space.allCases.map { environment.database($0.name) }
    }
  }

  /// Opens the folder at `path`, which is made where it is missing and not opened read-only.
  package convenience init(at path: String, _ options: Options = Options()) throws {
    try self.init(at: path, options, faults: nil)
  }

  /// The same, with faults of the storage injected.
  init(at path: String, _ options: Options, faults: (any StorageFaults)?) throws {
    var chosen = Environment.Options(databases: Space.allCases.map(\.name) + [Journal.database])
    chosen.readOnly = options.readOnly
    chosen.exclusive = options.exclusive
    chosen.lockWait = options.lockWait
    chosen.mapByteCount = options.mapByteCount
    chosen.quotaByteCount = options.quotaByteCount
    chosen.applicationLabel = "folio-server"
    chosen.faults = faults
    self.path = path
    journalByteCount = options.journalByteCount
    use = Mutex(Use(try Self.translating { try Self.open(path, &chosen) }))
    self.options = chosen
  }

  private static func open(_ path: String, _ options: inout Environment.Options) throws
    -> Environment
  {
    do {
      return try Environment.open(at: path, options)
    } catch StorageError.databaseMissing(Journal.database) {
      // A folder of version 1, which is not to be changed.
      options.databases.removeLast()
      return try Environment.open(at: path, options)
    }
  }

  package func read<Query: ServerQuery>(_ query: Query) throws -> Query.Answer {
    try Self.translating {
      let use = try current()
      let view = JournalView(use.tables)
      return try use.environment.read(attaching: view) { transaction in
        view.begin(try rows(of: transaction))
        return try query.answer(transaction)
      }
    }
  }

  package func write<Change: ServerChange>(_ change: Change) throws -> Change.Answer {
    try Self.translating {
      let use = try current()
      let view = JournalView(use.tables)
      do {
        let answer = try use.environment.write(attaching: view) { transaction in
          view.begin(try rows(of: transaction.reading))
          if change.isSmall { view.beginRecord() } else { try view.move(&transaction) }
          let answer = try change.apply(&transaction)
          try view.store(limit: journalByteCount, &transaction)
          return answer
        }
        keep(view)
        return answer
      } catch StorageError.commitFailed(let detail) {
        needsReopening.store(true, ordering: .releasing)
        throw StorageError.commitFailed(detail: detail)
      }
    }
  }

  package func tidy() throws {
    if journal.withLock({ !$0.isEmpty }) { try write(EmptyJournal()) }
  }

  /// The rows of the journal as a transaction sees it.
  private func rows(of transaction: borrowing ReadTransaction) throws -> JournalRows {
    guard options.databases.last == Journal.database else { return JournalRows() }
    var rows = journal.withLock { $0 }
    if try rows.update(transaction) {
      journal.withLock { if $0.bounds.last < rows.bounds.last { $0 = rows } }
    }
    return rows
  }

  /// Keeps the rows of the journal as they are after a commit.
  private func keep(_ view: JournalView) {
    journal.withLock { rows in
      // Nobody else holds them while they change, so that they are not copied.
      if rows.bounds.last == view.rows.bounds.last { rows = JournalRows() }
      let committed = view.committed()
      if rows.bounds.last <= committed.bounds.last { rows = committed }
    }
  }

  /// Writes a consistent copy of the data file to `file`, complete and synced when it returns.
  package func copy(to file: String) throws {
    try Self.translating { try current().environment.copy(to: file) }
  }

  /// How many bytes are in use, and how many may be.
  package func space() throws -> (used: Int, limit: Int) {
    try Self.translating {
      let statistics = try current().environment.statistics()
      return (statistics.usedByteCount, statistics.quotaByteCount)
    }
  }

  /// What is wrong with the file's pages and records, read without the engine, which damage could
  /// end; `progress` is told how many pages of how many were looked at.
  package func damages(_ progress: (Int, Int) -> Void) throws -> [StorageProblem] {
    try Self.translating {
      try current().environment.verify(progress).damages.map(StorageProblem.init)
    }
  }

  /// The same of a folder that is not open here; nothing where there is no file that could be a
  /// server's, which opening it tells by its own errors.
  static func damages(at path: String, _ progress: (Int, Int) -> Void) throws -> [StorageProblem] {
    do {
      return try translating {
        try Environment.verify(file: path + "/" + ServerFolder.dataFile, progress).damages
          .map(StorageProblem.init)
      }
    } catch ServerStorageError.missing {
      return []
    }
  }

  /// Gives the folder up; every use after it fails.
  package func close() { use.withLock { $0.environment.close() } }

  private let needsReopening = Atomic<Bool>(false)

  private func current() throws -> Use {
    try use.withLock { use in
      if needsReopening.load(ordering: .acquiring) {
        use.environment.close()
        use = Use(try Environment.open(at: path, options))
        needsReopening.store(false, ordering: .releasing)
      }
      return use
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
    case .corrupt(Journal.database):
      self = .damaged(space: .meta, what: Journal.damage)
    case .corrupt(let database):
      let space = Space.allCases.first { $0.name.utf8.elementsEqual(database.utf8) }
      self = .damaged(space: space ?? .meta, what: "checksum does not fit")
    default: self = .failed(reason: error.description)
    }
  }
}

extension StorageProblem {
  init(_ damage: Verification.Damage) {
    self.init(rule: .damaged, message: "\(damage.table ?? "data file"): \(damage.what)")
  }
}

extension RowRange {
  var keys: KeyRange {
    switch (from.isEmpty, upTo) {
    case (true, nil): .all
    case (false, nil): .from(from)
    case (_, let upTo?): .from(from, upTo: upTo)
    }
  }
}

extension RowOrder {
  var scanOrder: ScanOrder { self == .ascending ? .ascending : .descending }
}

extension RowStep {
  var scanStep: ScanStep { self == .next ? .next : .stop }
}

/// Moves what is in the journal to its tables, and changes nothing else.
private struct EmptyJournal: ServerChange {
  func apply<T: ServerWriting & ~Copyable & ~Escapable>(_ transaction: inout T) throws {}
}
