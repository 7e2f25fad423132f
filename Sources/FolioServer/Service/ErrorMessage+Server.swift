import FolioWire

extension ErrorMessage {
  /// What a client is told of a request about a log that was refused.
  init(_ error: LogError) {
    switch error {
    case .unknownAccount: self = .accountUnknown
    case .accountMismatch, .accountTaken: self = .accountMismatch
    case .notHead: self = .headMoved
    case .unknownPosition: self = .positionUnknown
    case .doesNotFollow(let index, let fault):
      self = ErrorMessage(
        code: error.code, class: .request,
        message: "entry \(index + 1) of the request does not follow: \(fault.rawValue)")
    case .entryRejected(let index, let reason):
      self = ErrorMessage(
        code: error.code, class: .request,
        message: "entry \(index + 1) of the request breaks a limit: \(reason.rawValue)")
    }
  }
}
