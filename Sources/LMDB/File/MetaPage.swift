/// One of the two pages at the head of a data file, but for the trees that it names.
///
/// The layout is that of the engine's format 1 on 64-bit little-endian machines: a page header of
/// 16 bytes, then magic, version, address, map size, the roots of the list of free pages and of the
/// main table (48 bytes each), the last page's number and the number of the transaction.
struct MetaHead {
  static let byteCount = 16 + 136
  private static let magic: UInt32 = 0xBEEF_C0DE
  static let format: UInt32 = 1

  /// The format of a page that bears the engine's mark.
  static func formatOfMarked(_ page: PageBytes) -> UInt32? {
    guard (try? page.load(16, as: UInt32.self)) == magic else { return nil }
    return try? page.load(20, as: UInt32.self)
  }

  let page: PageBytes
  let number: Int
  let path: String
  var pageByteCount: Int
  var lastPage: Int
  var transaction: UInt64

  /// Reads a meta page.
  ///
  /// - Throws: ``StorageError/metaPageDamaged(path:page:what:)``.
  init(_ page: PageBytes, number: Int, path: String) throws(StorageError) {
    self.page = page
    self.number = number
    self.path = path
    do throws(PageBytes.Damage) {
      try Self.expect(page.load(16, as: UInt32.self) == Self.magic, "the engine's mark")
      try Self.expect(page.load(0, as: UInt64.self) == UInt64(number), "its number")
      try Self.expect(page.load(10, as: UInt16.self) == TreePage.metaFlag, "its kind")
      try Self.expect(page.load(20, as: UInt32.self) == Self.format, "its format")
      try Self.expect(page.load(24, as: UInt64.self) == 0, "its address")
      pageByteCount = Int(try page.load(40, as: UInt32.self))
      try Self.expect(
        (512...32768).contains(pageByteCount) && pageByteCount.nonzeroBitCount == 1,
        "the page size")
      // The list of free pages has integer keys, the main table has no flags. The engine also
      // writes there, and then ignores, whether the file was made by its own name (0x4000).
      try Self.expect(
        page.load(44, as: UInt16.self) & ~0x4000 == 0x08, "the flags of the free list")
      try Self.expect(page.load(88, as: UInt32.self) == 0, "the padding")
      try Self.expect(page.load(92, as: UInt16.self) == 0, "the flags of the main table")
      lastPage = try page.loadCount(136)
      try Self.expect(lastPage >= 1, "the last page's number")
      transaction = try page.load(144)
    } catch {
      throw .metaPageDamaged(path: path, page: number, what: error.what)
    }
  }

  private static func expect(_ holds: Bool, _ what: String) throws(PageBytes.Damage) {
    if !holds { throw PageBytes.Damage(what: "\(what) cannot be right") }
  }
}

/// The page at the head of a data file that describes the last committed state, with its trees.
///
/// The other page's trees are nobody's: where a commit fails as it writes that page, the engine
/// puts back the number of the transaction, and leaves the roots of the state that never was.
struct MetaPage {
  var pageByteCount: Int
  var free: Tree
  var main: Tree
  var lastPage: Int
  var transaction: UInt64

  /// Reads the trees of a page.
  ///
  /// - Throws: ``StorageError/metaPageDamaged(path:page:what:)``.
  init(_ head: MetaHead) throws(StorageError) {
    pageByteCount = head.pageByteCount
    lastPage = head.lastPage
    transaction = head.transaction
    do throws(PageBytes.Damage) {
      free = try Tree(head.page, at: 40, lastPage: lastPage)
      main = try Tree(head.page, at: 88, lastPage: lastPage)
    } catch {
      throw .metaPageDamaged(path: head.path, page: head.number, what: error.what)
    }
  }
}
