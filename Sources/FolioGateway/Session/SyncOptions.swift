/// What a sync is asked to do, and what a person has answered to its questions.
public struct SyncOptions: Hashable, Sendable {
  /// The account's name on the server.
  public var account: String
  /// The program's name and version, as the server's logs show them.
  public var client: ClientName
  /// Whether the server's log may replace a longer one of this store.
  public var acceptsShorterLog = false
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
