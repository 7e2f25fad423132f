import FolioCSV
import FolioDomain
import FolioJSON
import FolioStore

/// A file that is written, a page at a time.
struct ExportWriting {
  private let format: ExportFormat
  private let columns: [String]
  private let append: ([UInt8]) throws -> Void
  private var bytes: [UInt8] = []
  private var byteCount = 0
  private var isFirst = true

  /// How many bytes are kept before they are written.
  private static let pageByteCount = 1 << 16

  /// A file whose bytes are given to `append`.
  init(
    _ format: ExportFormat, _ contents: Set<ExportContent>,
    _ append: @escaping ([UInt8]) throws -> Void
  ) {
    self.format = format
    self.append = append
    columns = ExportRow.columns(contents)
    switch format {
    case .csv: CSVWriter.append(columns, to: &bytes)
    case .json: bytes += Array("[".utf8)
    }
  }

  /// Writes what is held; gives the number of rows.
  mutating func addHoldings(_ state: borrowing StoreReadTransaction) throws -> Int {
    let held = try state.holdings(.all)
    for priced in held { try add(.holding(priced.holding)) }
    return held.count
  }

  /// Writes the documents that are not deleted; gives their number.
  mutating func addDocuments(_ state: borrowing StoreReadTransaction) throws -> Int {
    var count = 0
    for collection in try state.collections() {
      var query = DocumentQuery(collection)
      query.limit = DocumentQuery.limitMax
      while true {
        let page = try state.documents(query)
        for document in page { try add(.document(document)) }
        count += page.count
        guard let last = page.last, page.count == query.limit else { break }
        query.after = DocumentCursor(last, order: query.order)
      }
    }
    return count
  }

  /// Writes what was in each closed snapshot; gives the number of snapshots.
  mutating func addSnapshots(
    _ state: borrowing StoreReadTransaction, _ progress: ((Int, Int) -> Void)?
  ) throws -> Int {
    guard let slots = try state.snapshotSlots() else { return 0 }
    var count = 0
    try state.walkSnapshots(slots) { walker in
      let snapshot = walker.snapshot()
      for asset in snapshot.assets { try add(.snapshot(asset, snapshot.slot)) }
      count += 1
      progress?(count, slots.count)
    }
    return count
  }

  private mutating func add(_ row: ExportRow) throws {
    switch format {
    case .csv: try row.appendCSV(columns, to: &bytes)
    case .json:
      bytes += Array((isFirst ? "\n" : ",\n").utf8)
      try row.appendJSON(to: &bytes)
    }
    isFirst = false
    if bytes.count >= Self.pageByteCount { try flush() }
  }

  /// Ends the file; gives its size.
  mutating func finish() throws -> Int {
    if format == .json { bytes += Array("\n]\n".utf8) }
    try flush()
    return byteCount
  }

  private mutating func flush() throws {
    try append(bytes)
    byteCount += bytes.count
    bytes.removeAll(keepingCapacity: true)
  }
}
