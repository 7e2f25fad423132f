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

  /// Where the page of `byteCount` begins that a field is on; nil where there is none.
  static func start(behind field: UnsafeRawPointer, of byteCount: Int) -> UnsafeRawPointer? {
    let past = UInt(bitPattern: field) % alignment
    var offset = past == 0 ? Int(alignment) : Int(past)
    while offset < byteCount {
      let start = unsafe field - offset
      if unsafe isHead(start), unsafe names(field, at: offset, start) { return unsafe start }
      offset += Int(alignment)
    }
    return nil
  }

  @inline(__always)
  private static func isHead(_ start: UnsafeRawPointer) -> Bool {
    unsafe start.load(fromByteOffset: 10, as: UInt16.self) == TreePage.leafFlag | flag
  }

  /// Whether the field that is so far behind the head is the key or the value of one of its records.
  ///
  /// Records with bytes like a head's are not rare; so all that is looked at of it has to fit.
  private static func names(
    _ field: UnsafeRawPointer, at offset: Int, _ start: UnsafeRawPointer
  ) -> Bool {
    let end = unsafe Int(start.load(fromByteOffset: 12, as: UInt16.self))
    let firstNode = unsafe Int(start.load(fromByteOffset: 14, as: UInt16.self))
    guard end > TreePage.headerByteCount, end <= firstNode, firstNode < offset else { return false }
    for place in stride(from: TreePage.headerByteCount, to: end, by: 2) {
      let node = unsafe Int(start.load(fromByteOffset: place, as: UInt16.self))
      guard node >= firstNode else { return false }
      guard node <= offset - nodeHeaderByteCount else { continue }
      let key = node + nodeHeaderByteCount
      let keyByteCount = unsafe Int(
        start.loadUnaligned(fromByteOffset: node + 6, as: UInt16.self))
      if offset == key || offset == key + keyByteCount { return true }
    }
    return false
  }
}

/// Where pages begin that writes had in memory of their own, so that each is looked for once.
///
/// The engine keeps such memory for other pages until the environment is closed; so a field behind the
/// beginning of one is on it, whatever page it is by then, unless bytes of a record were taken for a
/// head. There is one writer at a time, who alone comes here.
@safe struct WrittenPages: ~Copyable, @unchecked Sendable {
  private static let placeCount: UInt = 64
  /// By the place of a field in memory, in pages: a page's fields are in two places at most.
  private let starts: UnsafeMutablePointer<UInt>

  init() {
    unsafe starts = .allocate(capacity: Int(Self.placeCount))
    unsafe starts.initialize(repeating: 0, count: Int(Self.placeCount))
  }

  deinit { unsafe starts.deallocate() }

  /// How many bytes a known page of `byteCount` has from a field of it to its end; nil where none is
  /// known.
  @inline(__always)
  func byteCount(from field: UnsafeRawPointer, of byteCount: Int) -> Int? {
    let start = unsafe starts[Self.place(of: field, byteCount)]
    let offset = UInt(bitPattern: field) &- start
    return offset < UInt(byteCount) ? byteCount - Int(offset) : nil
  }

  func note(_ page: UnsafeRawPointer, behind field: UnsafeRawPointer, of byteCount: Int) {
    unsafe starts[Self.place(of: field, byteCount)] = UInt(bitPattern: page)
  }

  @inline(__always)
  private static func place(of field: UnsafeRawPointer, _ byteCount: Int) -> Int {
    Int(UInt(bitPattern: field) / UInt(byteCount) % placeCount)
  }
}
