extension SyncDecision {
  /// A stable name of the question.
  public var code: String {
    switch self {
    case .serverLacks: "serverLacksEntries"
    case .shorterLog: "shorterLog"
    case .otherAccount: "wrongAccount"
    case .restoredBackup: "restoredBackup"
    }
  }

  /// What was found.
  public var message: String {
    switch self {
    case .serverLacks(let range):
      "the server lost entries \(range.lowerBound) to \(range.upperBound), "
        + "which this store no longer keeps"
    case .shorterLog(let server, let local):
      "the server's log has parted from this store's and is shorter: \(server) entries, here \(local)"
    case .otherAccount(let server, let local):
      "the account on the server is not the one that this store belongs to: "
        + "it has \(server) entries of its own, here are \(local)"
    case .restoredBackup(let local):
      "this store was restored from a backup that had read \(local) entries, "
        + "and nobody has said which side counts"
    }
  }

  /// What a person may answer.
  public var answers: [SyncAnswer] {
    switch self {
    case .serverLacks, .shorterLog: [.acceptShorterLog]
    case .otherAccount: [.adoptAccount]
    case .restoredBackup: KeptSide.allCases.map(SyncAnswer.keep)
    }
  }

  /// What a person may do about it.
  public var hint: String {
    switch self {
    case .serverLacks, .shorterLog:
      "restore the server from its backup, or take its log as it is: sync --accept-shorter-log, "
        + "with the answers that were given before"
    case .otherAccount:
      "name the server and the account that this store was joined to; where the server was emptied "
        + "and another device came first, give it all that is here: sync --adopt-account"
    case .restoredBackup:
      "catch up with the server: sync --keep server; or bring back everywhere what the backup holds: "
        + "sync --keep backup"
    }
  }
}
