import FolioDomain
import FolioWire
import TestSupport
import Testing

@testable import FolioServer

/// Each rule of a server's folder, broken alone, is named, and nothing else is.
@Suite("Every rule of a server's folder")
struct VerifyRuleTests {
  /// A row that is changed behind the back of all rules, and the problems that this makes.
  struct Breach: Sendable, CustomTestStringConvertible {
    var codes: [String]
    var what: String
    var act: @Sendable (ServerFixture<MemoryServerStorage>) throws -> Void

    init(
      _ what: String, _ codes: String...,
      act: @escaping @Sendable (ServerFixture<MemoryServerStorage>) throws -> Void
    ) {
      self.codes = codes
      self.what = what
      self.act = act
    }

    var testDescription: String { "\(codes): \(what)" }
  }

  private static let name = AccountRow.key("ann")

  private static func account(
    _ change: @escaping @Sendable (inout AccountRow) -> Void
  ) -> @Sendable (ServerFixture<MemoryServerStorage>) throws -> Void {
    { server in
      var account = try server.account()
      change(&account)
      let row = account.row
      try server.storage.write(PutRow(.accounts, name) { $0 = row })
    }
  }

  private static func entry(
    _ seq: UInt64, _ change: @escaping @Sendable (inout StoredEntry) -> Void
  ) -> @Sendable (ServerFixture<MemoryServerStorage>) throws -> Void {
    { server in
      let key = EntryRow.key(try server.account().number, seq)
      let before = try #require(try server.storage.read(OneRow(space: .entries, key: key)))
      var stored = try EntryRow.stored(before.span.bytes)
      change(&stored)
      let row = EntryRow.row(stored)
      try server.storage.write(PutRow(.entries, key) { $0 = row })
    }
  }

  static let breaches: [Breach] = [
    Breach("no format", "formatMissing") {
      try $0.storage.write(DeleteRow(space: .meta, key: ServerFormat.key))
    },
    Breach("an account with a name that none can have", "accountName") { server in
      let row = try server.createAccount("zoe").row
      try server.storage.write(DeleteRow(space: .accounts, key: AccountRow.key("zoe")))
      try server.storage.write(PutRow(.accounts, AccountRow.key("Zoe!")) { $0 = row })
    },
    Breach("an account twice", "accountTwice") { server in
      let row = try server.account().row
      try server.storage.write(PutRow(.accounts, AccountRow.key("zoe")) { $0 = row })
    },
    Breach("another hash at the head", "head", act: account { $0.head.hash = .zero }),
    Breach(
      "another time of the last entry", "head",
      act: account { $0.lastAcceptedAt = Timestamp(milliseconds: 5) }),
    Breach("a mark beyond the head", "stable", act: account { $0.stable = 99 }),
    Breach(
      "another body than was hashed", "bodyHash",
      act: entry(2) { $0.entry.transaction.body = Array("{}".utf8) }),
    Breach("another hash in the chain", "chain", act: entry(2) { $0.hash = .zero }),
    Breach("a transaction that its sequence does not lead to", "sequenceIndex") { server in
      let key = EntryRow.sequenceKey(try server.account().number, DeviceID(1), 1)
      try server.storage.write(PutRow(.sequences, key) { $0 = EntryRow.seqRow(4) })
    },
    Breach("a transaction that its id does not lead to", "idIndex") { server in
      let key = EntryRow.idKey(try server.account().number, TransactionID(2))
      try server.storage.write(PutRow(.ids, key) { $0 = EntryRow.seqRow(4) })
    },
    Breach("another last transaction of a device", "device") { server in
      let row = DeviceRow(sequence: 9, id: TransactionID(9), seq: 1).row
      let key = DeviceRow.key(try server.account().number, DeviceID(1))
      try server.storage.write(PutRow(.devices, key) { $0 = row })
    },
    Breach("a year that begins elsewhere", "year") { server in
      let key = YearRow.key(try server.account().number, 2027)
      let before = try #require(try server.storage.read(OneRow(space: .years, key: key)))
      var year = try YearRow(before.span.bytes)
      year.first += 1
      let row = year.row
      try server.storage.write(PutRow(.years, key) { $0 = row })
    },
    Breach("an id of no entry", "rowsWithoutEntry") { server in
      let key = EntryRow.idKey(try server.account().number, TransactionID(999))
      try server.storage.write(PutRow(.ids, key) { $0 = EntryRow.seqRow(1) })
    },
    Breach("an entry that is gone", "logGap", "head", "device") { server in
      let key = EntryRow.key(try server.account().number, 3)
      try server.storage.write(DeleteRow(space: .entries, key: key))
    },
    Breach("a table that is held back without a mark", "heldBack", "tableIndex") { server in
      let marks = try server.storage.read(AllRows()).filter {
        Space(rawValue: Int($0[0][0])) == .heldBack
      }
      try server.storage.write(DeleteRow(space: .heldBack, key: #require(marks.first)[1]))
    },
    Breach("a revision of no table", "tableIndex") {
      try $0.storage.write(PutRow(.revisions, TableKey.revision(99)) { $0 = [0] })
    },
    Breach("a place in the ranking of no asset", "leaderboard") {
      try $0.storage.write(PutRow(.leaderboard, [0, 0, 0, 9]) { $0 = [] })
    },
    Breach("a row that is none", "damaged") {
      try $0.storage.write(PutRow(.accounts, name) { $0 = [1, 2] })
    },
  ]

  @Test("each rule", arguments: breaches)
  func breach(_ breach: Breach) throws {
    let server = try VerifyTests().server()
    #expect(try server.storage.read(VerifyStorage()).problems == [])
    try breach.act(server)
    let problems = try server.storage.read(VerifyStorage()).problems
    #expect(Set(problems.map(\.code)) == Set(breach.codes), "\(problems)")
    #expect(problems.first?.code == breach.codes.first)
  }
}

/// A row as it is stored.
private struct OneRow: ServerQuery {
  let space: Space
  let key: [UInt8]

  func answer<T: ServerReading & ~Copyable & ~Escapable>(_ transaction: borrowing T) throws
    -> [UInt8]?
  {
    try transaction.row(space, key)
  }
}
