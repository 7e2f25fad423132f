import CBaseline

/// All records of a store's data file, in the order of databases and keys.
struct Dump: Equatable {
  private(set) var names: [String] = []
  private var bytes: [UInt8] = []
  private var records: [Entry] = []

  private struct Entry: Equatable {
    var database: Int
    var key: Range<Int>
    var value: Range<Int>
  }

  /// Reads the file of a folder, in which nobody may be writing.
  init(_ folder: String) throws {
    let code = withUnsafeMutablePointer(to: &self) { dump in
      baseline_dump(
        folder, dump,
        { context, name in
          guard let dump = context?.assumingMemoryBound(to: Dump.self), let name else { return }
          dump.pointee.names.append(String(cString: name))
        },
        { context, database, key, keyCount, value, valueCount in
          context?.assumingMemoryBound(to: Dump.self).pointee.add(
            Int(database), UnsafeRawBufferPointer(start: key, count: keyCount),
            UnsafeRawBufferPointer(start: value, count: valueCount))
        })
    }
    try Baseline.check(code)
  }

  private mutating func add(
    _ database: Int, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
  ) {
    let start = bytes.count
    bytes.append(contentsOf: key)
    bytes.append(contentsOf: value)
    let middle = start + key.count
    records.append(Entry(database: database, key: start..<middle, value: middle..<bytes.count))
  }

  /// How many records there are.
  var count: Int { records.count }

  /// Calls `change` with each record that is another one, or not there, in `after`, and with each
  /// that is new there.
  func changes(
    to after: Dump,
    _ change: (_ database: Int, _ key: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>?) -> Void
  ) {
    var old = records[...]
    for record in after.records {
      let key = after.bytes[record.key]
      while let first = old.first, isBefore(first, record.database, key) {
        change(first.database, bytes[first.key], nil)
        old.removeFirst()
      }
      if let first = old.first, first.database == record.database, bytes[first.key] == key {
        old.removeFirst()
        if bytes[first.value] == after.bytes[record.value] { continue }
      }
      change(record.database, key, after.bytes[record.value])
    }
    for record in old { change(record.database, bytes[record.key], nil) }
  }

  private func isBefore(_ record: Entry, _ database: Int, _ key: ArraySlice<UInt8>) -> Bool {
    if record.database != database { return record.database < database }
    return bytes[record.key].lexicographicallyPrecedes(key)
  }
}
