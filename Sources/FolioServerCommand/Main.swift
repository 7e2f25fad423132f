import FolioArguments

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@main
struct Main {
  static func main() {
    let code = serverProgram.main(Array(CommandLine.arguments.dropFirst()), failure: failure)
    exit(code.rawValue)
  }
}
