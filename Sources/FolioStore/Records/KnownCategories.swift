internal import FolioDomain
internal import LMDB

/// The categories that were read lately, by the bytes that they are stored as: there are few, and
/// what each of many assets has of them need not be made anew.
final class KnownCategories {
  private typealias Entry = (bytes: [UInt8], category: Category)
  private var entries: [Entry?]

  /// A table with that many places; more than there are categories, so that few share one.
  init(placeCount: Int) {
    entries = Array(repeating: nil, count: placeCount)
  }

  func find(_ bytes: RawSpan) -> Category? {
    guard let place = place(of: bytes), let entry = entries[place],
      entry.bytes.count == bytes.byteCount
    else { return nil }
    let kept = entry.bytes.span
    return unsafe kept.bytes.isEqual(to: bytes) ? entry.category : nil
  }

  /// Keeps one in the place of another that has the same.
  func keep(_ category: Category, _ bytes: RawSpan) {
    if let place = place(of: bytes) { entries[place] = (bytes.copied, category) }
  }

  /// By the first bytes and the last; nil for the shortest, which are as soon read.
  private func place(of bytes: RawSpan) -> Int? {
    guard bytes.byteCount >= 8 else { return nil }
    let first = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: 0, as: UInt64.self)
    let last = unsafe bytes.unsafeLoadUnaligned(
      fromUncheckedByteOffset: bytes.byteCount - 8, as: UInt64.self)
    let mixed = (first ^ last &* 0x9e37_79b9_7f4a_7c15) &* 0xbf58_476d_1ce4_e5b9
    return Int((mixed >> 32) % UInt64(entries.count))
  }
}
