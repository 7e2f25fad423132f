/// Keys and bounds of a tree as they pass by from its first to its last.
struct KeyOrder {
  /// Whether keys order by their bytes; those of the free list are numbers of the machine.
  let isByBytes: Bool
  private var last: ArraySlice<UInt8>?
  private var lastIsKey = false

  init(isByBytes: Bool) {
    self.isByBytes = isByBytes
  }

  /// A bound between two pages is above every key before it.
  mutating func pass(bound: ArraySlice<UInt8>) throws(PageBytes.Damage) {
    if !bound.isEmpty { try pass(bound, isKey: false) }
  }

  /// A key is above every key before it and not below the bound before it.
  mutating func pass(key: ArraySlice<UInt8>) throws(PageBytes.Damage) {
    try pass(key, isKey: true)
  }

  private mutating func pass(_ bytes: ArraySlice<UInt8>, isKey: Bool) throws(PageBytes.Damage) {
    guard isByBytes else { return }
    if let last, !last.lexicographicallyPrecedes(bytes), lastIsKey || last != bytes {
      throw PageBytes.Damage(what: "keys are out of order")
    }
    (last, lastIsKey) = (bytes, isKey)
  }
}
