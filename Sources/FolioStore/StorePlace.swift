internal import LMDB

/// Where a store is: in a folder, or on a disk in memory.
///
/// All that a store is and does stands above this.
enum StorePlace {
  case folder(String)
  case memory(MemoryDisk)

  /// What it is called in errors.
  var path: String {
    switch self {
    case .folder(let path): path
    case .memory(let disk): disk.name
    }
  }

  /// The file that other processes write to; nil where there is none.
  var dataFile: String? {
    switch self {
    case .folder(let path): path + "/data.mdb"
    case .memory: nil
    }
  }

  func open(_ options: Environment.Options) throws(StorageError) -> Environment {
    switch self {
    case .folder(let path): try Environment.open(at: path, options)
    case .memory(let disk): try Environment.inMemory(on: disk, options)
    }
  }

  /// Whether a store can be made here: there is nothing, or the making of one was interrupted before
  /// anything was in it.
  func isFree() throws -> Bool {
    switch self {
    case .folder(let path):
      guard let names = try Folder.names(in: path) else { return true }
      if names.isEmpty { return true }
      guard names.allSatisfy(Folder.isOfStorage) else { return false }
      return try Self.isUnfinished(path)
    case .memory(let disk): return Self.isUnfinished(disk.tables)
    }
  }

  /// Whether a data file has none but empty spaces of a store, or is not there.
  private static func isUnfinished(_ path: String) throws -> Bool {
    do {
      return isUnfinished(try Environment.verify(file: path + "/data.mdb").tables)
    } catch StorageError.missing {
      return true
    } catch is StorageError {
      return false
    }
  }

  private static func isUnfinished(_ tables: [Verification.Table]) -> Bool {
    tables.allSatisfy { $0.recordCount == 0 && Spaces.names.contains($0.name) }
  }
}
