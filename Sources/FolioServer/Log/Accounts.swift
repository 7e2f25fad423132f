package import FolioDomain

/// The rule of account names.
///
/// `[a-z0-9_-]{1,64}`. They never become paths.
package enum AccountName {
  /// Whether `name` follows the rule.
  package static func isValid(_ name: String) -> Bool {
    (1...64).contains(name.utf8.count)
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
          UInt8(ascii: "_"), UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }
}

/// Why an account could not be made or changed.
@nonexhaustive
package enum AccountError: Error, Hashable, Sendable {
  /// The name breaks the rule of names.
  case invalidName
  /// There is an account of that name.
  case exists
  /// There is none.
  case unknown
  /// The server has as many accounts as it can number.
  case tooMany

  /// A stable name of the case.
  package var code: String {
    switch self {
    case .invalidName: "invalid_account_name"
    case .exists: "account_exists"
    case .unknown: "unknown_account"
    case .tooMany: "too_many_accounts"
    }
  }
}

/// Makes an account with an empty log.
package struct CreateAccount: ServerChange {
  private let name: String
  private let id: AccountID
  private let log: LogID
  private let now: Timestamp

  /// An account called `name`, with a random identity and log id.
  package init(_ name: String, random: some RandomSource, now: Timestamp) {
    self.name = name
    id = AccountID(random: random)
    log = LogID(random: random)
    self.now = now
  }

  package func apply<T: ServerWriting & ~Copyable & ~Escapable>(_ transaction: inout T) throws
    -> AccountRow
  {
    guard AccountName.isValid(name) else { throw AccountError.invalidName }
    guard try transaction.account(named: name) == nil else { throw AccountError.exists }
    var meta = try transaction.serverRow()
    guard meta.lastAccount < .max else { throw AccountError.tooMany }
    meta.lastAccount += 1
    let account = AccountRow(
      number: AccountNumber(value: meta.lastAccount), id: id, log: log,
      head: LogPosition(seq: 0, hash: startHash(of: id)), lastAcceptedAt: nil, stable: 0,
      createdAt: now, isDisabled: false, jump: nil)
    try transaction.put(.accounts, AccountRow.key(name), account.row)
    try transaction.put(.meta, ServerRow.key, meta.row)
    return account
  }
}

/// Lets nobody into an account any more, or lets them in again.
package struct SetAccountDisabled: ServerChange {
  private let name: String
  private let isDisabled: Bool

  /// Disables the account called `name`, or enables it.
  package init(_ name: String, _ isDisabled: Bool) {
    self.name = name
    self.isDisabled = isDisabled
  }

  package func apply<T: ServerWriting & ~Copyable & ~Escapable>(_ transaction: inout T) throws
    -> AccountRow
  {
    guard var account = try transaction.account(named: name) else { throw AccountError.unknown }
    account.isDisabled = isDisabled
    try transaction.put(.accounts, AccountRow.key(name), account.row)
    return account
  }
}

/// All accounts, in byte order of their names.
package struct AccountList: ServerQuery {
  /// All accounts.
  package init() {}

  /// An account with its name and the number of its devices.
  package struct Element: Hashable, Sendable {
    /// The name.
    package var name: String
    /// The account.
    package var account: AccountRow
    /// How many devices have had a transaction taken.
    package var deviceCount: Int
  }

  package func answer<T: ServerReading & ~Copyable & ~Escapable>(_ transaction: borrowing T) throws
    -> [Element]
  {
    var list: [Element] = []
    try transaction.scan(.accounts, .all, .ascending) { key, row in
      guard let name = String(validating: key.copied, as: UTF8.self) else {
        throw ServerStorageError.damaged(space: .accounts, what: "name is not UTF-8")
      }
      list.append(
        Element(name: name, account: try AccountRow(row.copied), deviceCount: 0))
      return .next
    }
    for index in list.indices {
      let range = EntryRow.all(of: list[index].account.number)
      var count = 0
      try transaction.scan(.devices, range, .ascending) { _, _ in
        count += 1
        return .next
      }
      list[index].deviceCount = count
    }
    return list
  }
}

/// Whether there is an account that is not disabled.
package struct IsAccountOpen: ServerQuery {
  private let name: String

  /// Asks about the account called `name`.
  package init(_ name: String) { self.name = name }

  package func answer<T: ServerReading & ~Copyable & ~Escapable>(_ transaction: borrowing T) throws
    -> Bool
  {
    try transaction.account(named: name).map { !$0.isDisabled } ?? false
  }
}
