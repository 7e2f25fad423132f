import CLMDB

/// A state of a disk in memory as one transaction sees it, and changes it.
final class MemoryTransaction {
  /// The number of the transaction whose state this is, or of this one where it writes.
  let number: UInt64
  private(set) var tables: [MemoryTable]
  /// Whether anything was put or removed.
  private(set) var isChanged = false

  init(number: UInt64, tables: [MemoryTable]) {
    self.number = number
    self.tables = tables
  }

  func table(_ database: borrowing Database) -> MemoryTable { tables[Int(database.handle)] }

  /// The value of a record, checked and without its checksum; valid until the record is replaced.
  func find(_ database: borrowing Database, _ key: RawSpan) throws(StorageError)
    -> UnsafeRawBufferPointer?
  {
    let found = unsafe key.withUnsafeBytes { key -> MemoryRecord? in
      let table = tables[Int(database.handle)]
      return unsafe table.index(of: key).map { table.records[$0] }
    }
    guard let found else { return nil }
    let value = unsafe MDB_val(found.stored)
    guard unsafe Record.isWhole(key: found.key, record: value) else {
      throw .corrupt(database: database.name)
    }
    return unsafe Record.value(value)
  }

  func put(_ database: borrowing Database, _ key: RawSpan, _ value: RawSpan) {
    let record = unsafe key.withUnsafeBytes { key in
      unsafe value.withUnsafeBytes { unsafe MemoryRecord(key: key, value: $0) }
    }
    isChanged = true
    tables[Int(database.handle)].put(record)
  }

  /// Removes a record; false where the key is not there.
  func remove(_ database: borrowing Database, _ key: RawSpan) -> Bool {
    let index = Int(database.handle)
    guard let place = unsafe key.withUnsafeBytes({ unsafe tables[index].index(of: $0) }) else {
      return false
    }
    isChanged = true
    tables[index].remove(place..<place + 1)
    return true
  }

  /// Removes the records of a range and says how many there were.
  func removeAll(_ database: borrowing Database, in range: KeyRange) -> Int {
    let index = Int(database.handle)
    let places = tables[index].indices(in: range)
    // Emptying a table counts as a change even where it is empty, as with the engine.
    if places.isEmpty, range != .all { return 0 }
    isChanged = true
    if !places.isEmpty { tables[index].remove(places) }
    return places.count
  }

  /// How many pages what is held would fill.
  var livePageCount: Int {
    let pageByteCount = MemoryDisk.pageByteCount
    let charged = tables.reduce(0) { $0 + $1.chargedByteCount }
    return 2 + (charged + pageByteCount - 1) / pageByteCount
  }
}

extension MDB_val {
  init(_ bytes: UnsafeRawBufferPointer) {
    unsafe self.init(
      mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
  }

  init(_ bytes: UnsafeMutableRawBufferPointer) {
    unsafe self.init(mv_size: bytes.count, mv_data: bytes.baseAddress)
  }
}
