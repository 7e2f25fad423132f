package import FolioDomain

/// How a server's log stands to a client's, and what follows from it.
///
/// A pure function of facts: nothing is asked, stored or sent here.
package enum Divergence {
  /// What both sides know of their logs.
  package struct Facts: Hashable, Sendable {
    /// The client's account; nil before it has met a server.
    package var account: AccountID?
    /// How far the client has read the log; nil where it has read nothing.
    package var cursor: LogPosition?
    /// The first entry from which on the client keeps every one.
    package var keptFrom: UInt64
    /// The client's hash at the server's head, where the client knows it.
    package var hashAtServerHead: Hash256?
    /// The server's account.
    package var serverAccount: AccountID
    /// The server's head.
    package var serverHead: LogPosition
    /// The newest of the client's points that the server's log has.
    package var common: LogPosition?

    /// Facts of those members.
    package init(
      account: AccountID?, cursor: LogPosition?, keptFrom: UInt64, hashAtServerHead: Hash256?,
      serverAccount: AccountID, serverHead: LogPosition, common: LogPosition?
    ) {
      self.account = account
      self.cursor = cursor
      self.keptFrom = keptFrom
      self.hashAtServerHead = hashAtServerHead
      self.serverAccount = serverAccount
      self.serverHead = serverHead
      self.common = common
    }
  }

  /// What a client does.
  package enum Action: Hashable, Sendable {
    /// The server's log continues the client's: it is read from the cursor.
    case pull
    /// The server's log is the beginning of the client's: it is filled with the entries after
    /// that place, which bring the account's id with them where the server's log is empty.
    case refill(after: LogPosition)
    /// The server knows the account under another id, and neither side has anything in its log:
    /// the client takes the server's.
    case adoptAccount
    /// The server's log lacks these entries, or may lack them, and the client no longer keeps them: a
    /// person has to say what counts.
    case askAboutMissing(ClosedRange<UInt64>)
    /// The logs have parted after `common`, or at their start where it is nil: what the client keeps
    /// from there on is given to the server, and its log read anew.
    case rebuild(common: LogPosition?)
    /// The account on the server is another one, and has entries: a person has to say whether all that
    /// the client keeps is to be given to it.
    case askAboutAccount
    /// What the server says of its log cannot be.
    case refuseFacts
  }

  /// What follows from `facts`.
  ///
  /// - Complexity: O(1).
  /// - Parameter adoptsAccount: Whether a person has said that the server's account counts.
  package static func decide(_ facts: Facts, adoptsAccount: Bool = false) -> Action {
    let head = facts.serverHead
    if let common = facts.common {
      // A common place is one of the client's own, and within the server's log.
      guard let cursor = facts.cursor, common.seq <= cursor.seq, common.seq <= head.seq,
        common.seq < head.seq || common.hash == head.hash
      else { return .refuseFacts }
    }
    if let account = facts.account, account != facts.serverAccount {
      if head.seq > 0 { return adoptsAccount ? part(facts) : .askAboutAccount }
      return (facts.cursor?.seq ?? 0) > 0 ? fill(facts) : .adoptAccount
    }
    guard let cursor = facts.cursor, cursor.seq > 0 else { return .pull }
    if facts.common == cursor { return .pull }
    if head.seq == 0 || isPrefix(facts, cursor: cursor) { return fill(facts) }
    if head.seq < cursor.seq, facts.hashAtServerHead == nil, head.seq + 1 < facts.keptFrom {
      // Whether it is the beginning of this log cannot be told, and the entries are gone anyway.
      return .askAboutMissing(head.seq + 1...facts.keptFrom - 1)
    }
    return part(facts)
  }

  /// Goes on from where the logs parted, with what the client keeps.
  private static func part(_ facts: Facts) -> Action {
    let next = (facts.common?.seq ?? 0) + 1
    if facts.keptFrom > next { return .askAboutMissing(next...facts.keptFrom - 1) }
    return .rebuild(common: facts.common)
  }

  private static func isPrefix(_ facts: Facts, cursor: LogPosition) -> Bool {
    let head = facts.serverHead
    guard head.seq < cursor.seq else { return false }
    return facts.common == head || facts.hashAtServerHead == head.hash
  }

  /// Fills a server whose log ends before the client's, with what the client keeps.
  private static func fill(_ facts: Facts) -> Action {
    let next = facts.serverHead.seq + 1
    guard facts.keptFrom > next else { return .refill(after: facts.serverHead) }
    return .askAboutMissing(next...facts.keptFrom - 1)
  }
}
