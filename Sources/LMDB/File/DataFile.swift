#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A data file read by calls that cannot kill the process, to be looked at before the engine maps
/// it.
///
/// The engine trusts its file: it takes a flipped bit for a page's number, and a page beyond the
/// end of the file is a signal.
struct DataFile: ~Copyable {
  let descriptor: Descriptor

  init(_ path: String) throws(StorageError) {
    descriptor = try System.open(path, O_RDONLY)
  }

  /// Checks both meta pages, the file's length against them, the table of tables, the roots it
  /// names, and the list of free pages.
  ///
  /// Another process may commit meanwhile, so what was found wrong is looked at again until two
  /// looks in turn see the same state.
  ///
  /// - Complexity: O(tables + pages of the free list).
  /// - Returns: the meta page of the last commit.
  /// - Throws: ``StorageError/notAnEnvironment(path:)``,
  ///   ``StorageError/formatUnsupported(path:version:)``,
  ///   ``StorageError/metaPageDamaged(path:page:what:)``,
  ///   ``StorageError/fileTruncated(path:byteCount:needed:)``.
  func check() throws(StorageError) -> MetaPage {
    var seen = try? newest().transaction
    for _ in 0..<100 {
      do throws(StorageError) {
        return try checkOnce()
      } catch {
        System.pause(microseconds: 200)
        let now = try? newest().transaction
        if now == seen { throw error }
        seen = now
      }
    }
    return try checkOnce()
  }

  /// The meta page of the last commit.
  func newest() throws(StorageError) -> MetaPage {
    let path = descriptor.path
    let head = try readMeta(at: 0)
    guard MetaHead.formatOfMarked(head) == MetaHead.format else { throw foreign(head) }
    let first = try MetaHead(head, number: 0, path: path)
    let second = try MetaHead(readMeta(at: first.pageByteCount), number: 1, path: path)
    guard first.pageByteCount == second.pageByteCount else {
      throw .metaPageDamaged(path: path, page: 1, what: "the page size differs from page 0")
    }
    // Transactions take the two pages in turn: even numbers page 0, odd ones page 1. Both are 0 in
    // a file that was never written to, of which the engine reads the first.
    let isNew = first.transaction == 0 && second.transaction == 0
    let (older, newer) =
      first.transaction < second.transaction ? (first, second) : (second, first)
    let isInTurn = first.transaction % 2 == 0 && second.transaction % 2 == 1
    guard isNew || isInTurn && older.transaction + 1 == newer.transaction else {
      throw .metaPageDamaged(
        path: path, page: newer.number, what: "the transaction's number cannot be right")
    }
    guard older.lastPage <= newer.lastPage else {
      throw .metaPageDamaged(
        path: path, page: newer.number,
        what: "the last page's number is below that of the state before")
    }
    return try MetaPage(newer)
  }

  /// The meta page of a transaction; nil where its place has been taken by that of a later one.
  ///
  /// While a commit waits for its meta page to be on the device, that page is the newest of the file,
  /// and transactions still begin on the state of the one before.
  func meta(of transaction: UInt64, _ pageByteCount: Int) throws(StorageError) -> MetaPage? {
    let number = Int(transaction % 2)
    let page = try readMeta(at: number * pageByteCount)
    let head = try MetaHead(page, number: number, path: descriptor.path)
    return head.transaction == transaction ? try MetaPage(head) : nil
  }

  /// What a file is whose first page lacks the engine's mark or format: damaged, where the second
  /// page has them, else of another kind.
  private func foreign(_ head: PageBytes) -> StorageError {
    let path = descriptor.path
    let first = MetaHead.formatOfMarked(head)
    for pageByteCount in (9...15).map({ 1 << $0 }) {
      guard let page = try? readMeta(at: pageByteCount),
        let second = MetaHead.formatOfMarked(page)
      else { continue }
      if second == first { return .formatUnsupported(path: path, version: Int(second)) }
      return .metaPageDamaged(
        path: path, page: 0, what: "the engine's mark or format cannot be right")
    }
    return first == nil
      ? .notAnEnvironment(path: path)
      : .metaPageDamaged(path: path, page: 0, what: "the second page is not where it says")
  }

  private func readMeta(at offset: Int) throws(StorageError) -> PageBytes {
    let bytes = try descriptor.read(MetaHead.byteCount, at: offset)
    guard bytes.count == MetaHead.byteCount else {
      let byteCount = try descriptor.byteCount()
      throw .fileTruncated(
        path: descriptor.path, byteCount: byteCount, needed: offset + MetaHead.byteCount)
    }
    return PageBytes(bytes: bytes)
  }

  private func checkOnce() throws(StorageError) -> MetaPage {
    let meta = try newest()
    let path = descriptor.path
    let byteCount = try descriptor.byteCount()
    let needed = (meta.lastPage + 1) * meta.pageByteCount
    do throws(PageBytes.Damage) {
      try checkTrees(meta, byteCount)
    } catch {
      if byteCount < needed {
        throw .fileTruncated(path: path, byteCount: byteCount, needed: needed)
      }
      throw .metaPageDamaged(path: path, page: Int(meta.transaction % 2), what: error.what)
    }
    return meta
  }

  /// Holds the table of tables and the free list against the file and against each other.
  private func checkTrees(_ meta: MetaPage, _ byteCount: Int) throws(PageBytes.Damage) {
    var used: Set<Int> = []
    let tables = try tables(meta) { used.formUnion($0) }
    used.formUnion(tables.compactMap(\.tree.root))
    // The engine does not write pages that were taken and given back within one transaction, so a
    // sound file may end before its last page; all pages behind its end are in the free list then.
    let pageCount = byteCount / meta.pageByteCount
    var freeBehindEnd: Set<Int> = []
    var usedByList: Set<Int> = []
    var hasUsedPage = false
    try forEachFreePage(meta, claim: { usedByList.formUnion($0) }) { page in
      if page >= pageCount { freeBehindEnd.insert(page) }
      if used.contains(page) { hasUsedPage = true }
    }
    // An older page of the same tree is a sound page, and it is in the list.
    if hasUsedPage || !used.isDisjoint(with: usedByList) {
      throw PageBytes.Damage(what: "a page of a table is also a free one")
    }
    if pageCount <= meta.lastPage {
      guard byteCount % meta.pageByteCount == 0,
        freeBehindEnd.count == meta.lastPage + 1 - pageCount
      else { throw PageBytes.Damage(what: "the file is too short") }
    }
  }

  /// Reads a page of a tree.
  func treePage(_ number: Int, _ meta: MetaPage) throws(PageBytes.Damage) -> TreePage {
    try TreePage(readPages(number, byteCount: meta.pageByteCount, meta), number: number)
  }

  /// Reads bytes from the start of a page on.
  func readPages(_ number: Int, byteCount: Int, _ meta: MetaPage) throws(PageBytes.Damage)
    -> PageBytes
  {
    guard number >= 2, number <= meta.lastPage else {
      throw PageBytes.Damage(what: "page \(number) is named and is not there")
    }
    let bytes = try? descriptor.read(byteCount, at: number * meta.pageByteCount)
    guard let bytes, bytes.count == byteCount else {
      throw PageBytes.Damage(what: "page \(number) cannot be read")
    }
    return PageBytes(bytes: bytes)
  }
}
