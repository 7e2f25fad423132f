/// The refusals that the specification names, by their codes on the wire; the faults of a line have
/// codes of their own, those of ``WireError``.
///
/// An error of a peer may have any other code: what is done about it, its class says.
public enum ErrorCode: String, Hashable, Sendable, CaseIterable {
  /// None of the client's versions is spoken here.
  case versionUnsupported = "version_unsupported"
  /// The type of a request is not known.
  case unsupported
  /// Something else than `hello` came first.
  case helloExpected = "hello_expected"
  /// Something else than `auth` came after the welcome, or before it.
  case authExpected = "auth_expected"
  /// A message that this side never takes, or not twice.
  case unexpectedMessage = "unexpected_message"
  /// The number of a request is not greater than those before it.
  case idNotIncreasing = "id_not_increasing"
  /// More requests are in flight than were announced.
  case tooManyInFlight = "too_many_in_flight"
  /// There is no account of that name here.
  case accountUnknown = "account_unknown"
  /// The account is closed for the time being.
  case accountDisabled = "account_disabled"
  /// The account id is not that of the account of that name.
  case accountMismatch = "account_mismatch"
  /// Two living stores write as one device: this one is to take a new identity.
  case deviceCopied = "device_copied"
  /// A newer connection of the device has taken over.
  case displaced
  /// The place that a request starts from is not in the log.
  case positionUnknown = "position_unknown"
  /// The place that a refill starts from is not where the log ends.
  case headMoved = "head_moved"
  /// An entry of a refill does not follow the one before it.
  case doesNotFollow = "does_not_follow"
  /// An entry of a refill breaks a limit, or is of a version that is not known here.
  case entryRejected = "entry_rejected"
  /// A part of the log has been moved away and cannot be read now.
  case archived
  /// The server is doing too much.
  case busy
  /// The server is about to stop.
  case shuttingDown = "shutting_down"
  /// The server could not read or store.
  case storageFailed = "storage_failed"
  /// The connection takes too long, or too much, to log in.
  case loginTooLong = "login_too_long"
  /// The client does not read what it asked for, or does not end its lines.
  case tooSlow = "too_slow"
}

extension ErrorCode {
  /// What kind of fault it is.
  public var errorClass: ErrorClass {
    switch self {
    case .versionUnsupported, .helloExpected, .authExpected, .unexpectedMessage, .idNotIncreasing,
      .tooManyInFlight:
      .fatal
    case .unsupported, .doesNotFollow, .entryRejected, .archived: .request
    case .accountUnknown, .accountDisabled: .auth
    case .accountMismatch, .deviceCopied, .positionUnknown, .headMoved: .state
    case .displaced, .busy, .shuttingDown, .storageFailed, .loginTooLong, .tooSlow: .retry
    }
  }

  /// What the peer had better do.
  public var action: ErrorAction {
    switch self {
    case .versionUnsupported: .upgrade
    case .deviceCopied: .newDevice
    default: errorClass == .retry ? .backoff : .none
    }
  }

  /// The refusal in words, without anything of what was sent.
  public var explanation: String {
    switch self {
    case .versionUnsupported: "none of the versions offered is spoken here"
    case .unsupported: "this type of message is not known here"
    case .helloExpected: "hello must come first"
    case .authExpected: "auth must come next, after the welcome"
    case .unexpectedMessage: "this message may not come here"
    case .idNotIncreasing: "the numbers of requests must increase"
    case .tooManyInFlight: "too many requests are in flight"
    case .accountUnknown: "there is no such account here"
    case .accountDisabled: "the account is disabled"
    case .accountMismatch: "the account here has another id"
    case .deviceCopied: "another store writes as this device"
    case .displaced: "a newer connection of this device has taken over"
    case .positionUnknown: "that position is not in the log"
    case .headMoved: "the log does not end there"
    case .doesNotFollow: "an entry does not follow the one before it"
    case .entryRejected: "an entry breaks a limit"
    case .archived: "that part of the log is not at hand"
    case .busy: "the server is busy"
    case .shuttingDown: "the server is stopping"
    case .storageFailed: "the server could not read or store"
    case .loginTooLong: "the connection was not logged in soon enough"
    case .tooSlow: "the connection moves too slowly"
    }
  }
}

extension ErrorMessage {
  /// The refusal of that code, with the class and the action that belong to it.
  ///
  /// - Parameters:
  ///   - code: The code.
  ///   - message: What is wrong, where there is more to say than the code does.
  ///   - retryAfter: How long to wait, in milliseconds.
  ///   - supported: The versions spoken here.
  ///   - limit: The limit that was passed.
  public init(
    _ code: ErrorCode, message: String? = nil, retryAfter: Int64? = nil, supported: [Int]? = nil,
    limit: Int64? = nil
  ) {
    self.init(
      code: code.rawValue, class: code.errorClass, action: code.action,
      message: message ?? code.explanation, retryAfter: retryAfter, supported: supported,
      limit: limit)
  }
}
