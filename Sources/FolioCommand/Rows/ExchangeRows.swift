import FolioApp
import FolioJSON

extension JSONValue {
  /// What an import came to, or would come to.
  static func imported(_ summary: ImportSummary, _ file: String, _ isDryRun: Bool) -> JSONValue {
    row([
      "file": .string(file), "dryRun": .bool(isDryRun), "saved": .bool(summary.isSaved),
      "rows": count(summary.rows), "holdings": count(summary.holdings),
      "documents": count(summary.documents), "repeated": count(summary.repeated),
      "unchanged": count(summary.unchanged), "snapshots": count(summary.snapshots),
      "transactions": count(summary.isSaved ? summary.transactions : 0),
      "ignoredColumns": .array(summary.ignoredColumns.map(JSONValue.string)),
      "doubtful": .array(summary.doubtful.map(remark)),
      "problems": .array(summary.problems.map(remark)),
    ])
  }

  private static func remark(_ remark: ImportRemark) -> JSONValue {
    row([
      "line": count(remark.line), "code": .string(remark.code),
      "message": .string(remark.message), "hint": text(remark.hint),
    ])
  }
}
