import Foundation

/// Measures what the project promises about speed and size, side by side with its peers.
///
///     folio-bench [--long] [--folder DIR] [--programs DIR] [--plot FILE] [NAME]...
///     folio-bench --list
///
/// Prints a JSON line for each figure, then a table; exits with 1 where a bar is missed. What is
/// durable is written below the folder, which has to be on a disk. The project's programs are taken from
/// the folder of programs, this program's own where none is named.
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
    if choice.listsOnly {
      list(choice)
      return true
    }
    try FileManager.default.createDirectory(
      atPath: choice.folder, withIntermediateDirectories: true)
    // Gone again where nothing is left in it.
    defer { rmdir(choice.folder) }
    let output = Output()
    let machine = Machine(
      folder: choice.folder, libraries: choice.libraries, isLong: choice.isLong)
    if machine.isInMemory {
      throw Command.Failed(
        description: "\(choice.folder) is in memory; name one on a disk by --folder")
    }
    try output.head(machine)
    let run = Run(
      output: output, folder: choice.folder, programFolder: choice.programFolder,
      isLong: choice.isLong)
    for benchmark in choice.benchmarks {
      output.note("\(benchmark.name): \(benchmark.size.text(isLong: choice.isLong))")
      let begin = Stopwatch.wall()
      try benchmark.measure(run)
      let seconds = Double(Stopwatch.wall() - begin) / 1e9
      output.note("\(benchmark.name): done in \(seconds.text) s")
    }
    output.table(machine)
    if let plot = choice.plot, !output.growths.isEmpty {
      try Data(Plot(output.growths).svg.utf8).write(to: URL(fileURLWithPath: plot))
      output.note("growth is drawn in \(plot)")
    }
    return output.allReached
  }

  private static func list(_ choice: Choice) {
    for benchmark in choice.benchmarks {
      print("\(benchmark.name): \(benchmark.title); \(benchmark.bar)")
      let size = benchmark.size
      print("  short: \(size.text(isLong: false)); long: \(size.text(isLong: true))")
    }
  }
}

/// What the command line asks for.
private struct Choice {
  private(set) var folder: String
  private(set) var programFolder: String
  private(set) var plot: String?
  private(set) var isLong = false
  private(set) var listsOnly = false
  private(set) var benchmarks: [any Benchmark.Type] = []

  init(_ arguments: [String]) throws {
    // Beside the program: on the disk that it was built on.
    let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    programFolder = program.deletingLastPathComponent().path
    folder = programFolder + "/folio-bench-data"
    var names: Set<String> = []
    var rest = arguments[...]
    while let word = rest.popFirst() {
      switch word {
      case "--folder": folder = URL(fileURLWithPath: try Self.value(&rest)).path
      case "--programs": programFolder = URL(fileURLWithPath: try Self.value(&rest)).path
      case "--plot": plot = try Self.value(&rest)
      case "--long": isLong = true
      case "--list": listsOnly = true
      case _ where Benchmarks.all.contains { $0.name == word }: names.insert(word)
      default: throw Self.usage
      }
    }
    benchmarks = Benchmarks.all.filter { names.isEmpty || names.contains($0.name) }
  }

  /// The libraries and peers of the chosen benchmarks, each once.
  var libraries: [String] {
    var found: [String] = []
    for library in benchmarks.flatMap({ $0.libraries() }) where !found.contains(library) {
      found.append(library)
    }
    return found
  }

  private static func value(_ rest: inout ArraySlice<String>) throws -> String {
    guard let value = rest.popFirst() else { throw usage }
    return value
  }

  private static var usage: Command.Failed {
    let names = Benchmarks.all.map { $0.name }.joined(separator: ", ")
    return Command.Failed(
      description: "usage: folio-bench [--long] [--folder DIR] [--programs DIR] [--plot FILE] "
        + "[--list] [NAME]...\n"
        + "names: \(names)")
  }
}
