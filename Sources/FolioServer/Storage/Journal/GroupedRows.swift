import LMDB

/// A map of byte keys, in groups of those that have their first four bytes in common.
///
/// Most keys of a server begin with the number of an account: a group is then what an account has in
/// a table. A row is stored and looked for by the hash of its key; the rows of a range are brought into
/// order when they are asked for.
///
/// It is not a dictionary of dictionaries: those take twice the instructions for each row, and every row
/// that is pushed is put here once and looked for in vain before.
struct GroupedRows: Sendable {
  private struct Entry {
    let key: [UInt8]
    let hash: UInt64
    var row: [UInt8]
    /// The entry of the same group that was put before; -1 for none.
    let previous: Int32
  }

  /// Keys have ids in them that devices choose.
  private static let seed = UInt64.random(in: 0 ... .max)
  private static let placeCountMin = 16

  private var entries: [Entry] = []
  /// Which entry is at a place, or at one of those behind it that are taken; -1 for none.
  ///
  /// They are a power of two, and at most half of them are taken.
  private var places: [Int32] = []
  /// The entry of each group that was put last.
  private var newest: [UInt32: Int32] = [:]

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
  subscript(key: [UInt8]) -> [UInt8]? {
    if entries.isEmpty { return nil }
    let entry = places[place(of: key, hash(of: key))]
    return entry < 0 ? nil : entries[Int(entry)].row
  }

  /// Stores a row, in place of what was there.
  ///
  /// O(1).
  mutating func put(_ key: [UInt8], _ row: [UInt8]) {
    if 2 * entries.count >= places.count { grow() }
    let hash = hash(of: key)
    let place = place(of: key, hash)
    if places[place] >= 0 {
      entries[Int(places[place])].row = row
      return
    }
    let entry = Int32(entries.count)
    places[place] = entry
    let previous = newest.updateValue(entry, forKey: Self.group(of: key)) ?? -1
    entries.append(Entry(key: key, hash: hash, row: row, previous: previous))
  }

  private func hash(of key: [UInt8]) -> UInt64 {
    let bytes = key.span
    return bytes.bytes.quickHash(seed: Self.seed)
  }

  /// The place at which the entry of a key is, or the free one at which it would be.
  private func place(of key: [UInt8], _ hash: UInt64) -> Int {
    var place = Int(truncatingIfNeeded: hash) & (places.count - 1)
    while true {
      let entry = Int(places[place])
      if entry < 0 || (entries[entry].hash == hash && entries[entry].key == key) { return place }
      place = (place + 1) & (places.count - 1)
    }
  }

  private mutating func grow() {
    places = Array(repeating: -1, count: max(Self.placeCountMin, 2 * places.count))
    for (number, entry) in entries.enumerated() {
      places[place(of: entry.key, entry.hash)] = Int32(number)
    }
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
  /// O(1).
  var count: Int { entries.count }

  /// The groups, in the order of their keys.
  ///
  /// O(n log n) in the groups.
  var groupsInOrder: [UInt32] { newest.keys.sorted() }

  /// The rows of a group.
  ///
  /// O(n log n) in the rows of the group.
  func rows(of group: UInt32) -> SortedRows {
    var rows: [(key: [UInt8], row: [UInt8])] = []
    var entry = newest[group] ?? -1
    while entry >= 0 {
      let one = entries[Int(entry)]
      rows.append((key: one.key, row: one.row))
      entry = one.previous
    }
    return SortedRows(rows)
  }
}
