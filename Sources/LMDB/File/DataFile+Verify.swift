extension DataFile {
  /// Looks at every page and every record of a state of the file.
  ///
  /// - Complexity: O(pages).
  func verify(_ meta: MetaPage, _ progress: (_ pages: Int) throws -> Void) throws -> Verification {
    var result = Verification()
    result.pageCount = meta.lastPage + 1
    var pages = PageOwners(count: meta.lastPage + 1)
    var tables: [(name: String, tree: Tree)] = []
    do throws(PageBytes.Damage) {
      tables = try self.tables(meta) { pages.claim($0) }
      try forEachFreePage(meta, claim: { pages.claim($0) }) { page in
        pages.claim(page..<page + 1)
        result.freePageCount += 1
      }
    } catch {
      result.note(error.what)
    }
    for (name, tree) in tables {
      try progress(pages.claimedCount)
      verify(name, tree, meta, &pages, &result)
    }
    try progress(pages.claimedCount)
    if pages.sharedCount > 0 { result.note("\(pages.sharedCount) pages are used twice") }
    if result.isSound { result.lostPageCount = result.pageCount - pages.claimedCount }
    return result
  }

  private func verify(
    _ name: String, _ tree: Tree, _ meta: MetaPage, _ pages: inout PageOwners,
    _ result: inout Verification
  ) {
    var count = 0
    var damaged = 0
    do throws(PageBytes.Damage) {
      try walk(tree, meta, claim: { pages.claim($0) }) { (leaf, index) throws(PageBytes.Damage) in
        count += 1
        if try !isWhole(leaf, index, meta) { damaged += 1 }
      }
    } catch {
      result.note(error.what, in: name)
    }
    if damaged > 0 {
      result.note("\(damaged) records do not fit their checksums", in: name, isOfRecords: true)
    }
    result.tables.append(Verification.Table(name: name, recordCount: count))
  }

  private func isWhole(_ leaf: TreePage, _ index: Int, _ meta: MetaPage) throws(PageBytes.Damage)
    -> Bool
  {
    let key = Array(try leaf.key(index))
    let record = try value(leaf, index, meta).bytes
    guard record.count >= Checksum.byteCount else { return false }
    let end = record.count - Checksum.byteCount
    var stored = UInt32(0)
    for byte in record[end...].reversed() { stored = stored << 8 | UInt32(byte) }
    return unsafe key.withUnsafeBytes { key in
      unsafe record.withUnsafeBytes { record in
        let value = unsafe UnsafeRawBufferPointer(rebasing: record[..<end])
        return unsafe Checksum.ofRecord(key: key, value: value) == stored
      }
    }
  }
}

/// Which pages of a file were found to belong to something.
struct PageOwners {
  private var isClaimed: [Bool]
  private(set) var claimedCount = 2
  private(set) var sharedCount = 0

  /// A file of that many pages, the first two of which are its meta pages.
  init(count: Int) {
    isClaimed = [Bool](repeating: false, count: count)
    for page in 0..<min(2, count) { isClaimed[page] = true }
  }

  mutating func claim(_ pages: Range<Int>) {
    for page in pages.clamped(to: 0..<isClaimed.count) {
      if isClaimed[page] { sharedCount += 1 } else { claimedCount += 1 }
      isClaimed[page] = true
    }
  }
}
