import LMDB

/// What one transaction of the storage on disk sees of the journal, and adds to it.
final class JournalView {
  /// How the changes of a transaction are stored.
  private enum Way {
    /// As a record of the journal, at its end.
    case journal
    /// Each at once in its table.
    case tables
  }

  /// The tables of the spaces, in the order of their numbers.
  let databases: [Database]
  /// The records from before.
  private(set) var rows = JournalRows()
  private var way = Way.tables
  /// What this transaction has put, where it is to become a record.
  private var pending: [SortedRows] = []
  private var record: [UInt8] = []
  private var hasPending: Bool { !pending.isEmpty }

  init(_ databases: [Database]) { self.databases = databases }

  /// Begins a transaction in the state `rows`; every time that its closure is run.
  func begin(_ rows: JournalRows) {
    self.rows = rows
    way = .tables
    pending = []
    record = []
  }

  /// From now on what is put becomes a record.
  func beginRecord() { way = .journal }

  /// Gives the rows up, to be held by one alone while they change.
  func takeRows() -> JournalRows {
    defer { rows = JournalRows() }
    return rows
  }

  // MARK: Reading

  /// The row of a key that is not in its table yet.
  func row(_ space: Space, _ key: [UInt8]) -> [UInt8]? {
    if hasPending, let row = pending[space.rawValue][key] { return row }
    return rows.row(space, key)
  }

  /// The rows of a range that are not in their table yet.
  private func unmoved(_ space: Space, _ range: RowRange) -> SortedRows {
    let unmoved = rows.rows(space.rawValue, in: range)
    return hasPending ? unmoved.merged(with: pending[space.rawValue].rows(in: range)) : unmoved
  }

  /// Calls `body` with the rows of a range, those of the journal in the place of those of the table.
  func scan(
    _ space: Space, _ range: RowRange, _ order: RowOrder,
    _ transaction: borrowing ReadTransaction,
    _ body: (_ key: RawSpan, _ row: RawSpan) throws -> RowStep
  ) throws {
    let database = databases[space.rawValue]
    let unmoved = unmoved(space, range)
    var left = unmoved.keys.indices
    if left.isEmpty {
      return try transaction.scan(database, range.keys, order.scanOrder) { key, row in
        try body(key, row).scanStep
      }
    }
    /// Hands over the next row of the journal.
    func take() throws -> RowStep {
      let next = order == .ascending ? left.lowerBound : left.upperBound - 1
      left =
        order == .ascending
        ? next + 1..<left.upperBound : left.lowerBound..<next
      let (key, row) = (unmoved.keys[next], unmoved.rows[next])
      return try body(key.span.bytes, row.span.bytes)
    }
    /// How the next row of the journal stands to `key`, in the order of the scan.
    func compare(_ key: RawSpan) -> Int {
      order == .ascending
        ? SortedRows.compare(unmoved.keys[left.lowerBound], key)
        : -SortedRows.compare(unmoved.keys[left.upperBound - 1], key)
    }
    var step = RowStep.next
    try transaction.scan(database, range.keys, order.scanOrder) { key, row in
      while !left.isEmpty {
        let place = compare(key)
        if place > 0 { break }
        step = try take()
        if step == .stop { return .stop }
        if place == 0 { return .next }
      }
      step = try body(key, row)
      return step.scanStep
    }
    while step == .next, !left.isEmpty { step = try take() }
  }

  // MARK: Writing

  func put(
    _ space: Space, _ key: [UInt8], _ row: [UInt8], _ transaction: inout WriteTransaction
  ) throws {
    guard way == .journal else { return try transaction.put(databases[space.rawValue], key, row) }
    if pending.isEmpty {
      pending = [SortedRows](repeating: SortedRows(), count: Space.allCases.count)
    }
    _ = pending[space.rawValue].replace(key, with: row)
  }

  func delete(_ space: Space, _ key: [UInt8], _ transaction: inout WriteTransaction) throws {
    // A record only puts.
    try move(&transaction)
    try transaction.delete(databases[space.rawValue], key)
  }

  /// Stores what was put as a record, and moves some of those before it to their tables once the
  /// journal is half as long as `limit`; or moves everything where it would be longer than that.
  func store(limit: Int, _ transaction: inout WriteTransaction) throws {
    guard way == .journal, hasPending else { return }
    writeRecord()
    guard rows.byteCount + record.count <= limit else { return try move(&transaction) }
    let database = transaction.database(Journal.database)
    if rows.bounds == .unused {
      // A program that knows no journal is not to pass over what is in it.
      try transaction.put(databases[Space.meta.rawValue], ServerFormat.key, ServerFormat.row)
    }
    let last = rows.bounds.last + 1
    try transaction.append(database, Journal.key(last), record)
    try moveSome(limit: limit, &transaction)
    let bounds = Journal.Bounds(first: rows.bounds.first, last: last)
    try transaction.put(database, Journal.boundsKey, bounds.row)
  }

  /// Puts some of the rows that stand in the journal's older half into their tables: so many that all
  /// of them are there before its newer half is as long.
  private func moveSome(limit: Int, _ transaction: inout WriteTransaction) throws {
    if rows.move == nil {
      guard rows.byteCount >= limit / 2 else { return }
      rows.beginMove()
    }
    let share = 2 * Double(record.count) / Double(limit / 2)
    for part in rows.takeRowsToMove(share, in: transaction.reading.transaction) {
      try put(part.rows, databases[part.space], &transaction)
    }
    if let move = rows.move, move.isDone {
      let database = transaction.database(Journal.database)
      try transaction.deleteAll(database, in: Journal.keys(upTo: move.last))
      rows.endMove()
    }
  }

  private func writeRecord() {
    // A byte for the space, five at most for each length.
    let byteCount = pending.reduce(0) { count, rows in
      count + rows.keys.reduce(0) { $0 + $1.count } + rows.rows.reduce(0) { $0 + $1.count }
        + 11 * rows.keys.count
    }
    var writer = RowWriter(capacity: byteCount)
    for space in Space.allCases {
      let rows = pending[space.rawValue]
      for (key, row) in zip(rows.keys, rows.rows) {
        writer.integer(UInt8(space.rawValue))
        writer.varint(UInt64(key.count))
        writer.raw(key)
        writer.varint(UInt64(row.count))
        writer.raw(row)
      }
    }
    record = writer.bytes
  }

  /// Puts all rows into their tables, those that this transaction has put so far among them, and
  /// empties the journal.
  func move(_ transaction: inout WriteTransaction) throws {
    way = .tables
    if !rows.isEmpty {
      for space in databases.indices {
        try put(rows.rows(space, in: .all), databases[space], &transaction)
      }
      let database = transaction.database(Journal.database)
      try transaction.deleteAll(database, in: .prefix(Journal.prefix))
      rows.clear()
      try transaction.put(database, Journal.boundsKey, rows.bounds.row)
    }
    for space in pending.indices { try put(pending[space], databases[space], &transaction) }
    pending = []
  }

  private func put(
    _ rows: SortedRows, _ database: Database, _ transaction: inout WriteTransaction
  ) throws {
    for (key, row) in zip(rows.keys, rows.rows) { try transaction.put(database, key, row) }
  }

  /// The rows after the commit.
  func committed() -> JournalRows {
    var rows = takeRows()
    if way == .journal, hasPending { rows.add(pending, byteCount: record.count) }
    return rows
  }
}
