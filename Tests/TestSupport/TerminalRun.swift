#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What a program left behind that ran on a terminal.
public struct TerminalRun: Sendable {
  /// The exit status; 128 and the signal's number where a signal ended it.
  public let status: Int32
  /// What it wrote to standard output, which was a file.
  public let output: String
  /// What the terminal showed: standard error, and what was typed.
  public let screen: String

  /// The lines of standard output, without their ends.
  public var lines: [String] { output.split(separator: "\n").map(String.init) }
}

/// Keys that are typed once the terminal shows something.
public struct TypedKeys: Sendable {
  let text: String
  let keys: String

  /// `keys`, typed once `text` is shown, after what was shown when keys were typed last.
  public init(_ keys: String, after text: String) {
    self.keys = keys
    self.text = text
  }
}

extension BuiltProgram {
  /// Runs the program to its end on a pseudo terminal of its own, which its standard input and standard
  /// error are.
  ///
  /// - Parameters:
  ///   - arguments: What follows its name.
  ///   - environment: Variables set beside those of the tests; nil removes one.
  ///   - typing: What is typed, in this order.
  /// - Throws: ``CommandFailure`` where it has not ended after a minute.
  public func runOnTerminal(
    _ arguments: [String], environment: [String: String?] = [:], typing: [TypedKeys] = []
  ) throws -> TerminalRun {
    var terminal = try PseudoTerminal()
    let scratch = try TemporaryFolder("terminal")
    var variables = environment
    variables["RUN_TTY"] = terminal.path
    variables["RUN_OUT"] = scratch.path + "/out"
    let script =
      "exec setsid --ctty --wait \"$0\" \"$@\" <\"$RUN_TTY\" >\"$RUN_OUT\" 2>\"$RUN_TTY\""
    let pid = try spawn(["/bin/sh", "-c", script, path] + arguments, environment: variables)
    var left = typing[...]
    var status: Int32 = 0
    for _ in 0..<6_000 {
      try terminal.read(milliseconds: 10)
      if let next = left.first, terminal.shows(next.text) {
        try terminal.type(next.keys)
        left.removeFirst()
      }
      if waitpid(pid, &status, WNOHANG) == pid {
        while try terminal.read(milliseconds: 0) {}
        return TerminalRun(
          status: exitStatus(status), output: try scratch.text(of: "out"), screen: terminal.text)
      }
    }
    kill(pid, SIGKILL)
    _ = wait(for: pid)
    throw CommandFailure(message: "it did not end: \(terminal.text)")
  }
}

/// A terminal whose keys are typed by a test.
private struct PseudoTerminal: ~Copyable {
  /// The file that a program opens as its terminal.
  let path: String
  private let keyboard: Int32
  /// Held open, so that the terminal lasts from the first program on it to the last.
  private let screen: Int32
  private var shown: [UInt8] = []
  /// How much was shown when keys were typed last.
  private var seen = 0

  /// Requests of Linux, since the functions made of them are not to be had in Swift: TIOCSPTLCK and
  /// TIOCGPTN.
  private static let setLock: UInt = 0x4004_5431
  private static let getNumber: UInt = 0x8004_5430

  init() throws {
    let keyboard = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var isLocked: Int32 = 0
    var number: UInt32 = 0
    guard keyboard >= 0, ioctl(keyboard, Self.setLock, &isLocked) == 0,
      ioctl(keyboard, Self.getNumber, &number) == 0
    else { throw CommandFailure(message: "there is no pseudo terminal: error \(errno)") }
    path = "/dev/pts/\(number)"
    self.keyboard = keyboard
    screen = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
  }

  deinit {
    close(screen)
    close(keyboard)
  }

  /// Everything that was shown.
  var text: String { String(decoding: shown, as: UTF8.self) }

  /// Whether a text was shown since keys were typed last.
  func shows(_ text: String) -> Bool {
    String(decoding: shown[seen...], as: UTF8.self).contains(text)
  }

  mutating func type(_ keys: String) throws {
    seen = shown.count
    let bytes = Array(keys.utf8)
    guard write(keyboard, bytes, bytes.count) == bytes.count else {
      throw CommandFailure(message: "nothing can be typed: error \(errno)")
    }
  }

  /// Takes in what is shown within that time; says whether anything was.
  @discardableResult
  mutating func read(milliseconds: Int32) throws -> Bool {
    var waiting = pollfd(fd: keyboard, events: Int16(POLLIN), revents: 0)
    guard poll(&waiting, 1, milliseconds) > 0, waiting.revents & Int16(POLLIN) != 0 else {
      return false
    }
    var buffer = [UInt8](repeating: 0, count: 4_096)
    #if canImport(Glibc)
      let count = Glibc.read(keyboard, &buffer, buffer.count)
    #else
      let count = Darwin.read(keyboard, &buffer, buffer.count)
    #endif
    guard count > 0 else { throw CommandFailure(message: "the terminal is gone: error \(errno)") }
    shown += buffer[..<count]
    return true
  }
}
