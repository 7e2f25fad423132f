#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A sorted map of byte keys in two arrays.
struct SortedRows: Sendable {
  private(set) var keys: [[UInt8]] = []
  private(set) var rows: [[UInt8]] = []

  init() {}

  /// Rows of keys that all differ, in any order.
  ///
  /// O(n log n).
  init(_ rows: [(key: [UInt8], row: [UInt8])]) {
    let sorted = rows.sorted { Self.precedes($0.key, $1.key) }
    keys = sorted.map(\.key)
    self.rows = sorted.map(\.row)
  }

  /// The index of `key`, or of the first key after it.
  ///
  /// O(log n).
  func position(of key: [UInt8]) -> (index: Int, found: Bool) {
    // Logs grow at their end: most new keys come after all others.
    if let last = keys.last, Self.precedes(last, key) { return (keys.count, false) }
    var low = 0
    var high = keys.count
    while low < high {
      let middle = (low + high) / 2
      if Self.precedes(keys[middle], key) { low = middle + 1 } else { high = middle }
    }
    return (low, low < keys.count && Self.compare(keys[low], key.span.bytes) == 0)
  }

  subscript(key: [UInt8]) -> [UInt8]? {
    let (index, found) = position(of: key)
    return found ? rows[index] : nil
  }

  /// Stores a row, or removes it where `row` is nil; gives what was there.
  ///
  /// O(n) where the key is new and not the last.
  mutating func replace(_ key: [UInt8], with row: [UInt8]?) -> [UInt8]? {
    let (index, found) = position(of: key)
    let old = found ? rows[index] : nil
    switch (found, row) {
    case (true, let row?): rows[index] = row
    case (true, nil):
      keys.remove(at: index)
      rows.remove(at: index)
    case (false, let row?):
      keys.insert(key, at: index)
      rows.insert(row, at: index)
    case (false, nil): break
    }
    return old
  }

  /// The rows of a range.
  func rows(in range: RowRange) -> SortedRows {
    rows(at: indices(in: range))
  }

  /// The rows at these indices.
  func rows(at indices: Range<Int>) -> SortedRows {
    if indices.count == keys.count { return self }
    var rows = SortedRows()
    rows.keys = Array(keys[indices])
    rows.rows = Array(self.rows[indices])
    return rows
  }

  /// These rows and `newer` ones, which stand in the place of those of the same keys.
  ///
  /// O(n).
  func merged(with newer: SortedRows) -> SortedRows {
    if newer.keys.isEmpty { return self }
    if keys.isEmpty { return newer }
    var merged = SortedRows()
    merged.keys.reserveCapacity(keys.count + newer.keys.count)
    merged.rows.reserveCapacity(keys.count + newer.keys.count)
    var index = 0
    for (key, row) in zip(newer.keys, newer.rows) {
      while index < keys.count, Self.precedes(keys[index], key) {
        merged.keys.append(keys[index])
        merged.rows.append(rows[index])
        index += 1
      }
      if index < keys.count, keys[index] == key { index += 1 }
      merged.keys.append(key)
      merged.rows.append(row)
    }
    merged.keys += keys[index...]
    merged.rows += rows[index...]
    return merged
  }

  /// Adds rows that all come after those that are there.
  mutating func append(_ other: SortedRows) {
    keys += other.keys
    rows += other.rows
  }

  /// The indices of the keys in `range`.
  func indices(in range: RowRange) -> Range<Int> {
    let start = position(of: range.from).index
    guard let end = range.upTo else { return start..<keys.count }
    return start..<max(start, position(of: end).index)
  }

  private static func precedes(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    compare(a, b.span.bytes) < 0
  }

  /// Below 0 where `a` comes before `b`, above where it comes after, 0 where they are equal.
  static func compare(_ a: [UInt8], _ b: RawSpan) -> Int {
    a.withUnsafeBytes { a in
      b.withUnsafeBytes { b in
        guard let first = a.baseAddress, let second = b.baseAddress else {
          return a.count - b.count
        }
        let order = memcmp(first, second, min(a.count, b.count))
        return order == 0 ? a.count - b.count : Int(order)
      }
    }
  }
}
