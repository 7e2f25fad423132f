public import FolioJSON

/// Why a line was not taken, and where in it.
public struct WireError: Error, Hashable, Sendable {
  /// What is wrong.
  public var code: Code
  /// How many bytes of the line stand before the fault.
  public var offset: Int
  /// The request that the line makes, where that could be read and the fault is one that a request
  /// may be refused for, leaving the connection as it is.
  public var request: RequestID?

  /// The fault `code` at `offset`.
  public init(_ code: Code, at offset: Int, request: RequestID? = nil) {
    self.code = code
    self.offset = offset
    self.request = request
  }

  /// What can be wrong with a line.
  @nonexhaustive
  public enum Code: Hashable, Sendable {
    /// The line is longer than it may be; the offset is the limit.
    case lineTooLong
    /// A carriage return that does not come right before the end of the line.
    case strayCarriageReturn
    /// The input ended without the end of a line; the offset is the number of bytes after the last.
    case unterminatedLine
    /// The line is not the JSON that belongs there.
    case json(JSONError.Code)
  }
}

extension WireError.Code {
  /// The stable name of the fault, as it is written to a peer.
  public var text: String {
    switch self {
    case .lineTooLong: "line_too_long"
    case .strayCarriageReturn: "stray_carriage_return"
    case .unterminatedLine: "unterminated_line"
    case .json(let code): code.rawValue
    }
  }

  /// The fault in words, without anything of the line.
  public var explanation: String {
    switch self {
    case .lineTooLong: "the line is too long"
    case .strayCarriageReturn: "a carriage return within a line"
    case .unterminatedLine: "the input ended within a line"
    case .json(let code): code.explanation
    }
  }
}

extension WireError: CustomStringConvertible {
  /// What and where, without anything of the line.
  public var description: String { "\(code.explanation) at byte \(offset)" }
}
