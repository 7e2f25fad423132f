import FolioDomain

/// The parts of a log, by year.
package struct LogYears: ServerQuery {
  private let account: String

  /// The parts of the log of `account`; they are given for a disabled account too.
  package init(account: String) { self.account = account }

  /// A year and its part of the log.
  package struct Element: Hashable, Sendable {
    /// The year, of acceptedAt in UTC.
    package var year: Int
    /// The part.
    package var row: YearRow
  }

  package func answer<T: ServerReading & ~Copyable & ~Escapable>(_ transaction: borrowing T) throws
    -> [Element]
  {
    guard let account = try transaction.account(named: account) else {
      throw AccountError.unknown
    }
    var years: [Element] = []
    try transaction.scan(.years, EntryRow.all(of: account.number), .ascending) { key, row in
      years.append(Element(year: try YearRow.year(ofKey: key), row: try YearRow(row)))
      return .next
    }
    return years
  }
}
