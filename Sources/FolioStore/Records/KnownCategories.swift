internal import FolioDomain
internal import LMDB

/// The categories that were read lately, by the bytes that they are stored as: there are few, and
/// what each of many assets has of them need not be made anew.
struct KnownCategories {
  /// How many are known at most; one more, and all are forgotten.
  private static let countMax = 256
  /// How many places there are, a power of two.
  private static let placeCount = 1_024
  /// How many places are looked at for one.
  private static let stepsMax = 8

  private var categories: [Category] = []
  /// What they are stored as, one behind the other, and where each begins.
  private var bytes: [UInt8] = []
  private var starts: [Int] = [0]
  /// Which category is at a place; -1 for none.
  ///
  /// Empty as long as there is but one category.
  private var places: [Int16] = []
  /// The one that was found last, which the next asset often has, too.
  private var last = -1

  @inline(__always)
  mutating func find(_ bytes: RawSpan) -> Category? {
    if last >= 0, isStored(last, as: bytes) { return categories[last] }
    guard let found = search(bytes) else { return nil }
    last = found
    return categories[found]
  }

  mutating func keep(_ category: Category, _ bytes: RawSpan) {
    if categories.count == Self.countMax { self = KnownCategories() }
    last = categories.count
    categories.append(category)
    unsafe bytes.withUnsafeBytes { unsafe self.bytes.append(contentsOf: $0) }
    starts.append(self.bytes.count)
    if last == 0 { return }
    if places.isEmpty {
      places = Array(repeating: -1, count: Self.placeCount)
      place(0)
    }
    place(last)
  }

  private func search(_ bytes: RawSpan) -> Int? {
    if places.isEmpty { return nil }
    let first = Self.place(bytes)
    for step in 0..<Self.stepsMax {
      let found = Int(places[(first + step) & (Self.placeCount - 1)])
      if found < 0 { return nil }
      if isStored(found, as: bytes) { return found }
    }
    return nil
  }

  /// Gives one a place of those that are free; the first where none is.
  private mutating func place(_ index: Int) {
    let first = firstPlace(of: index)
    var place = first
    for step in 0..<Self.stepsMax {
      let next = (first + step) & (Self.placeCount - 1)
      if places[next] < 0 {
        place = next
        break
      }
    }
    places[place] = Int16(index)
  }

  private func firstPlace(of index: Int) -> Int {
    let kept = bytes.span
    return unsafe Self.place(kept.bytes.extracting(starts[index]..<starts[index + 1]))
  }

  @inline(__always)
  private static func place(_ bytes: RawSpan) -> Int {
    Int(bytes.quickHash() & UInt64(placeCount - 1))
  }

  @inline(__always)
  private func isStored(_ index: Int, as bytes: RawSpan) -> Bool {
    let start = starts[index]
    guard starts[index + 1] - start == bytes.byteCount else { return false }
    let kept = self.bytes.span
    return unsafe kept.bytes.extracting(unchecked: start..<start + bytes.byteCount)
      .isEqual(to: bytes)
  }
}
