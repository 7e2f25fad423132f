import FolioDomain
import FolioJSON
import FolioStore
import FolioSystem

/// What an export came to.
public struct ExportSummary: Hashable, Sendable {
  /// Holdings written.
  public var holdings = 0
  /// Documents written.
  public var documents = 0
  /// Snapshots written, each with a row for each of its assets.
  public var snapshots = 0
  /// Bytes of the file.
  public var byteCount = 0
}

extension Portfolio {
  /// Writes holdings, documents and snapshots into a file that is not there yet, as they are in one
  /// state of the store.
  ///
  /// What is exported and imported into an empty store gives the same holdings, categories and
  /// fields of documents; the times are those of the import. An asset of which nothing is held and a
  /// deleted document are not written.
  /// - Parameters:
  ///   - path: The file.
  ///   - format: Its form.
  ///   - contents: What is written.
  ///   - progress: Told how many snapshots are done, and of how many.
  /// - Throws: `FileError`, with `EEXIST` where something has the name; `StoreError`. There is no file
  ///   then.
  /// - Complexity: O(assets), O(documents) and O(slots x assets), in memory of a page.
  public func export(
    to path: String, _ format: ExportFormat,
    _ contents: Set<ExportContent> = Set(ExportContent.allCases),
    progress: ((Int, Int) -> Void)? = nil
  ) throws -> ExportSummary {
    var summary = ExportSummary()
    try Files.writeNew(path) { append in
      try store.read { state in
        var writing = ExportWriting(format, contents, append)
        if contents.contains(.holdings) { summary.holdings = try writing.addHoldings(state) }
        if contents.contains(.documents) { summary.documents = try writing.addDocuments(state) }
        if contents.contains(.snapshots) {
          summary.snapshots = try writing.addSnapshots(state, progress)
        }
        summary.byteCount = try writing.finish()
      }
    }
    return summary
  }
}
