/// One of the two pages at the head of a data file, each of which describes a committed state.
///
/// The layout is that of the engine's format 1 on 64-bit little-endian machines: a page header of 16
/// bytes, then magic, version, address, map size, the roots of the list of free pages and of the main
/// table (48 bytes each), the last page's number and the number of the transaction.
struct MetaPage {
  static let byteCount = 16 + 136
  private static let magic: UInt32 = 0xBEEF_C0DE
  private static let format: UInt32 = 1

  /// A tree as a meta page describes it.
  struct Tree {
    /// No page: the tree is empty.
    static let noRoot = UInt64.max

    var depth: Int
    var root: Int?
  }

  var pageByteCount: Int
  var free: Tree
  var main: Tree
  var lastPage: Int
  var transaction: UInt64

  /// Reads a meta page.
  ///
  /// - Throws: ``StorageError/notAnEnvironment(path:)`` without the engine's mark,
  ///   ``StorageError/formatUnsupported(path:version:)``, and
  ///   ``StorageError/metaPageDamaged(path:page:what:)``.
  init(_ page: PageBytes, number: Int, path: String) throws(StorageError) {
    do throws(PageBytes.Damage) {
      if try page.load(16, as: UInt32.self) != Self.magic {
        if number == 0 { throw PageBytes.Damage(what: "") }
        throw PageBytes.Damage(what: "it lacks the engine's mark")
      }
    } catch {
      if error.what.isEmpty { throw .notAnEnvironment(path: path) }
      throw .metaPageDamaged(path: path, page: number, what: error.what)
    }
    do throws(PageBytes.Damage) {
      let format = try page.load(20, as: UInt32.self)
      if format != Self.format {
        throw PageBytes.Damage(what: "it has the format \(format)")
      }
      try self.init(checking: page, number: number)
    } catch {
      throw .metaPageDamaged(path: path, page: number, what: error.what)
    }
  }

  private init(checking page: PageBytes, number: Int) throws(PageBytes.Damage) {
    try Self.expect(page.load(0, as: UInt64.self) == UInt64(number), "its number")
    try Self.expect(page.load(10, as: UInt16.self) == TreePage.metaFlag, "its kind")
    try Self.expect(page.load(24, as: UInt64.self) == 0, "its address")
    pageByteCount = Int(try page.load(40, as: UInt32.self))
    try Self.expect(
      (512...32768).contains(pageByteCount) && pageByteCount.nonzeroBitCount == 1, "the page size")
    // The list of free pages has integer keys, the main table has no flags. The engine also writes
    // there, and then ignores, whether the file was made by its own name (0x4000).
    try Self.expect(page.load(44, as: UInt16.self) & ~0x4000 == 0x08, "the flags of the free list")
    try Self.expect(page.load(88, as: UInt32.self) == 0, "the padding")
    try Self.expect(page.load(92, as: UInt16.self) == 0, "the flags of the main table")
    lastPage = try page.loadCount(136)
    try Self.expect(lastPage >= 1, "the last page's number")
    transaction = try page.load(144)
    free = try Self.tree(page, 40, lastPage: lastPage)
    main = try Self.tree(page, 88, lastPage: lastPage)
  }

  private static func tree(_ page: PageBytes, _ offset: Int, lastPage: Int) throws(PageBytes.Damage)
    -> Tree
  {
    let depth = Int(try page.load(offset + 6, as: UInt16.self))
    let root = try page.load(offset + 40, as: UInt64.self)
    if root == Tree.noRoot {
      try expect(depth == 0, "the depth of a tree")
      return Tree(depth: 0, root: nil)
    }
    try expect((1...32).contains(depth), "the depth of a tree")
    try expect(root >= 2 && root <= UInt64(lastPage), "the root of a tree")
    var pages = 0
    for field in 1...3 { pages += try page.loadCount(offset + 8 * field) }
    try expect(pages <= lastPage - 1, "the number of pages")
    return Tree(depth: depth, root: Int(root))
  }

  private static func expect(_ holds: Bool, _ what: String) throws(PageBytes.Damage) {
    if !holds { throw PageBytes.Damage(what: "\(what) cannot be right") }
  }
}
