import FolioWire

extension SyncError {
  /// A stable name of the error.
  public var code: String {
    switch self {
    case .notReached: "serverNotReached"
    case .cannotRun: "serverCannotRun"
    case .connectionLost: "connectionLost"
    case .silent: "serverSilent"
    case .stalled: "connectionStalled"
    case .gaveUp(_, let last): last.code
    case .versionRefused: "versionRefused"
    case .refused(let refusal): refusal.code
    case .violation(let violation): violation.code
    case .decisionNeeded(let decision): decision.code
    case .tooManyDivergences: "tooManyDivergences"
    case .notConverged: "notConverged"
    case .newerEntry: "newerEntry"
    case .cancelled: "cancelled"
    case .identityContested: "identityContested"
    }
  }

  /// Whether trying again without a person may help.
  public var isRetryable: Bool {
    switch self {
    case .notReached, .connectionLost, .silent, .stalled, .notConverged: true
    case .refused(let refusal): refusal.isRetryable
    default: false
    }
  }

  /// What happened, where, and which limit, in a sentence.
  public var message: String {
    switch self {
    case .notReached(let what): "the server was not reached: \(what)"
    case .cannotRun(let what): "the server was not reached: \(what)"
    case .connectionLost(let what): "the connection to the server ended: \(what)"
    case .silent(let seconds): "the server was silent for \(seconds) s"
    case .stalled(let seconds): "the server took nothing for \(seconds) s"
    case .gaveUp(1, let last): last.message
    case .gaveUp(let attempts, let last): "\(last.message) (\(attempts) attempts)"
    case .versionRefused([]): "the server speaks no version of the protocol that this program does"
    case .versionRefused(let supported):
      "the server speaks protocol version \(list(supported)), this program \(list(Wire.versions))"
    case .refused(let refusal): "the server refused: \(refusal.message) (\(refusal.code))"
    case .violation(let violation): "the server broke the protocol: \(violation.message)"
    case .decisionNeeded(let decision): decision.message
    case .tooManyDivergences(let count):
      "the server's log was not the known one \(count) times within a day; the limit is 3"
    case .notConverged(let server, let local):
      "the server's log is at \(server), this store at \(local): not everything was synced"
    case .newerEntry(let seq, let version):
      "entry \(seq) of the log has version \(version), which this program does not know"
    case .cancelled: "the sync was cancelled"
    case .identityContested:
      "another store writes under this store's identity, although it was renewed"
    }
  }

  /// What a person may do about it.
  public var hint: String {
    switch self {
    case .notReached: "check the server's address and that it runs; nothing is lost, try again"
    case .cannotRun: "check the command after stdio:"
    case .connectionLost, .silent, .stalled: "nothing is lost; try again"
    case .gaveUp(_, let last): last.hint
    case .versionRefused: "use programs of the same protocol version on both sides"
    case .refused(let refusal): refusal.hint
    case .violation(let violation): violation.hint
    case .decisionNeeded(let decision): decision.hint
    case .tooManyDivergences: "look after the server; this store keeps what it has"
    case .newerEntry: "use a newer program; what came before that entry is here"
    case .notConverged, .cancelled: "try again; it goes on where it was"
    case .identityContested: "use only one copy of this store at a time"
    }
  }

  private func list(_ numbers: [Int]) -> String {
    numbers.map(String.init).joined(separator: ", ")
  }
}

extension ErrorMessage {
  /// Whether connecting again may pass what was refused.
  var isRetryable: Bool {
    switch response {
    case .backOff, .backOffLongest, .startOver: true
    case .giveUpRequest, .stop: false
    }
  }

  var hint: String {
    switch action {
    case .backoff: "try again later"
    case .reauth: "check the account's name"
    case .restore: "restore the store from the server into a new folder"
    case .newDevice: "use only one copy of this store at a time"
    case .upgrade: "use a newer program"
    case .repush, .none, .unknown:
      errorClass == .auth
        ? "check the account's name and the server; where the server was emptied, create the account "
          + "there again, and a sync fills it from here" : "try again later"
    }
  }
}
