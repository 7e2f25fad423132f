import CLMDB

/// A table in memory: its records in the order of their keys.
///
/// A copy shares the records until one of the two changes, which costs a reference for each record.
struct MemoryTable: Sendable {
  private(set) var records: ContiguousArray<MemoryRecord> = []
  /// What all records are counted with against the quota.
  private(set) var chargedByteCount = 0

  /// The index of the first record whose key is not below `key`.
  ///
  /// - Complexity: O(log *n*); O(1) behind the last.
  func lowerBound(_ key: UnsafeRawBufferPointer) -> Int {
    // Logs grow at their end: most new keys come after all others.
    if let last = records.last, unsafe last.key.isBelow(key) { return records.count }
    var low = 0
    var high = records.count
    while low < high {
      let middle = (low + high) / 2
      if unsafe records[middle].key.isBelow(key) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The index of the record of a key.
  func index(of key: UnsafeRawBufferPointer) -> Int? {
    let index = unsafe lowerBound(key)
    guard index < records.count, unsafe !key.isBelow(records[index].key) else { return nil }
    return index
  }

  /// The indices of the records of a range.
  func indices(in range: KeyRange) -> Range<Int> {
    let start = bound(range.lower)
    let end =
      switch range.end {
      case .none: records.count
      case .before(let bytes): bound(bytes)
      case .prefix(let bytes): KeyRange.behind(prefix: bytes).map(bound) ?? records.count
      }
    return start..<max(start, end)
  }

  private func bound(_ key: [UInt8]) -> Int {
    unsafe key.withUnsafeBytes { unsafe lowerBound($0) }
  }

  /// How many records do not fit their checksums.
  var damagedRecordCount: Int {
    records.count { record in
      unsafe !Record.isWhole(key: record.key, record: MDB_val(record.stored))
    }
  }

  /// Puts a record, in place of the one that has its key.
  ///
  /// - Complexity: O(log *n*) in place of another or behind the last, else O(*n*).
  mutating func put(_ record: MemoryRecord) {
    let index = unsafe lowerBound(record.key)
    chargedByteCount += record.chargedByteCount
    if index < records.count, unsafe !record.key.isBelow(records[index].key) {
      chargedByteCount -= records[index].chargedByteCount
      records[index] = record
    } else {
      records.insert(record, at: index)
    }
  }

  /// Removes records.
  ///
  /// - Complexity: O(*n*).
  mutating func remove(_ indices: Range<Int>) {
    chargedByteCount -= records[indices].reduce(0) { $0 + $1.chargedByteCount }
    records.removeSubrange(indices)
  }
}
