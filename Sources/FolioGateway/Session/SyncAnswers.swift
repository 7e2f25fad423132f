/// What a person answers to the questions of a sync; an answer to what is not asked changes nothing.
public struct SyncAnswers: Hashable, Sendable {
  /// Whether the server's log may replace a longer one of this store.
  public var acceptsShorterLog: Bool
  /// Whether the account that the server has under the known name may take the place of the one that
  /// this store knows: everything that this store holds is given to it.
  public var adoptsAccount: Bool
  /// Which side counts, where the store was restored from a backup.
  public var keep: KeptSide?
  /// Answers of those members; none where they are left out.
  public init(
    acceptsShorterLog: Bool = false, adoptsAccount: Bool = false, keep: KeptSide? = nil
  ) {
    self.acceptsShorterLog = acceptsShorterLog
    self.adoptsAccount = adoptsAccount
    self.keep = keep
  }
}

extension SyncAnswers {
  /// Adds an answer to those that were given.
  public mutating func take(_ answer: SyncAnswer) {
    switch answer {
    case .acceptShorterLog: acceptsShorterLog = true
    case .adoptAccount: adoptsAccount = true
    case .keep(let side): keep = side
    }
  }
}

/// An answer to a question of a sync.
public enum SyncAnswer: Hashable, Sendable {
  /// The server's log may replace a longer one of this store.
  case acceptShorterLog
  /// The server's account counts.
  case adoptAccount
  /// That side counts.
  case keep(KeptSide)

  /// The answer as it is typed.
  public var text: String {
    switch self {
    case .acceptShorterLog: "sync --accept-shorter-log"
    case .adoptAccount: "sync --adopt-account"
    case .keep(let side): "sync --keep \(side.rawValue)"
    }
  }
}

/// Which side counts after a store was restored from a backup.
public enum KeptSide: String, Hashable, Sendable, CaseIterable {
  /// The server's: the store catches up with it.
  case server
  /// The backup's: the store catches up, and what it showed is brought back by new transactions.
  case backup
}
