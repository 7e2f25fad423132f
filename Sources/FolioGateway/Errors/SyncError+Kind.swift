internal import FolioWire

/// What kind of thing went wrong with a sync, for whoever only has to react to it.
public enum SyncErrorKind: Hashable, Sendable {
  /// The server was not reached, or not to the end; later it may be.
  case unreachable
  /// The other side broke the protocol, or speaks another version of it.
  case protocolBroken
  /// The account is not one that may do this.
  case notAllowed
  /// It may go well another time, or once a person has decided.
  case tryAgain
}

extension SyncError {
  /// What kind of error this is.
  public var kind: SyncErrorKind {
    switch self {
    case .notReached, .cannotRun, .connectionLost, .silent, .stalled: .unreachable
    case .gaveUp(_, let last): last.kind
    case .versionRefused, .violation, .notConverged, .newerEntry: .protocolBroken
    case .decisionNeeded, .tooManyDivergences, .cancelled, .identityContested: .tryAgain
    case .refused(let message):
      switch message.errorClass {
      case .auth: .notAllowed
      case .retry: .unreachable
      case .request, .state, .fatal, .unknown: .protocolBroken
      }
    }
  }
}
