/// Something stored that breaks a rule.
package struct StorageProblem: Hashable, Sendable {
  /// The rules that are checked.
  package enum Rule: String, Hashable, Sendable, CaseIterable {
    /// The file's pages and every row are what they say.
    case damaged
    /// What is there can be read at all.
    case unreadable
    /// The folder says what format it has.
    case formatMissing
    /// An account's name obeys the rule of names.
    case accountName
    /// An account's id and number are its own.
    case accountTwice
    /// An account's number was given, so that no other will get it.
    case accountNumber
    /// A log's entries are numbered without a gap.
    case logGap
    /// A body is that which its entry's hash is of.
    case bodyHash
    /// Each entry's hash is the one that the chain gives.
    case chain
    /// The time of acceptance never goes back.
    case acceptedAt
    /// A device's transactions are numbered without a gap.
    case deviceSequence
    /// A device's sequence leads to the entry that has it.
    case sequenceIndex
    /// A transaction's id leads to the entry that first bore it.
    case idIndex
    /// The head is where the entries end.
    case head
    /// The stable mark is not beyond the head.
    case stable
    /// A device's last transaction is the last that the log has of it.
    case device
    /// A year's part of a log is that of the entries accepted in it.
    case year
    /// There are rows of a log for its entries alone.
    case rowsWithoutEntry
    /// Every number that stands for an asset was given to one, and to one alone.
    case assetNumber
    /// A price table is in byte order of type and id, each asset once.
    case tableOrder
    /// A table without a revision is held back.
    case heldBack
    /// A table's revision leads to it, and is none to come.
    case revision
    /// The indexes of price tables have rows for tables alone.
    case tableIndex
    /// The leaderboard is that of the asset table's ranks.
    case leaderboard
    /// The asset table's tag and count are those of its content.
    case assetTag
  }

  /// The rule.
  package var rule: Rule
  /// Where, in words that hold nothing of what users stored.
  package var message: String

  /// The rule's stable name.
  package var code: String { rule.rawValue }
}

/// What a check of everything stored found.
package struct StorageVerification: Hashable, Sendable {
  /// How many problems are kept.
  package static let keptLimit = 1000

  /// How many rows were looked at.
  package internal(set) var checked = 0
  /// The first problems found.
  package private(set) var problems: [StorageProblem] = []
  /// How many problems there are.
  package private(set) var problemCount = 0

  /// Whether everything obeys its rules.
  package var isSound: Bool { problemCount == 0 }

  /// No rows looked at, no problems found.
  package init() {}

  /// Those problems found, of as many rows as there may be.
  init(_ problems: [StorageProblem]) {
    for problem in problems { add(problem.rule, problem.message) }
  }

  /// Adds a problem.
  package mutating func add(_ rule: StorageProblem.Rule, _ message: String) {
    problemCount += 1
    if problems.count < Self.keptLimit {
      problems.append(StorageProblem(rule: rule, message: message))
    }
  }

  mutating func require(
    _ condition: Bool, _ rule: StorageProblem.Rule, _ message: @autoclosure () -> String
  ) {
    if !condition { add(rule, message()) }
  }

  /// Runs one part of the check; an error in it is a problem, and ends that part alone.
  mutating func part(_ name: String, _ body: (inout StorageVerification) throws -> Void) {
    do {
      try body(&self)
    } catch ServerStorageError.damaged(let space, let what) {
      add(.damaged, "\(space.name): \(what)")
    } catch {
      add(.unreadable, "\(name): \(error)")
    }
  }
}

/// Checks everything that is stored against the rules it has to obey.
///
/// O(rows).
package struct VerifyStorage: ServerQuery {
  /// The check.
  package init() {}

  package func answer<T: ServerReading & ~Copyable & ~Escapable>(_ transaction: borrowing T) throws
    -> StorageVerification
  {
    var verification = StorageVerification()
    var accounts: [(name: String, account: AccountRow)] = []
    var lastNumber = UInt32.max
    verification.part("folder") { verification in
      guard let format = try transaction.row(.meta, ServerFormat.key) else {
        verification.add(.formatMissing, "the folder has no format")
        return
      }
      try ServerFormat.check(format)
      lastNumber = try transaction.serverRow().lastAccount
      verification.checked += 2
    }
    verification.part("accounts") { verification in
      try transaction.scan(.accounts, .all, .ascending) { key, row in
        verification.checked += 1
        let name = String(decoding: key.copied, as: UTF8.self)
        let account = try AccountRow(row.copied)
        accounts.append((name, account))
        verification.require(
          account.number.value <= lastNumber, .accountNumber,
          "account \(name): its number was never given")
        verification.require(
          AccountName.isValid(name), .accountName, "an account's name breaks the rule of names")
        return .next
      }
    }
    verifyLogs(accounts, transaction, &verification)
    verification.part("price tables") { try verifyTables(transaction, &$0) }
    verification.part("asset table") { try verifyAssets(transaction, &$0) }
    return verification
  }
}

extension ServerReading where Self: ~Copyable & ~Escapable {
  /// How many rows a range has.
  func count(_ space: Space, _ range: RowRange = .all) throws -> Int {
    var count = 0
    try scan(space, range, .ascending) { _, _ in
      count += 1
      return .next
    }
    return count
  }
}
