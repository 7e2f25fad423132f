import FolioWire

extension ErrorMessage {
  /// What a client is told of a request about a log that was refused.
  init(_ error: LogError) {
    let message: String? =
      switch error {
      case .doesNotFollow(let index, let fault):
        "entry \(index + 1) of the request does not follow: \(fault.rawValue)"
      case .entryRejected(let index, let reason):
        "entry \(index + 1) of the request breaks a limit: \(reason.rawValue)"
      default: nil
      }
    self.init(error.code, message: message)
  }
}
