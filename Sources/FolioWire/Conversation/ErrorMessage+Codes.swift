/// The refusals that the conversation itself makes, and those that a server may.
extension ErrorMessage {
  /// None of the client's versions is spoken here; with those that are.
  public static var versionUnsupported: ErrorMessage {
    ErrorMessage(.versionUnsupported, supported: Wire.versions)
  }

  /// More requests are in flight than were announced.
  public static func tooManyInFlight(limit: Int) -> ErrorMessage {
    ErrorMessage(.tooManyInFlight, limit: Int64(limit))
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

  /// The server is doing too much.
  public static func busy(retryAfter milliseconds: Int64) -> ErrorMessage {
    ErrorMessage(.busy, retryAfter: milliseconds)
  }

  /// The type of a request is not known.
  public static var unsupported: ErrorMessage { ErrorMessage(.unsupported) }

  /// Something else than `hello` came first.
  public static var helloExpected: ErrorMessage { ErrorMessage(.helloExpected) }

  /// Something else than `auth` came after the welcome, or before it.
  public static var authExpected: ErrorMessage { ErrorMessage(.authExpected) }

  /// A message that this side never takes, or not twice.
  public static var unexpectedMessage: ErrorMessage { ErrorMessage(.unexpectedMessage) }

  /// The number of a request is not greater than those before it.
  public static var idNotIncreasing: ErrorMessage { ErrorMessage(.idNotIncreasing) }

  /// There is no account of that name here.
  public static var accountUnknown: ErrorMessage { ErrorMessage(.accountUnknown) }

  /// The account is closed for the time being.
  public static var accountDisabled: ErrorMessage { ErrorMessage(.accountDisabled) }

  /// The account id is not that of the account of that name.
  public static var accountMismatch: ErrorMessage { ErrorMessage(.accountMismatch) }

  /// A newer connection of the device has taken over.
  public static var displaced: ErrorMessage { ErrorMessage(.displaced) }

  /// The place that a request starts from is not in the log.
  public static var positionUnknown: ErrorMessage { ErrorMessage(.positionUnknown) }

  /// The place that a refill starts from is not where the log ends.
  public static var headMoved: ErrorMessage { ErrorMessage(.headMoved) }

  /// A part of the log has been moved away and cannot be read now.
  public static var archived: ErrorMessage { ErrorMessage(.archived) }

  /// The server is about to stop.
  public static var shuttingDown: ErrorMessage { ErrorMessage(.shuttingDown) }

  /// The server could not read or store.
  ///
  /// A commit that failed is told by ending the connection with this, never as the answer to a
  /// request: whether anything was stored is not known.
  public static var storageFailed: ErrorMessage { ErrorMessage(.storageFailed) }

  /// A connection that takes too long, or too much, to log in.
  public static var loginTooLong: ErrorMessage { ErrorMessage(.loginTooLong) }

  /// A client that does not read what it asked for, or does not end its lines.
  public static var tooSlow: ErrorMessage { ErrorMessage(.tooSlow) }
}
