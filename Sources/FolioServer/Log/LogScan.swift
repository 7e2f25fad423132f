import FolioDomain

/// Entries of a log with the chain's hashes, for showing; those of a disabled account too.
package struct LogScan: ServerQuery {
  private let account: String
  private let range: ClosedRange<UInt64>
  private let limit: Int

  /// At most `limit` entries of the log of `account` with a seq of `range`.
  package init(account: String, range: ClosedRange<UInt64>, limit: Int = 1000) {
    self.account = account
    self.range = range
    self.limit = limit
  }

  package func answer<T: ServerReading & ~Copyable & ~Escapable>(_ transaction: borrowing T) throws
    -> [StoredEntry]
  {
    guard let account = try transaction.account(named: account) else {
      throw AccountError.unknown
    }
    var entries: [StoredEntry] = []
    let rows = EntryRow.range(account.number, after: max(1, range.lowerBound) - 1)
    try transaction.scan(.entries, rows, .ascending) { _, row in
      let stored = try EntryRow.stored(row)
      guard stored.entry.seq <= range.upperBound else { return .stop }
      entries.append(stored)
      return entries.count < limit ? .next : .stop
    }
    return entries
  }
}
