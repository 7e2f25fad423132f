/// A refusal.
///
/// Its shape is frozen for all versions.
public struct ErrorMessage: Error, Hashable, Sendable {
  /// What is wrong: a stable name, 1 to 64 bytes of `[A-Za-z0-9_.-]`.
  public var code: String
  /// What kind of fault it is, which tells what to do where the code is unknown.
  public var errorClass: ErrorClass
  /// What the peer had better do.
  public var action: ErrorAction
  /// What is wrong, for people: without payload, without secrets.
  ///
  /// At most 500 bytes.
  public var message: String
  /// How long to wait before trying again, in milliseconds.
  public var retryAfter: Int64?
  /// The versions that the peer speaks, where none is in common.
  public var supported: [Int]?
  /// The limit that was passed.
  public var limit: Int64?
  /// Where in the line the fault is.
  public var offset: Int64?

  /// A refusal of those members.
  public init(
    code: String, class errorClass: ErrorClass, action: ErrorAction = .none, message: String,
    retryAfter: Int64? = nil, supported: [Int]? = nil, limit: Int64? = nil, offset: Int64? = nil
  ) {
    self.code = code
    self.errorClass = errorClass
    self.action = action
    self.message = message
    self.retryAfter = retryAfter
    self.supported = supported
    self.limit = limit
    self.offset = offset
  }
}

/// The kinds of faults.
public enum ErrorClass: Hashable, Sendable {
  /// It may pass by itself.
  case retry
  /// The peer is not who may do that.
  case auth
  /// That request cannot be done; others can.
  case request
  /// The two sides do not have the same log, or not the state that the request supposes.
  case state
  /// The conversation cannot go on, and would not the next time.
  case fatal
  /// A kind that this build does not know: close, and back off longest.
  case unknown(String)
}

/// What a peer had better do about a fault.
public enum ErrorAction: Hashable, Sendable {
  /// Nothing beyond what the class says.
  case none
  /// Try again later, waiting longer each time.
  case backoff
  /// Authenticate anew.
  case reauth
  /// Build the state anew from the server's log.
  case restore
  /// Send again what the server lacks.
  case repush
  /// Take a new device id: this store is a copy.
  case newDevice
  /// Use a newer version of the program.
  case upgrade
  /// An advice that this build does not know: do what the class says.
  case unknown(String)
}

/// What a program does about a fault, whether it knows the code or not.
public enum ErrorResponse: Hashable, Sendable {
  /// Give the request up and go on.
  case giveUpRequest
  /// Try again after a while, on this connection or a new one.
  case backOff
  /// Close, and try again only after the longest wait.
  case backOffLongest
  /// Close; connecting anew begins with comparing the logs.
  case startOver
  /// Close, and ask a person: it would be the same the next time.
  case stop
}

extension ErrorMessage {
  /// What to do where the code says nothing to this build: what the class says.
  public var response: ErrorResponse {
    switch errorClass {
    case .retry: .backOff
    case .auth, .fatal: .stop
    case .request: .giveUpRequest
    case .state: .startOver
    case .unknown: .backOffLongest
    }
  }
}

extension ErrorClass {
  /// The name on the wire.
  public var text: String {
    switch self {
    case .retry: "retry"
    case .auth: "auth"
    case .request: "request"
    case .state: "state"
    case .fatal: "fatal"
    case .unknown(let text): text
    }
  }

  /// The kind of that name.
  public init(text: String) {
    let known: [ErrorClass] = [.retry, .auth, .request, .state, .fatal]
    self = known.first { $0.text == text } ?? .unknown(text)
  }
}

extension ErrorAction {
  /// The name on the wire.
  public var text: String {
    switch self {
    case .none: "none"
    case .backoff: "backoff"
    case .reauth: "reauth"
    case .restore: "restore"
    case .repush: "repush"
    case .newDevice: "new_device"
    case .upgrade: "upgrade"
    case .unknown(let text): text
    }
  }

  /// The advice of that name.
  public init(text: String) {
    let known: [ErrorAction] = [.none, .backoff, .reauth, .restore, .repush, .newDevice, .upgrade]
    self = known.first { $0.text == text } ?? .unknown(text)
  }
}
