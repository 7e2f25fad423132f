/// A page of a tree: branches, which name pages below, or leaves, which hold keys and values.
struct TreePage {
  static let branchFlag: UInt16 = 0x01
  static let leafFlag: UInt16 = 0x02
  static let overflowFlag: UInt16 = 0x04
  static let metaFlag: UInt16 = 0x08
  static let headerByteCount = 16

  let page: PageBytes
  let isLeaf: Bool
  let count: Int

  /// Takes bytes for page `number` of a tree, where they can be that.
  init(_ page: PageBytes, number: Int) throws(PageBytes.Damage) {
    self.page = page
    guard try page.load(0, as: UInt64.self) == UInt64(number) else {
      throw PageBytes.Damage(what: "page \(number) has another number")
    }
    switch try page.load(10, as: UInt16.self) {
    case Self.branchFlag: isLeaf = false
    case Self.leafFlag: isLeaf = true
    default: throw PageBytes.Damage(what: "page \(number) is of another kind")
    }
    let lower = Int(try page.load(12, as: UInt16.self))
    let upper = Int(try page.load(14, as: UInt16.self))
    guard lower >= Self.headerByteCount, lower <= upper, upper <= page.bytes.count,
      lower % 2 == 0, isLeaf || lower > Self.headerByteCount
    else { throw PageBytes.Damage(what: "page \(number) has wrong bounds") }
    count = (lower - Self.headerByteCount) / 2
  }

  /// The page that a branch names.
  func child(_ index: Int) throws(PageBytes.Damage) -> Int {
    let node = try nodeOffset(index)
    let low = Int(try page.load(node, as: UInt16.self))
    let middle = Int(try page.load(node + 2, as: UInt16.self))
    let high = Int(try page.load(node + 4, as: UInt16.self))
    return low | middle << 16 | high << 32
  }

  /// The key of a leaf's record.
  func key(_ index: Int) throws(PageBytes.Damage) -> ArraySlice<UInt8> {
    let node = try nodeOffset(index)
    let end = node + 8 + Int(try page.load(node + 6, as: UInt16.self))
    guard end <= page.bytes.count else {
      throw PageBytes.Damage(what: "a key lies outside of its page")
    }
    return page.bytes[node + 8..<end]
  }

  /// What the value of a leaf's record is.
  enum Kind: UInt16 {
    /// Bytes on the leaf.
    case inside = 0
    /// The number of the first of its own pages.
    case overflow = 1
    /// The description of a table.
    case table = 2
  }

  /// What the value of a leaf's record is; the engine also knows kinds that this module never has
  /// it write, and takes them at their word.
  func kind(_ index: Int) throws(PageBytes.Damage) -> Kind {
    let flags = try page.load(nodeOffset(index) + 4, as: UInt16.self)
    guard let kind = Kind(rawValue: flags) else {
      throw PageBytes.Damage(what: "a record is of an unknown kind")
    }
    return kind
  }

  /// Where a leaf's value is.
  enum Value {
    /// At that offset of the page.
    case inside(offset: Int, byteCount: Int)
    /// On pages of its own from that number on.
    case overflow(page: Int, byteCount: Int)
  }

  /// Where the value of a leaf is.
  func value(_ index: Int) throws(PageBytes.Damage) -> Value {
    let node = try nodeOffset(index)
    let low = Int(try page.load(node, as: UInt16.self))
    let byteCount = low | Int(try page.load(node + 2, as: UInt16.self)) << 16
    let offset = node + 8 + Int(try page.load(node + 6, as: UInt16.self))
    if try kind(index) == .overflow {
      return .overflow(page: try page.loadCount(offset), byteCount: byteCount)
    }
    guard offset + byteCount <= page.bytes.count else {
      throw PageBytes.Damage(what: "a value lies outside of its page")
    }
    return .inside(offset: offset, byteCount: byteCount)
  }

  /// Checks that the nodes fill the page from its upper bound to its end: the engine puts the next
  /// one below that bound.
  func checkPacking() throws(PageBytes.Damage) {
    var upper = page.bytes.count
    for index in 0..<count {
      var byteCount = 8 + (try key(index).count)
      if isLeaf {
        switch try value(index) {
        case .inside(_, let count): byteCount += count
        case .overflow: byteCount += 8
        }
      }
      upper -= (byteCount + 1) & ~1
    }
    guard upper == Int(try page.load(14, as: UInt16.self)) else {
      throw PageBytes.Damage(what: "a page has wrong bounds")
    }
  }

  private func nodeOffset(_ index: Int) throws(PageBytes.Damage) -> Int {
    Int(try page.load(Self.headerByteCount + 2 * index, as: UInt16.self))
  }
}
