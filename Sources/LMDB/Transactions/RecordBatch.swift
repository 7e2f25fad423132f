#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Records that are to be put into one database together.
///
/// They are put in the order of their keys, whatever order they were added in. Neighbours then share
/// the way to their page and the page itself, which the engine would find, copy and split anew for
/// keys that come in no order.
public struct RecordBatch: Sendable {
  /// The keys and values, one behind the other.
  private var bytes: [UInt8] = []
  private var entries: [Entry] = []

  private struct Entry {
    /// Where the key begins; the value stands behind it.
    var start: Int
    var keyByteCount: Int
    var valueByteCount: Int

    var key: Range<Int> { start..<start + keyByteCount }
    var value: Range<Int> { key.upperBound..<key.upperBound + valueByteCount }
  }

  /// A batch without records.
  public init() {}

  /// How many records there are.
  public var count: Int { entries.count }
  /// Whether there are none.
  public var isEmpty: Bool { entries.isEmpty }
  /// How many bytes the keys and values have.
  public var byteCount: Int { bytes.count }

  /// Adds a record; of those with the same key the one added last is put.
  ///
  /// - Complexity: O(its bytes).
  public mutating func add(_ key: [UInt8], _ value: [UInt8] = []) {
    let entry = Entry(start: bytes.count, keyByteCount: key.count, valueByteCount: value.count)
    bytes.append(contentsOf: key)
    if !value.isEmpty { bytes.append(contentsOf: value) }
    entries.append(entry)
  }

  /// Adds a record; see the same of bytes.
  public mutating func add(_ key: KeyBuilder, _ value: [UInt8] = []) { add(key.bytes, value) }

  /// Takes all records away and keeps the memory.
  public mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    entries.removeAll(keepingCapacity: true)
  }

  /// Brings the records into the order of their keys, one for each.
  mutating func sort() {
    let entries = entries
    self.entries = unsafe bytes.withUnsafeBytes { unsafe Self.sorted(entries, $0) }
  }

  private static func sorted(_ entries: [Entry], _ bytes: UnsafeRawBufferPointer) -> [Entry] {
    let isInOrder = entries.indices.dropFirst().allSatisfy { place in
      unsafe order(entries[place - 1], entries[place], bytes) < 0
    }
    if isInOrder { return entries }
    let sorted = entries.sorted { a, b in
      let order = unsafe order(a, b, bytes)
      // Of those with the same key the last comes first, and stays.
      return order == 0 ? b.start < a.start : order < 0
    }
    var unique: [Entry] = []
    unique.reserveCapacity(sorted.count)
    for entry in sorted {
      if let last = unique.last, unsafe order(last, entry, bytes) == 0 { continue }
      unique.append(entry)
    }
    return unique
  }

  /// The key of the record at a place.
  @_lifetime(borrow self)
  func key(at place: Int) -> RawSpan { bytes.raw.extracting(entries[place].key) }

  /// The value of the record at a place.
  @_lifetime(borrow self)
  func value(at place: Int) -> RawSpan { bytes.raw.extracting(entries[place].value) }

  /// Below, at or above 0 as the key of `a` stands before, with or after that of `b`.
  private static func order(_ a: Entry, _ b: Entry, _ bytes: UnsafeRawBufferPointer) -> Int {
    guard let start = bytes.baseAddress else { return 0 }
    let common = min(a.keyByteCount, b.keyByteCount)
    let order = unsafe memcmp(start + a.start, start + b.start, common)
    return order == 0 ? a.keyByteCount - b.keyByteCount : Int(order)
  }
}
