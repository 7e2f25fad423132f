import FolioCrypto
import FolioDomain
import FolioSystem
import LMDB
import TestSupport

/// Everything that a data file holds, as one number: two files with the same hold the same.
struct Dump: Hashable {
  /// The number of the last transaction that committed.
  var transaction: Int
  /// A hash of all tables with their keys and values.
  var contents: Hash256

  /// Reads the data file of a folder that nobody has open.
  init(folder: String) throws {
    let tables = try Environment.verify(file: folder + "/data.mdb").tables
    var options = Environment.Options(databases: tables.map(\.name))
    options.readOnly = true
    options.mapByteCount = 1 << 28
    let environment = try Environment.open(at: folder, options)
    defer { environment.close() }
    transaction = try environment.statistics().transaction
    contents = try environment.read { state in
      var hash = SHA256()
      for table in tables where table.recordCount > 0 {
        hash.update(Array(table.name.utf8))
        try state.scan(state.database(table.name), .all) { key, value in
          hash.update(key.copied)
          hash.update(value.copied)
          return .next
        }
      }
      return hash.finalize()
    }
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
