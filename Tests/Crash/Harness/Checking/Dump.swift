import FolioCrypto
import FolioDomain
import FolioSystem
import LMDB
import Synchronization
import TestSupport

/// Everything that a data file holds, as one number: two files with the same hold the same.
struct Dump: Hashable {
  /// The number of the last transaction that committed.
  var transaction: Int
  /// A hash of all tables with their keys and values; rows that wait in a server's journal are
  /// counted to their tables, as when they get there is not a matter of what is held.
  var contents: Hash256
  /// The same without the numbers of transactions that a store keeps: what a step that was cut off
  /// and done again comes to, in more transactions.
  var meaning: Hash256

  /// The tables of the storage that this process looks at, which are all made at once.
  private static let known = Mutex<[String]>([])

  /// Reads the data file of a folder that nobody has open.
  init(folder: String) throws {
    var tables = Self.known.withLock { $0 }
    var opened = try Self.openKnown(folder, tables)
    if opened == nil {
      tables = try Environment.verify(file: folder + "/data.mdb").tables.map(\.name)
      opened = try Self.open(folder, tables)
      Self.known.withLock { [tables] in if !tables.isEmpty { $0 = tables } }
    }
    guard let environment = opened else { throw StorageError.databaseMissing(name: "") }
    defer { environment.close() }
    transaction = try environment.statistics().transaction
    (contents, meaning) = try environment.read { state in
      var hash = SHA256()
      var meaning = SHA256()
      var journal = try JournalDump(state, tables)
      for table in tables where table != JournalDump.table {
        let rows = try journal.takeRows(of: table, state)
        if rows.isEmpty { continue }
        hash.update(Array(table.utf8))
        meaning.update(Array(table.utf8))
        for (name, record) in rows {
          hash.update(name)
          hash.update(record)
          if !Self.isNumber(name, in: table) {
            meaning.update(name)
            meaning.update(record)
          }
        }
      }
      return (hash.finalize(), meaning.finalize())
    }
  }

  /// Whether a record says in which transactions something changed last.
  private static func isNumber(_ key: [UInt8], in table: String) -> Bool {
    table == "gate.sync/cursor" && key.starts(with: Array("changes".utf8))
  }

  /// Opens a folder whose tables are believed to be those; nil where they are others.
  private static func openKnown(_ folder: String, _ tables: [String]) throws -> Environment? {
    if tables.isEmpty { return nil }
    do {
      return try open(folder, tables)
    } catch StorageError.databaseMissing {
      return nil
    }
  }

  private static func open(_ folder: String, _ tables: [String]) throws(StorageError) -> Environment
  {
    var options = Environment.Options(databases: tables)
    options.readOnly = true
    options.mapByteCount = 1 << 28
    return try Environment.open(at: folder, options)
  }

  /// Reads the bytes of a data file.
  init(data: [UInt8], scratch: TemporaryFolder) throws {
    let folder = scratch.path + "/dump"
    try Files.removeTree(folder)
    try scratch.makeFolder("dump")
    try scratch.write(data, to: "dump/data.mdb")
    try self.init(folder: folder)
  }
}

extension SHA256 {
  /// Adds bytes after their number.
  fileprivate mutating func update(_ bytes: [UInt8]) {
    withUnsafeBytes(of: bytes.count) { update($0) }
    bytes.withUnsafeBytes { update($0) }
  }
}
