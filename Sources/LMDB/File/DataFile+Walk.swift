extension DataFile {
  /// Visits every record of a tree in order, and holds the tree against its description: the kind
  /// and number of each page, the length of each branch, the numbers of pages and records, and the
  /// order of the keys and of the bounds that branches have between them.
  ///
  /// Pages on which large values lie are counted and not read. A tree that leads in a circle has
  /// more pages than it says.
  ///
  /// - Parameters:
  ///   - claim: Called with each run of pages that the tree has.
  ///   - visit: Called with each record.
  /// - Complexity: O(pages of branches and leaves).
  func walk(
    _ tree: Tree, _ meta: MetaPage, isFreeList: Bool = false,
    claim: (_ pages: Range<Int>) -> Void = { _ in },
    _ visit: (_ leaf: TreePage, _ index: Int) throws(PageBytes.Damage) -> Void
  ) throws(PageBytes.Damage) {
    guard let root = tree.root else { return }
    var (branches, leaves, overflows, records) = (0, 0, 0, 0)
    var order = KeyOrder(isByBytes: !isFreeList)
    var open: [(page: Int, depth: Int, bound: ArraySlice<UInt8>)] = [(root, 1, [])]
    while let (number, depth, bound) = open.popLast() {
      let page = try treePage(number, meta)
      guard page.isLeaf == (depth == tree.depth) else {
        throw PageBytes.Damage(what: "a tree has branches of unequal length")
      }
      if page.isLeaf { leaves += 1 } else { branches += 1 }
      claim(number..<number + 1)
      guard leaves <= tree.leafPageCount, branches <= tree.branchPageCount else { break }
      try order.pass(bound: bound)
      if page.isLeaf {
        for index in 0..<page.count {
          try order.pass(key: page.key(index))
          if case .overflow(let first, let byteCount) = try page.value(index) {
            let count = Self.overflowPageCount(byteCount, meta)
            overflows += count
            claim(first..<first + count)
          }
          try visit(page, index)
        }
        records += page.count
      } else {
        for index in (0..<page.count).reversed() {
          // The first bound of a page is not kept: it is that of the page.
          let bound = index == 0 ? bound : try page.key(index)
          open.append((try page.child(index), depth + 1, bound))
        }
      }
    }
    guard leaves == tree.leafPageCount, branches == tree.branchPageCount,
      overflows == tree.overflowPageCount, records == tree.recordCount
    else { throw PageBytes.Damage(what: "a tree has other pages or records than it says") }
  }

  /// How many pages a large value takes.
  static func overflowPageCount(_ byteCount: Int, _ meta: MetaPage) -> Int {
    (TreePage.headerByteCount + byteCount + meta.pageByteCount - 1) / meta.pageByteCount
  }

  /// The tables of the file by name, each with a root of the right kind.
  ///
  /// - Complexity: O(tables).
  func tables(_ meta: MetaPage, claim: (_ pages: Range<Int>) -> Void = { _ in })
    throws(PageBytes.Damage) -> [(name: String, tree: Tree)]
  {
    var tables: [(name: String, tree: Tree)] = []
    try walk(meta.main, meta, claim: claim) { (leaf, index) throws(PageBytes.Damage) in
      guard try leaf.isTable(index),
        case .inside(let offset, Tree.byteCount) = try leaf.value(index)
      else { throw PageBytes.Damage(what: "the main table has a record that is no table") }
      let tree = try Tree(leaf.page, at: offset, lastPage: meta.lastPage)
      if let root = tree.root, try treePage(root, meta).isLeaf != (tree.depth == 1) {
        throw PageBytes.Damage(what: "the root of a table is of another kind")
      }
      tables.append((String(decoding: try leaf.key(index), as: UTF8.self), tree))
    }
    return tables
  }

  /// Calls `visit` with the number of every page in the list of free pages.
  ///
  /// - Complexity: O(pages of the list).
  func forEachFreePage(
    _ meta: MetaPage, claim: (_ pages: Range<Int>) -> Void = { _ in },
    _ visit: (Int) throws(PageBytes.Damage) -> Void
  ) throws(PageBytes.Damage) {
    try walk(meta.free, meta, isFreeList: true, claim: claim) {
      (leaf, index) throws(PageBytes.Damage) in
      let list = try value(leaf, index, meta)
      let count = try list.loadCount(0)
      guard (count + 1) * 8 <= list.bytes.count else {
        throw PageBytes.Damage(what: "a record of the free list is too short")
      }
      for place in 0..<count {
        let page = try list.loadCount(8 * (place + 1))
        guard page >= 2, page <= meta.lastPage else {
          throw PageBytes.Damage(what: "the free list names a page that is not there")
        }
        try visit(page)
      }
    }
  }

  /// The value of a record, from its leaf or from pages of its own.
  func value(_ leaf: TreePage, _ index: Int, _ meta: MetaPage) throws(PageBytes.Damage)
    -> PageBytes
  {
    switch try leaf.value(index) {
    case .inside(let offset, let byteCount):
      return PageBytes(bytes: Array(leaf.page.bytes[offset..<offset + byteCount]))
    case .overflow(let page, let byteCount):
      let header = TreePage.headerByteCount
      let pages = try readPages(page, byteCount: header + byteCount, meta)
      guard try pages.load(0, as: UInt64.self) == UInt64(page),
        try pages.load(10, as: UInt16.self) == TreePage.overflowFlag,
        try pages.load(12, as: UInt32.self) >= Self.overflowPageCount(byteCount, meta)
      else { throw PageBytes.Damage(what: "page \(page) is not the value it should be") }
      return PageBytes(bytes: Array(pages.bytes[header...]))
    }
  }
}
