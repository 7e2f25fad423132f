import FolioArguments
import FolioSystem

@main
struct Main {
  static func main() {
    let code = program.main(Array(CommandLine.arguments.dropFirst()), failure: Failure.init)
    RunningProgram.exit(code.rawValue)
  }

  private static let program = Program(
    "folio", "A store of holdings and documents that survives the loss of its device.",
    version: "0.1.0",
    options: [Option("store", "DIR", "The store's folder; $FOLIO_STORE, else the data folder")],
    commands: [
      .initialize, .asset, .category, .edit, .record, .document, .sync, .restore, .snapshot,
      .report, .watch, .settings, .status,
      .verify, .repair, .backup, .export, .importing, .demo,
    ],
    variables: [
      Program.Variable("FOLIO_STORE", "The store's folder, where --store does not name it"),
      Program.Variable("XDG_DATA_HOME", "The data folder, which holds the store otherwise"),
      Program.Variable(
        "FOLIO_CLOCK", "The time to begin with, like 2026-03-01T07:00:00Z; for tests"),
      Program.Variable("COLUMNS", "How wide tables are, where no terminal says so"),
    ])
}
