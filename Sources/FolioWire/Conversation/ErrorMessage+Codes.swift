/// The refusals that the conversation itself makes, and those that a server may.
extension ErrorMessage {
  /// None of the client's versions is spoken here.
  public static var versionUnsupported: ErrorMessage {
    ErrorMessage(
      code: "version_unsupported", class: .fatal, action: .upgrade,
      message: "none of the versions offered is spoken here", supported: Wire.versions)
  }

  /// The type of a request is not known.
  public static var unsupported: ErrorMessage {
    ErrorMessage(
      code: "unsupported", class: .request, message: "this type of message is not known here")
  }

  /// Something else than `hello` came first.
  public static var helloExpected: ErrorMessage {
    ErrorMessage(code: "hello_expected", class: .fatal, message: "hello must come first")
  }

  /// Something else than `auth` came after the welcome, or before it.
  public static var authExpected: ErrorMessage {
    ErrorMessage(
      code: "auth_expected", class: .fatal, message: "auth must come next, after the welcome")
  }

  /// A message that this side never takes, or not twice.
  public static var unexpectedMessage: ErrorMessage {
    ErrorMessage(
      code: "unexpected_message", class: .fatal, message: "this message may not come here")
  }

  /// The number of a request is not greater than those before it.
  public static var idNotIncreasing: ErrorMessage {
    ErrorMessage(
      code: "id_not_increasing", class: .fatal, message: "the numbers of requests must increase")
  }

  /// More requests are in flight than were announced.
  public static func tooManyInFlight(limit: Int) -> ErrorMessage {
    ErrorMessage(
      code: "too_many_in_flight", class: .fatal, message: "too many requests are in flight",
      limit: Int64(limit))
  }

  /// A line that ends the connection, since it cannot be told what it is.
  public static func malformed(_ error: WireError) -> ErrorMessage {
    ErrorMessage(
      code: error.code.text, class: .fatal, message: error.code.explanation,
      limit: error.code == .lineTooLong ? Int64(error.offset) : nil, offset: Int64(error.offset))
  }

  /// A request whose values are not right.
  public static func badRequest(_ error: WireError) -> ErrorMessage {
    ErrorMessage(
      code: error.code.text, class: .request, message: error.code.explanation,
      offset: Int64(error.offset))
  }

  /// There is no account of that name here.
  public static var accountUnknown: ErrorMessage {
    ErrorMessage(code: "account_unknown", class: .auth, message: "there is no such account here")
  }

  /// The account is closed for the time being.
  public static var accountDisabled: ErrorMessage {
    ErrorMessage(code: "account_disabled", class: .auth, message: "the account is disabled")
  }

  /// The account id is not that of the account of that name.
  public static var accountMismatch: ErrorMessage {
    ErrorMessage(
      code: "account_mismatch", class: .state, message: "the account here has another id")
  }

  /// Two living stores write as one device: this one is to take a new identity.
  public static var deviceCopied: ErrorMessage {
    ErrorMessage(
      code: "device_copied", class: .state, action: .newDevice,
      message: "another store writes as this device")
  }

  /// A newer connection of the device has taken over.
  public static var displaced: ErrorMessage {
    ErrorMessage(
      code: "displaced", class: .retry, action: .backoff,
      message: "a newer connection of this device has taken over")
  }

  /// The place that a request starts from is not in the log.
  public static var positionUnknown: ErrorMessage {
    ErrorMessage(
      code: "position_unknown", class: .state, message: "that position is not in the log")
  }

  /// The place that a refill starts from is not where the log ends.
  public static var headMoved: ErrorMessage {
    ErrorMessage(code: "head_moved", class: .state, message: "the log does not end there")
  }

  /// A part of the log has been moved away and cannot be read now.
  public static var archived: ErrorMessage {
    ErrorMessage(
      code: "archived", class: .request, message: "that part of the log is not at hand")
  }

  /// The server is doing too much.
  public static func busy(retryAfter milliseconds: Int64) -> ErrorMessage {
    ErrorMessage(
      code: "busy", class: .retry, action: .backoff, message: "the server is busy",
      retryAfter: milliseconds)
  }

  /// The server is about to stop.
  public static var shuttingDown: ErrorMessage {
    ErrorMessage(
      code: "shutting_down", class: .retry, action: .backoff, message: "the server is stopping")
  }

  /// The server could not read or store.
  ///
  /// A commit that failed is told by ending the connection with this, never as the answer to a
  /// request: whether anything was stored is not known.
  public static var storageFailed: ErrorMessage {
    ErrorMessage(
      code: "storage_failed", class: .retry, action: .backoff,
      message: "the server could not read or store")
  }
}
