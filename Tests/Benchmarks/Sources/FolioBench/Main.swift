import Foundation

/// Measures what the project promises about speed and size, side by side with its peers.
///
///     folio-bench [--folder DIR] [page] [save] [list] [observe] [restore]
///
/// Prints a JSON line for each figure, then a table; exits with 1 where a bar is missed. What is
/// durable is written below the folder, which has to be on a disk.
@main
enum FolioBench {
  static func main() {
    do {
      exit(try run(Array(CommandLine.arguments.dropFirst())) ? 0 : 1)
    } catch {
      FileHandle.standardError.write(Data("error: \(error)\n".utf8))
      exit(70)
    }
  }

  private static func run(_ arguments: [String]) throws -> Bool {
    let choice = try Choice(arguments)
    // Gone again where nothing is left in it.
    defer { rmdir(choice.folder) }
    let output = Output()
    let machine = Machine(folder: choice.folder)
    if machine.isInMemory {
      throw Command.Failed(
        description: "\(choice.folder) is in memory; name one on a disk by --folder")
    }
    try output.head(machine)
    if choice.includes("page") { try PageBenchmark.run(output) }
    if choice.includes("save") { try SaveBenchmark.run(output, below: choice.folder) }
    if choice.includes("list") { try ListBenchmark.run(output, below: choice.folder) }
    if choice.includes("observe") { try ObserveBenchmark.run(output, below: choice.folder) }
    if choice.includes("restore") {
      try RestoreBenchmark.run(output, below: choice.folder, programs: Programs())
    }
    output.table(machine)
    return output.allReached
  }
}

/// What the command line asks for.
private struct Choice {
  static let names = ["page", "save", "list", "observe", "restore"]
  var folder: String
  var names: Set<String> = []

  init(_ arguments: [String]) throws {
    // Beside the program: on the disk that it was built on.
    let program = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    folder = program.deletingLastPathComponent().appending(path: "folio-bench-data").path
    var rest = arguments[...]
    while let word = rest.popFirst() {
      if word == "--folder", let path = rest.popFirst() {
        folder = URL(fileURLWithPath: path).path
      } else if Self.names.contains(word) {
        names.insert(word)
      } else {
        throw Command.Failed(
          description: "usage: folio-bench [--folder DIR] [\(Self.names.joined(separator: "] ["))]")
      }
    }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  func includes(_ name: String) -> Bool { names.isEmpty || names.contains(name) }
}
