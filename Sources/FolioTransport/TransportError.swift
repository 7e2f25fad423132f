public import FolioDomain
public import FolioSystem

/// Why bytes do not get to the other side, or from it.
@nonexhaustive
public enum TransportError: DomainError, Hashable {
  /// Nobody listens at the address.
  case refused(address: String)
  /// Connecting took longer than was allowed.
  case connectTimedOut(address: String, after: Duration)
  /// The system found no way to the address.
  case unreachable(address: String, errno: Errno)
  /// The address to listen on is another's.
  case addressInUse(address: String)
  /// The system does not let this process listen there.
  case cannotListen(address: String, errno: Errno)
  /// The program at the other end could not be started.
  case cannotStart(errno: Errno)
  /// The peer did not take what was sent before the deadline.
  case timedOut
  /// The peer threw the connection away.
  case reset
  /// This side has closed the connection.
  case closed
  /// No descriptor is left for it.
  case tooManyFiles
  /// The system refused; `operation` says what was tried.
  case failed(operation: String, errno: Errno)
}

extension TransportError {
  /// The stable name of the kind of failure.
  public var code: String {
    switch self {
    case .refused: "connectionRefused"
    case .connectTimedOut: "connectTimedOut"
    case .unreachable: "serverUnreachable"
    case .addressInUse: "addressInUse"
    case .cannotListen: "cannotListen"
    case .cannotStart: "cannotStart"
    case .timedOut: "connectionTimedOut"
    case .reset: "connectionReset"
    case .closed: "connectionClosed"
    case .tooManyFiles: "tooManyFiles"
    case .failed: "connectionFailed"
    }
  }

  /// What is wrong, where, and which limit is passed.
  public var message: String {
    switch self {
    case .refused(let address): "nobody listens at \(address)"
    case .connectTimedOut(let address, let after):
      "no answer from \(address) within \(after.wholeMilliseconds) ms"
    case .unreachable(let address, let errno): "cannot reach \(address): \(errno)"
    case .addressInUse(let address): "\(address) is in use"
    case .cannotListen(let address, let errno): "cannot listen on \(address): \(errno)"
    case .cannotStart(let errno): "cannot start the server's command: \(errno)"
    case .timedOut: "the other side takes nothing more"
    case .reset: "the other side broke the connection off"
    case .closed: "the connection is closed"
    case .tooManyFiles: "no file descriptor is left for a connection"
    case .failed(let operation, let errno): "cannot \(operation) the connection: \(errno)"
    }
  }

  /// What to do about it.
  public var hint: String {
    switch self {
    case .refused, .connectTimedOut, .unreachable:
      "check that the server runs, and its host and port"
    case .addressInUse: "end what listens there, or name another port"
    case .cannotListen: "name a port above 1023 of 127.0.0.1 or ::1"
    case .cannotStart: "check the command after stdio:"
    case .timedOut, .reset, .closed, .failed: "try again; nothing that was saved is lost"
    case .tooManyFiles: "raise the limit on open files (ulimit -n)"
    }
  }

  /// The error of a read, a write or a wait that the system refused.
  static func of(_ errno: Errno, operation: String) -> TransportError {
    switch errno {
    case .brokenPipe, .connectionReset, .connectionAborted, .timedOut: .reset
    case .tooManyFiles, .tooManyFilesInSystem: .tooManyFiles
    default: .failed(operation: operation, errno: errno)
    }
  }
}
