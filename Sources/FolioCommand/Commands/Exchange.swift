import FolioApp
import FolioArguments
import FolioDomain
import FolioJSON

extension Command {
  static let export = Command(
    "export", "Write holdings, documents and snapshots into a file, as CSV or JSON",
    details: """
      What is exported and imported into an empty store gives the same holdings, categories and \
      documents; snapshots are for other programs and are not imported.
      """,
    arguments: [Argument("FILE", "A file that is not there yet; .csv or .json says the form")],
    options: [
      Option(
        "format", "FORM", "The form, where the name does not say it",
        choices: ExportFormat.allCases.map(\.rawValue)),
      Option(
        "only", "CONTENT", "Only a part of it", choices: ExportContent.allCases.map(\.rawValue)),
    ],
    session: { session in try session.export() })

  static let importing = Command(
    "import", "Add the holdings and documents of a CSV or JSON file, all of them or none",
    details: """
      The columns' names say what they are: asset, or type and id, or symbol; amount; category. \
      Otherwise a map does: --map symbol=Ticker,type:=stock,amount=#3 takes the symbol from the \
      column Ticker and the amount from the third, all of them stocks. Everything is recorded at \
      the time of the import. A file that is imported again adds nothing; equal lines of a file \
      are counted. Ends with 65 where a line cannot be imported: all such lines are listed, and \
      nothing is saved.
      """,
    arguments: [Argument("FILE", "The file: CSV with a header, or JSON")],
    options: [
      Option("map", "FIELD=COLUMN,...", "Which columns say what; FIELD=#N, FIELD:=TEXT"),
      Option("dry-run", "Say what would be imported, and save nothing"),
    ],
    session: { session in try session.importing() })
}

extension Session {
  fileprivate func export() throws {
    let file = try invocation.required("FILE")
    let contents = invocation.option("only").flatMap { ExportContent(rawValue: $0) }.map { [$0] }
    let format = try exportFormat(of: file)
    defer { console.endProgress() }
    let summary = try withPortfolio { portfolio in
      try portfolio.export(to: file, format, Set(contents ?? ExportContent.allCases)) {
        console.progress("snapshots", $0, of: $1)
      }
    }
    console.endProgress()
    try console.say(
      .row([
        "file": .string(file), "format": .string(format.rawValue),
        "holdings": .count(summary.holdings), "documents": .count(summary.documents),
        "snapshots": .count(summary.snapshots), "bytes": .count(summary.byteCount),
      ]),
      text:
        "wrote \(summary.holdings.counted("holding")), \(summary.documents.counted("document")) and "
        + "\(summary.snapshots.counted("snapshot")) to \(file)")
  }

  private func exportFormat(of file: String) throws -> ExportFormat {
    if let named = invocation.option("format").flatMap({ ExportFormat(rawValue: $0) }) {
      return named
    }
    let ending = file.split(separator: ".").last?.lowercased() ?? ""
    guard let format = ExportFormat(rawValue: ending) else {
      throw Failure(
        code: "exportFormatUnknown", message: "'\(file)' does not say its form",
        hint: "end the name with .csv or .json, or say --format csv", exit: .usage)
    }
    return format
  }

  fileprivate func importing() throws {
    let map = try invocation.option("map").map { try ImportMap($0) } ?? ImportMap()
    let isDryRun = invocation.flag("dry-run")
    let file = try invocation.required("FILE")
    defer { console.endProgress() }
    let summary = try withPortfolio { portfolio in
      try portfolio.importFile(at: file, map: map, isDryRun: isDryRun) {
        console.progress("rows", $0, of: $1)
      }
    }
    console.endProgress()
    let say = {
      try console.say(.imported(summary, file, isDryRun), text: text(summary, isDryRun))
    }
    if summary.problems.isEmpty { return try say() }
    let refusal = Failure(
      code: "importRefused",
      message:
        "\(summary.problems.count) of \(summary.rows) rows cannot be imported; nothing is",
      hint: "mend the lines that are listed, or leave them out", exit: .data)
    try console.end(with: refusal, say)
  }

  private func text(_ summary: ImportSummary, _ isDryRun: Bool) -> String {
    var lines: [String] = []
    for remark in summary.problems {
      lines.append(
        "line \(remark.line): \(remark.message)" + (remark.hint.map { " - \($0)" } ?? ""))
    }
    for remark in summary.doubtful {
      lines.append("line \(remark.line): look at this: \(remark.message)")
    }
    if !summary.ignoredColumns.isEmpty {
      lines.append("columns that are not taken: \(summary.ignoredColumns.joined(separator: ", "))")
    }
    let counts =
      "\(summary.holdings.counted("holding")) and \(summary.documents.counted("document"))"
    if summary.isSaved || isDryRun {
      lines.append((summary.isSaved ? "imported " : "would import ") + counts)
    } else {
      lines.append("nothing is imported")
    }
    for (count, what) in [
      (summary.repeated, "imported before, which add nothing"),
      (summary.unchanged, "that change nothing"),
      (summary.snapshots, "of snapshots, which are not imported"),
    ] where count > 0 {
      lines.append("\(count.counted("row")) \(what)")
    }
    return lines.map(TerminalText.plain).joined(separator: "\n") + "\n"
  }
}
