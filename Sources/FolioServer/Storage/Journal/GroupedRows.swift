/// A sorted map of byte keys, in groups of those that have their first four bytes in common.
///
/// Most keys of a server begin with the number of an account: a group is then what an account has in
/// a table, and a new row moves that account's alone.
struct GroupedRows: Sendable {
  private var groups: [UInt32: SortedRows] = [:]

  var isEmpty: Bool { groups.isEmpty }

  /// The first four bytes, with zeros where there are fewer.
  private static func group(of key: [UInt8]) -> UInt32 {
    var group: UInt32 = 0
    for place in 0..<4 {
      group = group << 8 | (place < key.count ? UInt32(key[place]) : 0)
    }
    return group
  }

  /// The row of a key.
  ///
  /// O(log n) of the group.
  subscript(key: [UInt8]) -> [UInt8]? { groups[Self.group(of: key)]?[key] }

  /// Stores a row, in place of what was there.
  ///
  /// O(n) of the group where the key is new and not its last.
  mutating func put(_ key: [UInt8], _ row: [UInt8]) {
    _ = groups[Self.group(of: key), default: SortedRows()].replace(key, with: row)
  }

  /// The rows of a range.
  func rows(in range: RowRange) -> SortedRows {
    let first = Self.group(of: range.from)
    let last = range.upTo.map(Self.group) ?? .max
    if first == last { return groups[first]?.rows(in: range) ?? SortedRows() }
    var rows = SortedRows()
    for group in groups.keys.filter({ (first...max(first, last)).contains($0) }).sorted() {
      if let part = groups[group]?.rows(in: range) { rows.append(part) }
    }
    return rows
  }
}
