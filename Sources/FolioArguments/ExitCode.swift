/// How a program ends: the codes of sysexits that these programs use.
public enum ExitCode: Int32, Sendable, CaseIterable {
  /// Done.
  case done = 0
  /// The command line is wrong.
  case usage = 64
  /// Bad data, or something was found to be wrong with it.
  case data = 65
  /// No such store or input.
  case noInput = 66
  /// The server was not reached.
  case unavailable = 69
  /// A fault of the program.
  case `internal` = 70
  /// Something is there already, or cannot be made.
  case cannotCreate = 73
  /// Input or output failed.
  case io = 74
  /// Locked, or a decision is needed: try again.
  case tryAgain = 75
  /// The other side broke the protocol, or speaks another version of it.
  case `protocol` = 76
  /// Not allowed.
  case notAllowed = 77
}

extension ExitCode {
  /// What the code says, in a line.
  public var summary: String {
    switch self {
    case .done: "done"
    case .usage: "the command line is wrong"
    case .data: "bad data, or something was found to be wrong with it"
    case .noInput: "no such store or input"
    case .unavailable: "the server was not reached"
    case .internal: "a fault of the program"
    case .cannotCreate: "something is there already, or cannot be made"
    case .io: "input or output failed"
    case .tryAgain: "locked, or a decision is needed: try again"
    case .protocol: "the other side broke the protocol, or speaks another version"
    case .notAllowed: "not allowed"
    }
  }
}

/// Why a command did not do what was asked, as a person and a program are told.
public struct Failure: Error, Hashable, Sendable {
  /// A stable name, for programs.
  public var code: String
  /// What, where, which limit.
  public var message: String
  /// What to do.
  public var hint: String
  /// How the program ends.
  public var exit: ExitCode

  /// A failure of those members.
  public init(code: String, message: String, hint: String, exit: ExitCode) {
    self.code = code
    self.message = message
    self.hint = hint
    self.exit = exit
  }

  /// A command line that is wrong.
  public static func usage(
    _ message: String, hint: String, code: String = "usage"
  ) -> Failure {
    Failure(code: code, message: message, hint: hint, exit: .usage)
  }
}
