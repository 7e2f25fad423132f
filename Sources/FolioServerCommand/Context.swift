import FolioArguments
import FolioCrypto
import FolioDomain
import FolioServer
import FolioSystem

/// What every command works with: the folder, the clock, and where the answer goes.
struct Context {
  let path: String
  let clock: any WallClock
  let random = SystemRandom()
  let console: Console

  init(_ invocation: Invocation) throws {
    guard let path = invocation.option("data"), !path.isEmpty else {
      throw Failure.usage("--data is missing", hint: "folio-server --data DIR COMMAND")
    }
    self.path = path
    clock = try ProcessEnvironment.wallClock()
    console = Console(invocation)
  }

  /// The folder, which is made where it is missing.
  func openOrMake() throws -> ServerFolder {
    try ServerFolder.openOrMake(at: path, random: random, now: clock.now())
  }

  /// The folder, which must be there.
  func open() throws -> ServerFolder { try ServerFolder.open(at: path) }

  /// The bytes of a file that the user named; `-` is standard input.
  func read(_ file: String) throws -> [UInt8] {
    try Files.read(file == "-" ? "/dev/stdin" : file, byteCountMax: Self.fileByteLimit)
  }

  /// The most bytes of a file to import.
  static let fileByteLimit = 1 << 30
}
