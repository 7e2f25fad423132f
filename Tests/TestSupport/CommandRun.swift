#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What a program left behind: its exit status and what it wrote.
public struct CommandRun: Sendable {
  /// The exit status; 128 and the signal's number where a signal ended it.
  public let status: Int32
  /// What it wrote to standard output.
  public let output: String
  /// What it wrote to standard error.
  public let errors: String

  /// The lines of standard output, without their ends.
  public var lines: [String] { output.split(separator: "\n").map(String.init) }
}

/// A program that could not be started.
public struct CommandFailure: Error {
  /// What could not be done, and why.
  public let message: String
}

/// A program under test, beside the test bundle in the build folder.
public struct BuiltProgram: Sendable {
  /// Its path.
  public let path: String

  /// The program of that product name, found beside the running tests.
  public init(_ name: String) {
    path = Self.productsFolder + "/" + name
  }

  /// The folder in which the build put the tests and the programs.
  public static let productsFolder: String = {
    let runner = CommandLine.arguments.first ?? ""
    // The test bundle is named in the arguments, or is the program itself.
    let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? runner
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let resolved = realpath(bundle, &buffer) == nil ? bundle : text(of: buffer)
    return resolved.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      .joined(separator: "/")
  }()

  /// Runs the program to its end.
  ///
  /// - Parameters:
  ///   - arguments: What follows its name.
  ///   - environment: Variables set beside those of the tests; nil removes one.
  ///   - input: What it reads from standard input.
  ///   - folder: Its working folder; the tests' own where nil.
  ///   - minutes: After how many it is killed.
  public func run(
    _ arguments: [String], environment: [String: String?] = [:], input: String = "",
    folder: String? = nil, within minutes: Int = 2
  ) throws -> CommandRun {
    let scratch = try TemporaryFolder("run")
    let files = ["in", "out", "err"].map { scratch.path + "/" + $0 }
    try scratch.write(Array(input.utf8), to: "in")
    var script = "exec \"$0\" \"$@\" <\"$RUN_IN\" >\"$RUN_OUT\" 2>\"$RUN_ERR\""
    if let folder { script = "cd '\(folder)' && " + script }
    var variables = environment
    variables["RUN_IN"] = files[0]
    variables["RUN_OUT"] = files[1]
    variables["RUN_ERR"] = files[2]
    let pid = try spawn(["/bin/sh", "-c", script, path] + arguments, environment: variables)
    let status = wait(for: pid, within: minutes)
    return CommandRun(
      status: status, output: try scratch.text(of: "out"), errors: try scratch.text(of: "err"))
  }
}

/// Starts a program with those variables beside the tests' own.
public func spawn(_ words: [String], environment: [String: String?]) throws -> Int32 {
  var variables: [String: String] = [:]
  var next = environ
  while let entry = next.pointee {
    let pair = String(cString: entry).split(separator: "=", maxSplits: 1)
    if pair.count == 2 { variables[String(pair[0])] = String(pair[1]) }
    next += 1
  }
  for (name, value) in environment { variables[name] = value }
  var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
  var settings: [UnsafeMutablePointer<CChar>?] = variables.map { strdup("\($0.key)=\($0.value)") }
  arguments.append(nil)
  settings.append(nil)
  defer { for word in arguments + settings { free(word) } }
  // The tests' threads block signals; a program that inherited that would be deaf to them.
  var attributes = posix_spawnattr_t()
  var none = sigset_t()
  sigemptyset(&none)
  posix_spawnattr_init(&attributes)
  posix_spawnattr_setsigmask(&attributes, &none)
  posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
  defer { posix_spawnattr_destroy(&attributes) }
  var pid: pid_t = 0
  let code = posix_spawn(&pid, words[0], nil, &attributes, arguments, settings)
  guard code == 0 else {
    throw CommandFailure(message: "\(words[0]) was not started: error \(code)")
  }
  return pid
}

/// Waits until a started program has ended; one that has not after those minutes is killed.
public func wait(for pid: Int32, within minutes: Int = 2) -> Int32 {
  var status: Int32 = 0
  for _ in 0..<30_000 * minutes {
    let ended = waitpid(pid, &status, WNOHANG)
    if ended == pid { return exitStatus(status) }
    if ended < 0, errno != EINTR { return -1 }
    usleep(2_000)
  }
  kill(pid, SIGKILL)
  return waitForEnd(of: pid)
}

/// Waits until a started program has ended, however long it takes, and misses no time.
public func waitForEnd(of pid: Int32) -> Int32 {
  var status: Int32 = 0
  while waitpid(pid, &status, 0) < 0 {
    if errno != EINTR { return -1 }
  }
  return exitStatus(status)
}

func exitStatus(_ status: Int32) -> Int32 {
  status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f)
}

private func text(of buffer: [CChar]) -> String {
  String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

extension CommandRun {
  /// Runs a line of shell.
  public static func shell(_ line: String) throws -> CommandRun {
    try BuiltProgram(at: "/bin/sh").run(["-c", line])
  }
}

extension BuiltProgram {
  /// The program at that path.
  public init(at path: String) { self.path = path }
}
