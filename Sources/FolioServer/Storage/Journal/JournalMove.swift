/// Records of the journal that are being moved to their tables, some rows with each commit.
///
/// Until all are, every row is in the journal too and is read there, so that a row may be put into its
/// table twice. But an old one must not take the place of a newer one that another process has moved
/// meanwhile: where anybody else has committed, it begins again.
struct JournalMove: Sendable {
  /// Their rows, to be looked for.
  let grouped: [GroupedRows]
  /// The number of the last of the records.
  let last: UInt64
  /// How long they are together.
  let byteCount: Int
  /// The groups of each table, in the order of their keys.
  private let groups: [[UInt32]]
  private let rowCount: Int
  /// What is to be moved next: a row of a group of a table.
  private var space = 0
  private var group = 0
  private var index = 0
  /// The rows of that group, once some of them were taken.
  private var current: SortedRows?
  /// The transaction that moved the rows before.
  private var transaction: UInt64 = 0

  init(_ grouped: [GroupedRows], last: UInt64, byteCount: Int) {
    self.grouped = grouped
    self.last = last
    self.byteCount = byteCount
    groups = grouped.map(\.groupsInOrder)
    rowCount = grouped.reduce(0) { $0 + $1.count }
  }

  /// Whether all rows were taken.
  var isDone: Bool { space == groups.count }

  /// Takes that share of the rows, and at least one, to be moved in transaction `number`.
  mutating func take(_ share: Double, in number: UInt64) -> [(space: Int, rows: SortedRows)] {
    if number != transaction + 1 {
      (space, group, index) = (0, 0, 0)
      current = nil
    }
    transaction = number
    var left = max(Int((Double(rowCount) * share).rounded(.up)), 1)
    var taken: [(space: Int, rows: SortedRows)] = []
    while left > 0, !isDone {
      if group == groups[space].count {
        (space, group) = (space + 1, 0)
        continue
      }
      let rows = current ?? grouped[space].rows(of: groups[space][group])
      let end = min(index + left, rows.keys.count)
      taken.append((space, rows.rows(at: index..<end)))
      left -= end - index
      (index, current) = (end, rows)
      if end == rows.keys.count { (group, index, current) = (group + 1, 0, nil) }
    }
    return taken
  }
}
