/// Something stored that breaks a rule.
package struct StorageProblem: Hashable, Sendable {
  /// A stable name of the rule.
  package var code: String
  /// Where, in words that hold nothing of what users stored.
  package var message: String
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

  /// Adds a problem.
  package mutating func add(_ code: String, _ message: String) {
    problemCount += 1
    if problems.count < Self.keptLimit {
      problems.append(StorageProblem(code: code, message: message))
    }
  }

  mutating func require(
    _ condition: Bool, _ code: String, _ message: @autoclosure () -> String
  ) {
    if !condition { add(code, message()) }
  }

  /// Runs one part of the check; an error in it is a problem, and ends that part alone.
  mutating func part(_ name: String, _ body: (inout StorageVerification) throws -> Void) {
    do {
      try body(&self)
    } catch ServerStorageError.damaged(let space, let what) {
      add("damaged", "\(space.name): \(what)")
    } catch {
      add("unreadable", "\(name): \(error)")
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
    verification.part("folder") { verification in
      guard let format = try transaction.row(.meta, ServerFormat.key) else {
        verification.add("formatMissing", "the folder has no format")
        return
      }
      try ServerFormat.check(format)
      _ = try transaction.serverRow()
      verification.checked += 2
    }
    verification.part("accounts") { verification in
      try transaction.scan(.accounts, .all, .ascending) { key, row in
        verification.checked += 1
        let name = String(decoding: key.copied, as: UTF8.self)
        accounts.append((name, try AccountRow(row.copied)))
        verification.require(
          AccountName.isValid(name), "accountName", "an account's name breaks the rule of names")
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
