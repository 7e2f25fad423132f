package import FolioDomain
import FolioSystem
import LMDB

/// A folder on disk that holds a server's data.
package struct ServerFolder: Sendable {
  /// The file that holds everything.
  package static let dataFile = "data.mdb"
  /// The base currency of a folder that is made without being asked for one.
  package static let defaultBase = "USD"

  /// Where it is.
  package let path: String
  /// What is in it.
  package let storage: LMDBServerStorage

  /// Makes the folder, which must not be there, or be empty, or be what a making that was cut off
  /// has left.
  package static func make(
    at path: String, base: String = defaultBase, random: some RandomSource, now: Timestamp
  ) throws -> ServerFolder {
    guard isCurrencyCode(base) else { throw FolderError.baseCurrency(base) }
    guard try isFree(path) || isUnfinished(path) else { throw FolderError.notEmpty(path) }
    return try prepared(path, base: base, random: random, now: now)
  }

  /// Opens the folder, and makes it where there is none.
  package static func openOrMake(at path: String, random: some RandomSource, now: Timestamp) throws
    -> ServerFolder
  {
    if try isFree(path) {
      return try prepared(path, base: defaultBase, random: random, now: now)
    }
    _ = try isPrepared(path, ifMissing: .notEmpty(path))
    return try prepared(path, base: defaultBase, random: random, now: now)
  }

  /// Opens the folder, which must be there.
  package static func open(at path: String, _ options: LMDBServerStorage.Options = .init()) throws
    -> ServerFolder
  {
    guard try isPrepared(path, ifMissing: .missing(path)) else { throw FolderError.missing(path) }
    return ServerFolder(path: path, storage: try opened(path, options))
  }

  /// Whether the folder is not there, or holds nothing but what a making or a copy that was cut off
  /// has left.
  static func isFree(_ path: String) throws -> Bool {
    switch try Files.kind(of: path) {
    case nil: true
    case .folder: try Files.entries(of: path).allSatisfy(leftovers.contains)
    case .file, .other: false
    }
  }

  /// What is made in a folder before its data file is there.
  private static let leftovers: Set<String> = [
    "folio.lock", "lock.mdb", "\(dataFile).new", "\(dataFile).partial", restoringFolder,
  ]

  /// Whether the folder has a data file with nothing in it, since its making was cut off.
  private static func isUnfinished(_ path: String) throws -> Bool {
    do {
      return try !isPrepared(path, ifMissing: .notEmpty(path))
    } catch is FolderError {
      return false
    }
  }

  private static func isCurrencyCode(_ text: String) -> Bool {
    text.utf8.count == 3
      && text.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
  }

  private static func prepared(
    _ path: String, base: String, random: some RandomSource, now: Timestamp
  ) throws -> ServerFolder {
    let storage = try opened(path, .init())
    _ = try translating(path) {
      try storage.write(PrepareFolder(base: base, random: random, now: now))
    }
    return ServerFolder(path: path, storage: storage)
  }

  private static func opened(_ path: String, _ options: LMDBServerStorage.Options) throws
    -> LMDBServerStorage
  {
    try translating(path) { try LMDBServerStorage(at: path, options) }
  }

  /// Checks what is in the folder without changing any of it; says whether a server's data is there,
  /// or the making of it was cut off.
  private static func isPrepared(_ path: String, ifMissing missing: FolderError) throws -> Bool {
    guard try Files.kind(of: path + "/" + dataFile) == .file else { throw missing }
    return try translating(path) {
      do {
        let environment = try openForReading(path, databases: [Space.meta.name])
        defer { environment.close() }
        return try environment.read { transaction in
          let meta = transaction.database(Space.meta.name)
          if let row = try transaction.bytes(meta, ServerFormat.key) {
            try ServerFormat.check(row)
            return true
          }
          guard try transaction.count(meta) == 0 else { throw FolderError.foreign(path) }
          return false
        }
      } catch StorageError.databaseMissing {
        let environment = try openForReading(path, databases: [])
        defer { environment.close() }
        guard try environment.statistics().transaction == 0 else {
          throw FolderError.foreign(path)
        }
        return false
      } catch let error as StorageError {
        throw ServerStorageError(error)
      }
    }
  }

  private static func openForReading(_ path: String, databases: [String]) throws -> Environment {
    var options = Environment.Options(databases: databases)
    options.readOnly = true
    return try Environment.open(at: path, options)
  }

  static func translating<R>(_ path: String, _ body: () throws -> R) throws -> R {
    do {
      return try body()
    } catch let error as ServerStorageError {
      switch error {
      case .missing: throw FolderError.missing(path)
      case .foreign: throw FolderError.foreign(path)
      case .newerFormat(let found, let supported):
        throw FolderError.newerFormat(path, found: found, supported: supported)
      case .busy(let reason): throw FolderError.busy(reason)
      default: throw error
      }
    }
  }
}
