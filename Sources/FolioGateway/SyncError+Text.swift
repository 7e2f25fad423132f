extension SyncError {
  /// What kind of end an error is, for those who call a sync.
  public enum Category: Hashable, Sendable {
    /// The server could not be reached or was lost.
    case unreachable
    /// The other side does not keep to the protocol, or speaks another version.
    case protocolError
    /// The account, the device or the store is not let in.
    case notAllowed
    /// A decision is needed, or the server asks to come back later.
    case tryAgain
  }

  /// What kind of end this is.
  public var category: Category {
    switch self {
    case .notReached, .connectionLost, .silent, .stalled: .unreachable
    case .gaveUp(_, let last): last.category
    case .versionRefused, .violation, .notConverged: .protocolError
    case .wrongAccount: .notAllowed
    case .decisionNeeded, .tooManyDivergences, .identityContested: .tryAgain
    case .refused(let refusal): refusal.category
    }
  }

  /// A stable name of the error.
  public var code: String {
    switch self {
    case .notReached: "serverNotReached"
    case .connectionLost: "connectionLost"
    case .silent: "serverSilent"
    case .stalled: "connectionStalled"
    case .gaveUp(_, let last): last.code
    case .versionRefused: "versionRefused"
    case .wrongAccount: "wrongAccount"
    case .refused(let refusal): refusal.code
    case .violation(let violation): violation.code
    case .decisionNeeded(let decision): decision.code
    case .tooManyDivergences: "tooManyDivergences"
    case .notConverged: "notConverged"
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
}

extension SyncError: CustomStringConvertible {
  /// What happened, where, and which limit, in a sentence.
  public var description: String {
    switch self {
    case .notReached(let what): "the server was not reached: \(what)"
    case .connectionLost(let what): "the connection to the server ended: \(what)"
    case .silent(let seconds): "the server was silent for \(seconds) s"
    case .stalled(let seconds): "the server took nothing for \(seconds) s"
    case .gaveUp(let attempts, let last):
      "\(last.description) (\(attempts) \(attempts == 1 ? "attempt" : "attempts"))"
    case .versionRefused(let supported):
      supported.isEmpty
        ? "the server speaks no version of the protocol that this program does"
        : "the server speaks protocol version \(list(supported)), this program version 1"
    case .wrongAccount(let name):
      "the account '\(name)' on this server is not the one that this store belongs to"
    case .refused(let refusal): "the server refused: \(refusal.message) (\(refusal.code))"
    case .violation(let violation): "the server broke the protocol: \(violation.description)"
    case .decisionNeeded(let decision): decision.description
    case .tooManyDivergences(let count):
      "the server's log was not the known one \(count) times within a day; the limit is 3"
    case .notConverged(let server, let local):
      "the server's log is at \(server), this store at \(local): not everything was synced"
    case .identityContested:
      "another store writes under this store's identity, although it was renewed"
    }
  }

  /// What a person may do about it; nil where there is nothing to say.
  public var hint: String? {
    switch self {
    case .notReached: "check the server's address and that it runs; nothing is lost, try again"
    case .connectionLost, .silent, .stalled: "nothing is lost; try again"
    case .gaveUp(_, let last): last.hint
    case .versionRefused: "use programs of the same protocol version on both sides"
    case .wrongAccount: "name the account and the server that this store was joined to"
    case .refused(let refusal): refusal.hint
    case .violation: "nothing of it was stored; check that the address is that of your server"
    case .decisionNeeded(let decision): decision.hint
    case .tooManyDivergences: "check on the server's side; the store keeps what it has"
    case .notConverged: "try again"
    case .identityContested: "use only one copy of this store at a time"
    }
  }

  private func list(_ numbers: [Int]) -> String {
    numbers.map(String.init).joined(separator: ", ")
  }
}

extension ServerRefusal {
  /// Whether the same request may pass later.
  public var isRetryable: Bool {
    kind == .retry || kind == .unknown || (kind == .state && action == .repush)
  }

  var category: SyncError.Category {
    switch kind {
    case .auth: .notAllowed
    case .retry, .unknown: .tryAgain
    case .state: .tryAgain
    case .request, .fatal: action == .upgrade ? .protocolError : .notAllowed
    }
  }

  var hint: String? {
    switch action {
    case .none, .repush: nil
    case .backoff: "try again later"
    case .reauth: "check the account's name"
    case .restore: "restore the store from the server into a new folder"
    case .newDevice: "use only one copy of this store at a time"
    case .upgrade: "use a newer program"
    }
  }
}

extension ProtocolViolation: CustomStringConvertible {
  /// A stable name of the violation.
  public var code: String {
    switch self {
    case .unreadableLine(let code, _): code
    case .unexpectedMessage: "unexpectedMessage"
    case .versionNotOffered: "versionNotOffered"
    case .impossibleFacts: "impossibleFacts"
    case .gapInLog: "gapInLog"
    case .wrongHash: "wrongHash"
    case .gapInDevice: "gapInDevice"
    case .bodyLeftOut: "bodyLeftOut"
    case .moreWithoutProgress: "moreWithoutProgress"
    case .twoLogs: "twoLogs"
    case .wrongResults: "wrongResults"
    case .wrongHead: "wrongHead"
    case .wrongTables: "wrongTables"
    case .wrongAssets: "wrongAssets"
    }
  }

  /// What was found, and where.
  public var description: String {
    switch self {
    case .unreadableLine(let code, let offset): "a line is no message (\(code) at byte \(offset))"
    case .unexpectedMessage(let type): "a message '\(type)' came where it has no place"
    case .versionNotOffered(let version): "it chose version \(version), which was not offered"
    case .impossibleFacts: "what it says of its log cannot be"
    case .gapInLog(let expected, let got): "entry \(got) came where \(expected) was to come"
    case .wrongHash(let seq): "the hash after entry \(seq) is not that of the chain"
    case .gapInDevice(let seq, let expected, let got):
      "entry \(seq) is transaction \(got) of its device, where \(expected) was to come"
    case .bodyLeftOut(let seq): "the body of entry \(seq) was left out"
    case .moreWithoutProgress: "it said that there is more and sent nothing"
    case .twoLogs(let seq, let seen):
      "the writer of entry \(seq) saw another entry \(seen) in this log"
    case .wrongResults: "its results do not answer what was pushed"
    case .wrongHead: "the head that it acknowledged does not follow from what was sent"
    case .wrongTables: "its price tables do not follow one another"
    case .wrongAssets: "the pages of its asset table do not follow one another"
    }
  }
}

extension SyncDecision: CustomStringConvertible {
  /// A stable name of the question.
  public var code: String {
    switch self {
    case .serverLacks: "serverLacksEntries"
    case .shorterLog: "shorterLog"
    case .restoredBackup: "restoredBackup"
    }
  }

  /// What was found.
  public var description: String {
    switch self {
    case .serverLacks(let range):
      "the server lost entries \(range.lowerBound) to \(range.upperBound), "
        + "which this store no longer keeps"
    case .shorterLog(let server, let local):
      "the server's log has parted from this store's and is shorter: \(server) entries, here \(local)"
    case .restoredBackup: "this store was made from a backup, and the server has gone on since"
    }
  }

  /// What a person may answer.
  public var hint: String {
    switch self {
    case .serverLacks, .shorterLog:
      "restore the server from its backup, or take its log as it is: sync --accept-shorter-log"
    case .restoredBackup:
      "sync --keep server catches up with the server, sync --keep backup makes the backup count"
    }
  }
}
