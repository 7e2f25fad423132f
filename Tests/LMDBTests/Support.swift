import LMDB
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// An environment in a folder of its own, with the tables that most tests want.
struct Fixture {
  let folder: TemporaryFolder
  let environment: Environment
  let table: Database
  let other: Database

  var path: String { folder.path + "/store" }
  var dataFile: String { path + "/data.mdb" }

  /// A path beside the store.
  func beside(_ name: String) -> String { folder.path + "/" + name }

  /// The bytes of the data file.
  func data() throws -> [UInt8] { try folder.bytes(of: "store/data.mdb") }

  /// Puts bytes in the place of the data file's.
  func overwriteData(_ bytes: [UInt8]) throws { try folder.write(bytes, to: "store/data.mdb") }

  /// Puts one byte in the place of the data file's.
  func overwriteData(at offset: Int, _ byte: UInt8) {
    let file = open(dataFile, O_WRONLY)
    defer { close(file) }
    #expect(pwrite(file, [byte], 1, off_t(offset)) == 1)
  }

  static let names = ["table", "other"]

  init(_ change: (inout Environment.Options) -> Void = { _ in }) throws {
    folder = try TemporaryFolder("lmdb")
    var options = Self.options
    change(&options)
    environment = try Environment.open(at: folder.path + "/store", options)
    table = environment.database("table")
    other = environment.database("other")
  }

  /// A small map, and no waiting for locks.
  static var options: Environment.Options {
    var options = Environment.Options(databases: names)
    options.mapByteCount = 64 << 20
    options.lockWait = .milliseconds(50)
    return options
  }

  /// All records of the table, in order.
  func records() throws -> [Entry] {
    try environment.read { try $0.entries(table, .all) }
  }
}

/// A record that was copied out.
struct Entry: Hashable {
  var key: [UInt8]
  var value: [UInt8]
}

extension ReadTransaction {
  func entries(
    _ database: Database, _ range: KeyRange, _ order: ScanOrder = .ascending, limit: Int? = nil
  ) throws -> [Entry] {
    var found: [Entry] = []
    try scan(database, range, order, limit: limit) { key, value in
      found.append(Entry(key: key.copied, value: value.copied))
      return .next
    }
    return found
  }
}

/// The permission bits of a file.
func mode(_ path: String) -> mode_t {
  var status = stat()
  return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
}

func byteCount(_ path: String) -> Int {
  var status = stat()
  return stat(path, &status) == 0 ? Int(status.st_size) : -1
}

func isThere(_ path: String) -> Bool { access(path, F_OK) == 0 }

/// Waits until a file is there; false after ten seconds.
func waitFor(_ path: String) -> Bool {
  for _ in 0..<2000 {
    if isThere(path) { return true }
    usleep(5000)
  }
  return false
}

func touch(_ path: String) {
  close(open(path, O_CREAT | O_WRONLY, 0o600))
}
