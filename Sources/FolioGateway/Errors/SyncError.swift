public import FolioDomain
public import FolioWire

/// Why a sync did not end well.
///
/// None of these has changed anything that is not true: what was stored before the error stays, and
/// what is pending stays pending.
@nonexhaustive
public enum SyncError: DomainError, Hashable {
  /// No connection came about. The text says what was tried and what the system answered.
  case notReached(String)
  /// The server's command cannot be run at all.
  case cannotRun(String)
  /// The connection ended before the conversation did.
  case connectionLost(String)
  /// Nothing was heard of the server for that many seconds.
  case silent(seconds: Int)
  /// What was sent was not taken for that many seconds.
  case stalled(seconds: Int)
  /// That many attempts in a row ended without progress; the last one so.
  indirect case gaveUp(attempts: Int, last: SyncError)
  /// The server speaks no version that this client does; those that it does, where it told.
  case versionRefused(supported: [Int])
  /// The server refused with an error of its own.
  case refused(ErrorMessage)
  /// The server broke a rule of the protocol; nothing of what it sent at that place was stored.
  case violation(ProtocolViolation)
  /// A person has to say what counts; nothing was changed.
  case decisionNeeded(SyncDecision)
  /// The server's log stopped being the known one more often than can be by chance.
  case tooManyDivergences(count: Int)
  /// The conversation ended, and the server's head is not what this store has.
  case notConverged(server: UInt64, local: UInt64)
  /// An entry has a version that this client does not know: what comes before it was stored, and
  /// nothing from there on.
  case newerEntry(seq: UInt64, version: UInt8)
  /// It was cancelled.
  case cancelled
  /// This store writes under an identity that another store uses too, again right after it took a
  /// new one.
  case identityContested
}

/// A rule of the protocol that a server broke.
@nonexhaustive
public enum ProtocolViolation: DomainError, Hashable {
  /// A line that is no message.
  case unreadableLine(WireError)
  /// A message that has no place here.
  case unexpectedMessage(String)
  /// A page whose entries or tables do not follow the place asked for.
  case brokenPage
  /// A version was chosen that was not offered.
  case versionNotOffered(Int)
  /// What it said of its log cannot be.
  case impossibleFacts
  /// The entries do not follow one another: the number expected, and the one that came.
  case gapInLog(expected: UInt64, got: UInt64)
  /// The chain's hash after that entry is not what the page says.
  case wrongHash(seq: UInt64)
  /// The entries from that one on are of another log, such as another account's: their writers saw
  /// it, under another id, and its hashes lead to the page's.
  case anotherLog(seq: UInt64)
  /// A device's transactions do not follow one another in the log, at that entry.
  case gapInDevice(seq: UInt64, expected: UInt64, got: UInt64)
  /// A body was left out that was not to be left out.
  case bodyLeftOut(seq: UInt64)
  /// There was said to be more, and the cursor did not move.
  case moreWithoutProgress
  /// A transaction's writer saw another log under the id of this one: one of two devices was shown
  /// what the other was not.
  case twoLogs(seq: UInt64)
  /// An own transaction was acknowledged and is not in the log.
  case entryWithheld(sequence: UInt64)
  /// The results do not answer what was pushed.
  case wrongResults
  /// The head that was acknowledged does not follow from what was sent.
  case wrongHead
  /// Price tables do not follow one another.
  case wrongTables
  /// A page of price tables comes to more prices than a page may have.
  case tooManyPrices(limit: Int)
  /// The asset table's pages do not follow one another.
  case wrongAssets
}

/// A question that only a person can answer.
@nonexhaustive
public enum SyncDecision: DomainError, Hashable {
  /// The server lost entries that this store no longer keeps; going on means to take the server's
  /// shorter log as it is.
  case serverLacks(ClosedRange<UInt64>)
  /// The server's log has parted from this store's and is shorter.
  case shorterLog(server: UInt64, local: UInt64)
  /// The server has another account under this name, with that many entries; this store has read that
  /// many of its own.
  case otherAccount(server: UInt64, local: UInt64)
  /// The store was restored from a backup that had read that many entries; nobody has said which side
  /// counts.
  case restoredBackup(local: UInt64)
}
