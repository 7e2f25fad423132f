import LMDB

/// The journal: rows that are committed together as one record, to be put into their tables later.
///
/// A commit writes every page that it changes. Pushes of many accounts change a page or two of three
/// tables each, so that 64 of them together wrote two hundred pages; as one record of the journal
/// they write a dozen. The rows are looked for in memory until they are moved to their tables, all of
/// the journal at once, in one transaction and in the order of their keys.
///
/// The journal is a table of the same environment: what holds of a commit holds of it.
enum Journal {
  /// The database that holds it.
  static let database = "server.log/journal"
  /// Where it is said which records are there; the first key of the table.
  static let boundsKey: [UInt8] = [0]
  /// What is said where a record is damaged, which nothing is read or written beside.
  static let damage = "the journal has a damaged record, and pushes that were acknowledged in it"
  /// What the keys of records begin with.
  static let prefix: [UInt8] = [1]

  /// The key of a record.
  static func key(_ number: UInt64) -> KeyBuilder {
    var key = KeyBuilder(reserving: 9)
    key.append(prefix[0])
    key.append(number)
    return key
  }

  /// The numbers of the records: never used twice, so that they say what is in the journal.
  struct Bounds: Equatable, Sendable {
    /// The first; after the last where there is none.
    var first: UInt64
    /// The last that ever was.
    var last: UInt64

    /// Of a journal that was never used.
    static let unused = Bounds(first: 1, last: 0)

    var isEmpty: Bool { first > last }

    init(first: UInt64, last: UInt64) {
      self.first = first
      self.last = last
    }

    init(_ row: [UInt8]) throws {
      var reader = RowReader(row.span.bytes, of: .meta)
      first = try reader.integer()
      last = try reader.integer()
      try reader.end()
      guard first >= 1, last >= first - 1 else {
        throw ServerStorageError.damaged(space: .meta, what: "the journal's bounds are wrong")
      }
    }

    var row: [UInt8] {
      var writer = RowWriter(capacity: 16)
      writer.integer(first)
      writer.integer(last)
      return writer.bytes
    }
  }
}

/// The rows of some records of the journal, the newest where a key has several.
struct JournalRows: Sendable {
  private(set) var bounds = Journal.Bounds.unused
  private(set) var spaces = [GroupedRows](repeating: GroupedRows(), count: Space.allCases.count)
  /// How long the records are together.
  private(set) var byteCount = 0

  var isEmpty: Bool { bounds.isEmpty }

  /// Brings the rows to the state that `transaction` sees; says whether they were of another.
  ///
  /// O(1) where they were not; else in the length of the records that are new.
  mutating func update(_ transaction: borrowing ReadTransaction) throws -> Bool {
    let database = transaction.database(Journal.database)
    let row = try transaction.bytes(database, Journal.boundsKey)
    let found = try row.map { try Journal.Bounds($0) } ?? .unused
    if found == bounds { return false }
    if found.first != bounds.first || found.last < bounds.last {
      self = JournalRows()
      bounds = Journal.Bounds(first: found.first, last: found.first - 1)
    }
    while bounds.last < found.last {
      guard let record = try transaction.bytes(database, Journal.key(bounds.last + 1)) else {
        throw ServerStorageError.damaged(space: .meta, what: "a record of the journal is missing")
      }
      try add(record)
    }
    return true
  }

  /// Adds the next record.
  private mutating func add(_ record: [UInt8]) throws {
    var reader = RowReader(record.span.bytes, of: .meta)
    while reader.remaining > 0 {
      guard let space = Space(rawValue: Int(try reader.integer(UInt8.self))) else {
        throw ServerStorageError.damaged(space: .meta, what: "the journal names an unknown table")
      }
      let key = try reader.raw(Int(clamping: try reader.varint()))
      spaces[space.rawValue].put(key, try reader.raw(Int(clamping: try reader.varint())))
    }
    bounds.last += 1
    byteCount += record.count
  }

  /// Adds the rows of the next record, which is `byteCount` long.
  mutating func add(_ rows: [SortedRows], byteCount: Int) {
    for space in rows.indices {
      for (key, row) in zip(rows[space].keys, rows[space].rows) {
        spaces[space].put(key, row)
      }
    }
    bounds.last += 1
    self.byteCount += byteCount
  }

  /// All records were moved to their tables.
  mutating func clear() {
    let last = bounds.last
    self = JournalRows()
    bounds = Journal.Bounds(first: last + 1, last: last)
  }
}
