/// A page that a write has in memory of its own, and that a key or a value is on.
///
/// The engine says nothing of where such a page begins. It takes memory for each, which begins at a
/// multiple of 16 bytes; so the head of the page is the first before the field that looks like one and
/// names its record.
enum WrittenPage {
  /// What is added to the kind of a page that a write has in memory of its own.
  static let flag: UInt16 = 0x10
  private static let alignment: UInt = 16
  private static let nodeHeaderByteCount = 8

  /// How many bytes a page of `byteCount` has from a field of it to its end; nil where there is none.
  static func byteCount(from field: UnsafeRawPointer, of byteCount: Int) -> Int? {
    let past = UInt(bitPattern: field) % alignment
    var offset = past == 0 ? Int(alignment) : Int(past)
    while offset < byteCount {
      let start = unsafe field - offset
      if unsafe isHead(start), unsafe names(field, at: offset, start) { return byteCount - offset }
      offset += Int(alignment)
    }
    return nil
  }

  @inline(__always)
  private static func isHead(_ start: UnsafeRawPointer) -> Bool {
    unsafe start.load(fromByteOffset: 10, as: UInt16.self) == TreePage.leafFlag | flag
  }

  /// Whether the field that is so far behind the head is the key or the value of one of its records.
  private static func names(
    _ field: UnsafeRawPointer, at offset: Int, _ start: UnsafeRawPointer
  ) -> Bool {
    let end = unsafe Int(start.load(fromByteOffset: 12, as: UInt16.self))
    guard end > TreePage.headerByteCount, end <= offset else { return false }
    for place in stride(from: TreePage.headerByteCount, to: end, by: 2) {
      let node = unsafe Int(start.load(fromByteOffset: place, as: UInt16.self))
      guard node >= end, node <= offset - nodeHeaderByteCount else { continue }
      let key = node + nodeHeaderByteCount
      let keyByteCount = unsafe Int(
        start.loadUnaligned(fromByteOffset: node + 6, as: UInt16.self))
      if offset == key || offset == key + keyByteCount { return true }
    }
    return false
  }
}
