import LMDB

/// The rows of some records of the journal, the newest where a key has several.
struct JournalRows: Sendable {
  private(set) var bounds = Journal.Bounds.unused
  /// The records that are being moved, all before those of ``newer``.
  private(set) var move: JournalMove?
  private var newer = [GroupedRows](repeating: GroupedRows(), count: Space.allCases.count)
  /// How long the records are together.
  private(set) var byteCount = 0

  var isEmpty: Bool { bounds.isEmpty }

  // MARK: Reading

  /// The row of a key.
  func row(_ space: Space, _ key: [UInt8]) -> [UInt8]? {
    newer[space.rawValue][key] ?? move?.grouped[space.rawValue][key]
  }

  /// The rows of a range.
  func rows(_ space: Int, in range: RowRange) -> SortedRows {
    let newer = newer[space].rows(in: range)
    guard let move else { return newer }
    return move.grouped[space].rows(in: range).merged(with: newer)
  }

  // MARK: Following the file

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
      newer[space.rawValue].put(key, try reader.raw(Int(clamping: try reader.varint())))
    }
    bounds.last += 1
    byteCount += record.count
  }

  /// Adds the rows of the next record, which is `byteCount` long.
  mutating func add(_ rows: [SortedRows], byteCount: Int) {
    for space in rows.indices {
      for (key, row) in zip(rows[space].keys, rows[space].rows) {
        newer[space].put(key, row)
      }
    }
    bounds.last += 1
    self.byteCount += byteCount
  }

  // MARK: Moving

  /// All records were moved to their tables.
  mutating func clear() {
    let last = bounds.last
    self = JournalRows()
    bounds = Journal.Bounds(first: last + 1, last: last)
  }

  /// From now on the records that are there are being moved.
  mutating func beginMove() {
    move = JournalMove(newer, last: bounds.last, byteCount: byteCount)
    newer = [GroupedRows](repeating: GroupedRows(), count: Space.allCases.count)
  }

  /// Takes the next rows to be moved in transaction `number`, in the order of their tables and keys.
  mutating func takeRowsToMove(_ share: Double, in number: UInt64) -> [(
    space: Int, rows: SortedRows
  )] {
    move?.take(share, in: number) ?? []
  }

  /// The records that were being moved are in their tables, and gone from the journal.
  mutating func endMove() {
    guard let move else { return }
    bounds.first = move.last + 1
    byteCount -= move.byteCount
    self.move = nil
  }
}
