import FolioSystem

/// Does one of the hot paths so many times, for its instructions to be counted.
///
///     folio-counts PATH TIMES
///     folio-counts
///
/// Without arguments it names the paths. What is counted is the difference of two runs, so that
/// starting the program and making what a path works on count for nothing.
@main
enum Main {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.isEmpty {
      for path in HotPath.allCases { print(path.rawValue) }
      return
    }
    guard arguments.count == 2, let path = HotPath(rawValue: arguments[0]),
      let times = Int(arguments[1]), times >= 0
    else { fail("usage: folio-counts PATH TIMES", status: 64) }
    do {
      let work = try path.work()
      for number in 0..<times { try work(number) }
    } catch {
      fail("\(path.rawValue): \(error)", status: 70)
    }
  }

  private static func fail(_ message: String, status: Int32) -> Never {
    try? FileDescriptor.standardError.writeAll(Array("\(message)\n".utf8))
    RunningProgram.exit(status)
  }
}
