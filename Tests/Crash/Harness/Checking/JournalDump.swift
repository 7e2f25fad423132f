import FolioServer
import LMDB

/// The rows that wait in a server's journal, read without the server's own code.
struct JournalDump {
  /// The table that they stand in until they are in their own.
  static let table = "server.log/journal"

  /// By the name of their table: the newest of each key.
  private var rows: [String: [[UInt8]: [UInt8]]] = [:]

  /// The journal of a state; with nothing in it where there is none.
  init(_ state: borrowing ReadTransaction, _ tables: [String]) throws {
    guard tables.contains(Self.table) else { return }
    var records: [[UInt8]] = []
    try state.scan(state.database(Self.table), .all) { key, value in
      // The row of the first and the last number stands under a key of its own.
      if key.byteCount > 1 { records.append(value.copied) }
      return .next
    }
    for record in records { try add(record[...]) }
  }

  private mutating func add(_ record: ArraySlice<UInt8>) throws {
    var rest = record
    while let number = rest.popFirst() {
      guard let space = Space(rawValue: Int(number)) else {
        throw Finding("the journal names table \(number)")
      }
      let key = Self.takeBytes(&rest)
      rows[space.name, default: [:]][key] = Self.takeBytes(&rest)
    }
  }

  /// Takes bytes with their number before them, in groups of seven bits.
  private static func takeBytes(_ rest: inout ArraySlice<UInt8>) -> [UInt8] {
    var (count, shift) = (0, 0)
    while let byte = rest.popFirst() {
      count |= Int(byte & 0x7F) << shift
      shift += 7
      if byte < 0x80 { break }
    }
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  /// The rows of a table and those that wait for it, in the order of their keys.
  mutating func takeRows(
    of table: String, _ state: borrowing ReadTransaction
  ) throws -> [(key: [UInt8], row: [UInt8])] {
    var found = rows.removeValue(forKey: table) ?? [:]
    try state.scan(state.database(table), .all) { key, value in
      let key = key.copied
      if found[key] == nil { found[key] = value.copied }
      return .next
    }
    return found.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { ($0.key, $0.value) }
  }
}
