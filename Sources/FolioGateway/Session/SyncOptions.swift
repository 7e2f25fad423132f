/// What a sync is asked to do, and what a person has answered to its questions.
public struct SyncOptions: Hashable, Sendable {
  /// The account's name on the server.
  public var account: String
  /// The program's name and version, as the server's logs show them.
  public var client: ClientName
  /// What a person has answered.
  public var answers = SyncAnswers()
  /// How many attempts in a row may end without progress; nil to try for ever.
  public var attemptsMax: Int? = 5
  /// How far the sync goes.
  public var extent = SyncExtent.all

  /// A sync with `account`, patient as a command line is.
  public init(account: String, client: ClientName = ClientName()) {
    self.account = account
    self.client = client
  }
}

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

/// How far a sync goes.
public enum SyncExtent: Hashable, Sendable {
  /// The server tells the account, which is remembered, and nothing else.
  case account
  /// Transactions are sent and read; no prices, assets or snapshots.
  case log
  /// Everything.
  case all
}

/// A program as it introduces itself.
public struct ClientName: Hashable, Sendable {
  /// Its name.
  public var name: String
  /// Its version.
  public var version: String
  /// A program of that name and version.
  public init(name: String = "folio", version: String = "1.0.0") {
    self.name = name
    self.version = version
  }
}
