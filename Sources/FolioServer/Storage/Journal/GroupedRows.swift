/// A map of byte keys, in groups of those that have their first four bytes in common.
///
/// Most keys of a server begin with the number of an account: a group is then what an account has in
/// a table. A row is stored and looked for by the hash of its key; the rows of a range are brought into
/// order when they are asked for.
struct GroupedRows: Sendable {
  /// A key, hashed as one piece.
  private struct Key: Hashable {
    let bytes: [UInt8]

    static func == (a: Key, b: Key) -> Bool {
      SortedRows.compare(a.bytes, b.bytes.span.bytes) == 0
    }

    func hash(into hasher: inout Hasher) {
      bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
  }

  private var groups: [UInt32: [Key: [UInt8]]] = [:]

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
  /// O(1).
  subscript(key: [UInt8]) -> [UInt8]? { groups[Self.group(of: key)]?[Key(bytes: key)] }

  /// Stores a row, in place of what was there.
  ///
  /// O(1).
  mutating func put(_ key: [UInt8], _ row: [UInt8]) {
    groups[Self.group(of: key), default: [:]][Key(bytes: key)] = row
  }

  /// The rows of a range.
  ///
  /// O(n log n) in the rows of the groups that the range touches.
  func rows(in range: RowRange) -> SortedRows {
    let first = Self.group(of: range.from)
    let last = range.upTo.map(Self.group) ?? .max
    if first == last { return self.rows(of: first).rows(in: range) }
    var rows = SortedRows()
    for group in groupsInOrder where (first...max(first, last)).contains(group) {
      rows.append(self.rows(of: group).rows(in: range))
    }
    return rows
  }

  /// How many rows there are.
  ///
  /// O(groups).
  var count: Int { groups.values.reduce(0) { $0 + $1.count } }

  /// The groups, in the order of their keys.
  ///
  /// O(n log n) in the groups.
  var groupsInOrder: [UInt32] { groups.keys.sorted() }

  /// The rows of a group.
  ///
  /// O(n log n) in the rows of the group.
  func rows(of group: UInt32) -> SortedRows {
    SortedRows(groups[group, default: [:]].map { (key: $0.key.bytes, row: $0.value) })
  }
}
