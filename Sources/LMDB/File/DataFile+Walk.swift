extension DataFile {
  /// Visits every record of a tree in order, and holds the tree against its description: the kind
  /// and number of each page, the length of each branch, the numbers of pages and records, and the
  /// order of the keys and of the bounds that branches have between them.
  ///
  /// Of the pages on which a large value lies only the head is read. A tree that leads in a circle
  /// has more pages than it says.
  ///
  /// - Parameters:
  ///   - claim: Called with each run of pages that the tree has.
  ///   - visit: Called with each record.
  /// - Complexity: O(pages of branches and leaves).
  func walk(
    _ tree: Tree, _ meta: MetaPage, _ content: TreeContent = .records,
    claim: (_ pages: Range<Int>) -> Void = { _ in },
    _ visit: (_ leaf: TreePage, _ index: Int) throws(PageBytes.Damage) -> Void
  ) throws(PageBytes.Damage) {
    guard let root = tree.root else { return }
    var counted = TreeCounts()
    var order = KeyOrder(isByBytes: content != .freePages)
    var open: [(page: Int, depth: Int, bound: ArraySlice<UInt8>)] = [(root, 1, [])]
    while let (number, depth, bound) = open.popLast() {
      let page = try treePage(number, meta)
      try page.checkPacking()
      guard page.isLeaf == (depth == tree.depth) else {
        throw PageBytes.Damage(what: "a tree has branches of unequal length")
      }
      try counted.add(page, within: tree)
      claim(number..<number + 1)
      try order.pass(bound: bound)
      if page.isLeaf {
        for index in 0..<page.count {
          try order.pass(key: page.key(index))
          if let pages = try overflowPages(page, index, content, meta) {
            counted.overflows += pages.count
            claim(pages)
          }
          try visit(page, index)
        }
      } else {
        for index in (0..<page.count).reversed() {
          // The first bound of a page is not kept: it is that of the page.
          let bound = index == 0 ? bound : try page.key(index)
          open.append((try page.child(index), depth + 1, bound))
        }
      }
    }
    guard counted.fit(tree) else {
      throw PageBytes.Damage(what: "a tree has other pages or records than it says")
    }
  }

  /// The pages of its own that a record has, after its kind was found to be one of that tree.
  private func overflowPages(
    _ leaf: TreePage, _ index: Int, _ content: TreeContent, _ meta: MetaPage
  ) throws(PageBytes.Damage) -> Range<Int>? {
    guard (try leaf.kind(index) == .table) == (content == .tables) else {
      throw PageBytes.Damage(what: "a record is of another kind than its tree")
    }
    guard case .overflow(let first, let byteCount) = try leaf.value(index) else { return nil }
    let head = try readPages(first, byteCount: TreePage.headerByteCount, meta)
    return try checkOverflow(head, first, byteCount, meta)
  }

  /// The pages of a large value by the head of the first; a value that was put anew in the
  /// transaction of a larger one keeps all the pages of that.
  private func checkOverflow(
    _ head: PageBytes, _ first: Int, _ byteCount: Int, _ meta: MetaPage
  ) throws(PageBytes.Damage) -> Range<Int> {
    let count = Int(try head.load(12, as: UInt32.self))
    let size = meta.pageByteCount
    guard try head.load(0, as: UInt64.self) == UInt64(first),
      try head.load(10, as: UInt16.self) == TreePage.overflowFlag,
      count * size >= TreePage.headerByteCount + byteCount, first + count - 1 <= meta.lastPage
    else { throw PageBytes.Damage(what: "page \(first) is not the value it should be") }
    return first..<first + count
  }

  /// The tables of the file by name, each with a root of the right kind.
  ///
  /// - Complexity: O(tables).
  func tables(_ meta: MetaPage, claim: (_ pages: Range<Int>) -> Void = { _ in })
    throws(PageBytes.Damage) -> [(name: String, tree: Tree)]
  {
    var tables: [(name: String, tree: Tree)] = []
    try walk(meta.main, meta, .tables, claim: claim) { (leaf, index) throws(PageBytes.Damage) in
      guard case .inside(let offset, Tree.byteCount) = try leaf.value(index),
        try leaf.page.load(offset, as: UInt32.self) == 0,
        try leaf.page.load(offset + 4, as: UInt16.self) == 0
      else { throw PageBytes.Damage(what: "the table of tables has a record that is none") }
      let tree = try Tree(leaf.page, at: offset, lastPage: meta.lastPage)
      if let root = tree.root, try treePage(root, meta).isLeaf != (tree.depth == 1) {
        throw PageBytes.Damage(what: "the root of a table is of another kind")
      }
      tables.append((String(decoding: try leaf.key(index), as: UTF8.self), tree))
    }
    return tables
  }

  /// Where in the file the first key of the table of tables is.
  func placeOfFirstName(_ meta: MetaPage) throws(PageBytes.Damage) -> Int {
    guard var number = meta.main.root else { throw PageBytes.Damage(what: "there is no table") }
    for _ in 0..<meta.main.depth {
      let page = try treePage(number, meta)
      if page.isLeaf { return try number * meta.pageByteCount + page.key(0).startIndex }
      number = try page.child(0)
    }
    throw PageBytes.Damage(what: "a tree is deeper than it says")
  }

  /// Calls `visit` with the number of every page in the list of free pages.
  ///
  /// - Complexity: O(pages of the list).
  func forEachFreePage(
    _ meta: MetaPage, claim: (_ pages: Range<Int>) -> Void = { _ in },
    _ visit: (Int) throws(PageBytes.Damage) -> Void
  ) throws(PageBytes.Damage) {
    try walk(meta.free, meta, .freePages, claim: claim) {
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
      _ = try checkOverflow(pages, page, byteCount, meta)
      return PageBytes(bytes: Array(pages.bytes[header...]))
    }
  }
}

/// What the records of a tree are.
enum TreeContent {
  /// Records of a table.
  case records
  /// Descriptions of tables, by name.
  case tables
  /// Numbers of free pages, by the transaction that freed them.
  case freePages
}

/// What a walk found of a tree.
private struct TreeCounts {
  var branches = 0
  var leaves = 0
  var overflows = 0
  var records = 0

  /// Counts a page, of which there are no more than the tree says.
  mutating func add(_ page: TreePage, within tree: Tree) throws(PageBytes.Damage) {
    if page.isLeaf {
      leaves += 1
      records += page.count
    } else {
      branches += 1
    }
    guard leaves <= tree.leafPageCount, branches <= tree.branchPageCount else {
      throw PageBytes.Damage(what: "a tree has more pages than it says")
    }
  }

  func fit(_ tree: Tree) -> Bool {
    leaves == tree.leafPageCount && branches == tree.branchPageCount
      && overflows == tree.overflowPageCount && records == tree.recordCount
  }
}
