/// A tree of pages as its owner describes it: a meta page, or the record of a table.
struct Tree {
  static let byteCount = 48
  static let depthMax = 32
  private static let noRoot = UInt64.max

  /// How many pages there are from the root to a leaf; 0 where the tree is empty.
  var depth: Int
  var root: Int?
  var branchPageCount: Int
  var leafPageCount: Int
  var overflowPageCount: Int
  var recordCount: Int

  /// Reads the description of a tree in a file whose last page is `lastPage`.
  init(_ page: PageBytes, at offset: Int, lastPage: Int) throws(PageBytes.Damage) {
    depth = Int(try page.load(offset + 6, as: UInt16.self))
    branchPageCount = try page.loadCount(offset + 8)
    leafPageCount = try page.loadCount(offset + 16)
    overflowPageCount = try page.loadCount(offset + 24)
    recordCount = try page.loadCount(offset + 32)
    let root = try page.load(offset + 40, as: UInt64.self)
    if root == Self.noRoot {
      guard depth == 0, branchPageCount + leafPageCount + overflowPageCount + recordCount == 0
      else { throw PageBytes.Damage(what: "a tree without a root has records") }
      self.root = nil
      return
    }
    guard (1...Self.depthMax).contains(depth) else {
      throw PageBytes.Damage(what: "the depth of a tree cannot be right")
    }
    guard root >= 2, root <= UInt64(lastPage) else {
      throw PageBytes.Damage(what: "the root of a tree cannot be right")
    }
    guard branchPageCount + leafPageCount + overflowPageCount < lastPage else {
      throw PageBytes.Damage(what: "a tree cannot have that many pages")
    }
    self.root = Int(root)
  }
}
