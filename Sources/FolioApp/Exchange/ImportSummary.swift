/// What importing a file came to, or would come to.
public struct ImportSummary: Hashable, Sendable {
  /// Rows of the file.
  public var rows = 0
  /// Rows that add to a holding.
  public var holdings = 0
  /// Rows that set fields of a document.
  public var documents = 0
  /// Rows that were imported before and add nothing.
  public var repeated = 0
  /// Rows that change nothing.
  public var unchanged = 0
  /// Rows of snapshots, which are history and are not imported.
  public var snapshots = 0
  /// Columns that say nothing an import takes, such as a date: nothing is recorded at an earlier time.
  public var ignoredColumns: [String] = []
  /// Lines to look at: imported, but perhaps not meant so.
  public var doubtful: [ImportRemark] = []
  /// Lines that cannot be imported; where there is one, nothing is.
  public var problems: [ImportRemark] = []
  /// Whether it is in the store: neither tried only, nor refused.
  public var isSaved = false

  /// The transactions that are made: one for each row that counts.
  public var transactions: Int { holdings + documents }
}

/// What is to be said of a line of a file.
public struct ImportRemark: Hashable, Sendable {
  /// The line, from 1.
  public var line: Int
  /// A stable name.
  public var code: String
  /// What is to be said.
  public var message: String
  /// What to do about it; nil where there is nothing to.
  public var hint: String?
}
