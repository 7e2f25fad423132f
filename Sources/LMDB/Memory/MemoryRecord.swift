/// A record in memory, which never changes: its key, its value and their checksum in one piece.
@safe final class MemoryRecord: Sendable {
  private nonisolated(unsafe) let start: UnsafeMutableRawPointer
  private let keyByteCount: Int
  private let valueByteCount: Int

  init(key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
    keyByteCount = key.count
    valueByteCount = value.count
    unsafe start = .allocate(
      byteCount: key.count + value.count + Checksum.byteCount, alignment: 1)
    if let source = key.baseAddress {
      unsafe start.copyMemory(from: source, byteCount: key.count)
    }
    unsafe Record.write(key: key, value: value, to: start + key.count)
  }

  /// The same record with one byte of its value changed, as damage would.
  init(damaging record: MemoryRecord, at offset: Int) {
    keyByteCount = record.keyByteCount
    valueByteCount = record.valueByteCount
    let byteCount = keyByteCount + valueByteCount + Checksum.byteCount
    unsafe start = .allocate(byteCount: byteCount, alignment: 1)
    unsafe start.copyMemory(from: record.start, byteCount: byteCount)
    let damaged = unsafe start.load(fromByteOffset: keyByteCount + offset, as: UInt8.self) ^ 1
    unsafe start.storeBytes(of: damaged, toByteOffset: keyByteCount + offset, as: UInt8.self)
  }

  deinit {
    unsafe start.deallocate()
  }

  /// What it is counted with against the quota.
  var chargedByteCount: Int { keyByteCount + valueByteCount + Environment.putByteCount }

  var key: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: start, count: keyByteCount)
  }

  /// The value with its checksum behind it.
  var stored: UnsafeMutableRawBufferPointer {
    unsafe UnsafeMutableRawBufferPointer(
      start: start + keyByteCount, count: valueByteCount + Checksum.byteCount)
  }
}
