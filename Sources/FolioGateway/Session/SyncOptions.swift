/// What a sync is asked to do, and what a person has answered to its questions.
package struct SyncOptions: Hashable, Sendable {
  /// The account's name on the server.
  package var account: String
  /// The program's name and version, as the server's logs show them.
  package var client: ClientName
  /// What a person has answered.
  package var answers = SyncAnswers()
  /// How many attempts in a row may end without progress; nil to try for ever.
  package var attemptsMax: Int? = 5
  /// How far the sync goes.
  package var extent = SyncExtent.all

  /// A sync with `account`, patient as a command line is.
  package init(account: String, client: ClientName = ClientName()) {
    self.account = account
    self.client = client
  }
}

/// How far a sync goes.
package enum SyncExtent: Hashable, Sendable {
  /// The server tells the account, which is remembered, and nothing else.
  case account
  /// Transactions are sent and read; no prices, assets or snapshots.
  case log
  /// Everything.
  case all
}
