extension DataFile {
  /// How many pages from `first` on are in the list of free pages.
  ///
  /// - Complexity: O(pages of the list).
  func freePageCount(from first: Int, _ meta: MetaPage) throws(PageBytes.Damage) -> Int {
    guard let root = meta.free.root else { return 0 }
    var found: Set<Int> = []
    var open = [(page: root, depth: 1)]
    while let (number, depth) = open.popLast() {
      let page = try treePage(number, meta)
      guard page.isLeaf == (depth == meta.free.depth) else {
        throw PageBytes.Damage(what: "the free list has branches of unequal length")
      }
      for index in 0..<page.count {
        if page.isLeaf {
          try addFreePages(page, index, from: first, meta, &found)
        } else {
          open.append((try page.child(index), depth + 1))
        }
      }
    }
    return found.count
  }

  /// Adds the pages that a record of the list names: their count, then their numbers.
  private func addFreePages(
    _ leaf: TreePage, _ index: Int, from first: Int, _ meta: MetaPage, _ found: inout Set<Int>
  ) throws(PageBytes.Damage) {
    let list: PageBytes
    let start: Int
    let byteCount: Int
    switch try leaf.value(index) {
    case .inside(let offset, let count): (list, start, byteCount) = (leaf.page, offset, count)
    case .overflow(let page, let count):
      start = TreePage.headerByteCount
      byteCount = count
      list = try readPages(page, byteCount: start + count, meta)
    }
    let count = try list.loadCount(start)
    guard (count + 1) * 8 <= byteCount else {
      throw PageBytes.Damage(what: "a record of the free list is too short")
    }
    for place in 0..<count {
      let page = try list.loadCount(start + 8 * (place + 1))
      if page >= first, page <= meta.lastPage { found.insert(page) }
    }
  }
}
