import FolioArguments
import FolioSystem

@main
struct Main {
  static func main() {
    let words = Array(CommandLine.arguments.dropFirst())
    let code = conformanceProgram.main(joined(words)) { error in
      Failure(
        code: "internal", message: "\(error)", hint: "this is a fault of the program",
        exit: .internal)
    }
    RunningProgram.exit(code.rawValue)
  }

  /// The words after `--` are one line of shell.
  private static func joined(_ words: [String]) -> [String] {
    guard let mark = words.firstIndex(of: "--"), mark + 1 < words.count else { return words }
    return words[...mark] + [words[(mark + 1)...].joined(separator: " ")]
  }
}
