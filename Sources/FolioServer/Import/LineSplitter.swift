/// The lines of a file, without their ends: LF, or CR and LF.
struct LineSplitter {
  private let bytes: UnsafeRawBufferPointer
  private var next: Int
  /// The number of the line last given, from 1.
  private(set) var number = 0

  /// A byte order mark at the start is no part of the first line.
  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    next = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  mutating func line() -> UnsafeRawBufferPointer? {
    guard next < bytes.count else { return nil }
    number += 1
    var end = next
    while end < bytes.count, bytes[end] != UInt8(ascii: "\n") { end += 1 }
    let start = next
    next = end + 1
    if end > start, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    return UnsafeRawBufferPointer(rebasing: bytes[start..<end])
  }
}
