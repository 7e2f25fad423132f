import FolioCrypto
import FolioDomain
import FolioStore
import FolioSystem

extension Portfolio {
  /// The most bytes of a file that is imported.
  public static let importByteLimit = 64 << 20

  /// Adds the holdings and sets the documents that a file says, at the time of this call.
  ///
  /// The file is CSV, or JSON: an array of objects, or an object a line. Every row becomes a
  /// transaction of its own, since its identity is its own: importing a file twice is importing it
  /// once, and equal rows of one file are counted. All of them are saved in one storage transaction,
  /// or none: where a line cannot be imported, all such lines are listed and the store is as before.
  /// - Parameters:
  ///   - path: The file.
  ///   - map: Which columns say what.
  ///   - isDryRun: Whether the same is done and listed, and taken back.
  ///   - progress: Told how many rows are done, and of how many.
  /// - Throws: ``ImportError`` where nothing can be made of the file, `FileError`, and `StoreError`:
  ///   `outboxFull` where the rows are more than can wait for the next sync.
  /// - Complexity: O(rows x log n) time; the file and its rows are in memory.
  public func importFile(
    at path: String, map: ImportMap = ImportMap(), isDryRun: Bool = false,
    progress: ((Int, Int) -> Void)? = nil
  ) throws -> ImportSummary {
    let table = try FileTable(try Files.read(path, byteCountMax: Self.importByteLimit))
    let reading = try RowReading(table, map)
    do {
      return try store.write { transaction in
        var run = ImportRun(table, reading)
        try run.read(transaction.reading)
        let rows = run.rows.map { (row: $0.row, ordinal: $0.ordinal) }
        let outcomes = try transaction.saveImported(rows) { progress?($0, rows.count) }
        try run.take(outcomes, transaction.reading)
        var summary = run.summary
        guard !isDryRun, summary.problems.isEmpty else { throw TakenBack(summary: summary) }
        summary.isSaved = true
        return summary
      }
    } catch let taken as TakenBack {
      return taken.summary
    }
  }
}

/// Ends a storage transaction without a trace, with what it came to.
private struct TakenBack: Error {
  let summary: ImportSummary
}

/// An import under way.
private struct ImportRun {
  struct Row {
    var line: Int
    var row: ImportedRow
    var ordinal: Int
  }

  var summary = ImportSummary()
  private(set) var rows: [Row] = []
  private let table: FileTable
  private var reading: RowReading
  /// The assets that rows have added to.
  private var assets: Set<AssetKey> = []

  init(_ table: FileTable, _ reading: RowReading) {
    self.table = table
    self.reading = reading
    summary.rows = table.rows.count
    summary.ignoredColumns = reading.ignoredColumns
  }

  /// Makes of the file's rows what is imported.
  mutating func read(_ state: borrowing StoreReadTransaction) throws {
    var counter = ImportedRowCounter()
    for row in table.rows {
      do {
        guard case .row(let imported) = try reading.item(try row.values.get(), state) else {
          summary.snapshots += 1
          continue
        }
        let (ordinal, first) = counter.count(imported, at: row.line)
        rows.append(Row(line: row.line, row: imported, ordinal: ordinal))
        if ordinal > 0 {
          doubt(row.line, "importEqualRow", "equal to line \(first); it counts as one more")
        }
      } catch let error as any DomainError {
        // What storage throws is no fault of the line.
        if error is StoreError { throw error }
        summary.problems.append(Self.remark(row.line, error))
      }
    }
  }

  /// Counts what became of the rows.
  mutating func take(
    _ outcomes: [ImportedRowOutcome], _ state: borrowing StoreReadTransaction
  ) throws {
    let hasTable = try state.assetTableCount() > 0
    for (row, outcome) in zip(rows, outcomes) {
      switch outcome {
      case .refused(let error): summary.problems.append(Self.remark(row.line, error))
      case .repeated: summary.repeated += 1
      case .nothing:
        summary.unchanged += 1
        if case .holding = row.row { doubt(row.line, "importNothing", "the amount is 0") }
      case .put(_, let before):
        summary.documents += 1
        guard let before else { continue }
        let what = before.isDeleted ? "is there and stays deleted" : "is there, with other fields"
        doubt(row.line, "importDocumentExists", "the document \(before.key.id.text) \(what)")
      case .added(_, let before):
        summary.holdings += 1
        try look(at: row, before, state, hasTable: hasTable)
      }
    }
    summary.doubtful.sort { $0.line < $1.line }
    summary.problems.sort { $0.line < $1.line }
  }

  /// Says what may not be meant so of a row that adds to a holding.
  private mutating func look(
    at row: Row, _ before: Holding, _ state: borrowing StoreReadTransaction, hasTable: Bool
  ) throws {
    let asset = before.asset
    if case .holding(_, let amount, _) = row.row, amount.units < 0 {
      doubt(row.line, "importSale", "the amount is below 0: the row sells")
    }
    guard assets.insert(asset).inserted else { return }
    if !before.isHidden {
      doubt(
        row.line, "importAlreadyHeld",
        "\(before.amount.decimalText) of \(asset) are held already; the row adds to them")
    }
    if hasTable, try state.info(of: asset) == nil {
      doubt(row.line, "importNotInTable", "the asset table has no \(asset)")
    }
  }

  private mutating func doubt(_ line: Int, _ code: String, _ message: String) {
    summary.doubtful.append(ImportRemark(line: line, code: code, message: message))
  }

  private static func remark(_ line: Int, _ error: any DomainError) -> ImportRemark {
    ImportRemark(line: line, code: error.code, message: error.message, hint: error.hint)
  }
}
