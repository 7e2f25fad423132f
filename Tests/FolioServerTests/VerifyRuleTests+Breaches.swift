import FolioDomain
import TestSupport
import Testing

@testable import FolioServer

extension VerifyRuleTests {
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
    Breach("no format", .formatMissing, refusal: "dataForeign") {
      try $0.storage.write(DeleteRow(space: .meta, key: ServerFormat.key))
    },
    Breach("a format of another program", .unreadable, refusal: "dataForeign") {
      try $0.storage.write(PutRow(.meta, ServerFormat.key) { $0[$0.count - 1] = 0x21 })
    },
    Breach("an account with a name that none can have", .accountName) { server in
      let row = try server.createAccount("zoe").row
      try server.storage.write(DeleteRow(space: .accounts, key: AccountRow.key("zoe")))
      try server.storage.write(PutRow(.accounts, AccountRow.key("Zoe!")) { $0 = row })
    },
    Breach("an account whose number was never given", .accountNumber) { server in
      var row = try server.storage.read(ServerFacts())
      row.lastAccount = 1
      let bytes = row.row
      try server.storage.write(PutRow(.meta, ServerRow.key) { $0 = bytes })
    },
    Breach("an account twice", .accountTwice) { server in
      let row = try server.account().row
      try server.storage.write(PutRow(.accounts, AccountRow.key("zoe")) { $0 = row })
    },
    Breach("another hash at the head", .head, act: account { $0.head.hash = .zero }),
    Breach(
      "another time of the last entry", .head,
      act: account { $0.lastAcceptedAt = Timestamp(milliseconds: 5) }),
    Breach("a mark beyond the head", .stable, act: account { $0.stable = 99 }),
    Breach(
      "another body than was hashed", .bodyHash,
      act: entry(2) { $0.entry.transaction.body = Array("{}".utf8) }),
    Breach("another hash in the chain", .chain, act: entry(2) { $0.hash = .zero }),
    Breach(
      "an entry that was accepted before the one before it", .acceptedAt,
      act: log { $0[1].acceptedAt = $0[0].acceptedAt.adding(milliseconds: -1) }),
    Breach(
      "a transaction of a device that is not there", .deviceSequence,
      act: log { $0[6].transaction.deviceSequence = 2 }),
    Breach("a transaction that its sequence does not lead to", .sequenceIndex) { server in
      let key = EntryRow.sequenceKey(try server.account().number, DeviceID(1), 1)
      try server.storage.write(PutRow(.sequences, key) { $0 = EntryRow.seqRow(4) })
    },
    Breach("a transaction that its id does not lead to", .idIndex) { server in
      let key = EntryRow.idKey(try server.account().number, TransactionID(2))
      try server.storage.write(PutRow(.ids, key) { $0 = EntryRow.seqRow(4) })
    },
    Breach("another last transaction of a device", .device) { server in
      let row = DeviceRow(sequence: 9, id: TransactionID(9), seq: 1).row
      let key = DeviceRow.key(try server.account().number, DeviceID(1))
      try server.storage.write(PutRow(.devices, key) { $0 = row })
    },
    Breach("a year that begins elsewhere", .year) { server in
      let key = YearRow.key(try server.account().number, 2027)
      let before = try #require(try server.storage.read(OneRow(space: .years, key: key)))
      var year = try YearRow(before.span.bytes)
      year.first += 1
      let row = year.row
      try server.storage.write(PutRow(.years, key) { $0 = row })
    },
    Breach("an id of no entry", .rowsWithoutEntry) { server in
      let key = EntryRow.idKey(try server.account().number, TransactionID(999))
      try server.storage.write(PutRow(.ids, key) { $0 = EntryRow.seqRow(1) })
    },
    Breach("an entry that is gone", .logGap, .head, .device) { server in
      let key = EntryRow.key(try server.account().number, 3)
      try server.storage.write(DeleteRow(space: .entries, key: key))
    },
    Breach("a number that no asset has", .assetNumber, act: market { $0.lastAssetNumber += 1 }),
    Breach("two assets with one number", .assetNumber) {
      let other = AssetKey(type: AssetType(unchecked: "crypto"), id: AssetID(unchecked: "b"))
      try $0.storage.write(PutRow(.assetNumbers, TableKey.asset(other)) { $0 = [0, 0, 0, 1] })
    },
    Breach("an asset twice in a table", .tableOrder, act: firstTable { $0.prices += $0.prices }),
    Breach("a revision that leads to another table", .revision) { server in
      let other = TableKey.slot(Slot(containing: server.now))
      try server.storage.write(PutRow(.revisions, TableKey.revision(1)) { $0 = other })
    },
    Breach("a revision that is to come", .revision, act: market { $0.revision -= 1 }),
    Breach("a table that is held back without a mark", .heldBack, .tableIndex) { server in
      let marks = try server.storage.read(AllRows()).filter {
        Space(rawValue: Int($0[0][0])) == .heldBack
      }
      try server.storage.write(DeleteRow(space: .heldBack, key: #require(marks.first)[1]))
    },
    Breach("a mark of another slot", .heldBack) { server in
      let marks = try server.storage.read(AllRows()).filter {
        Space(rawValue: Int($0[0][0])) == .heldBack
      }
      try server.storage.write(DeleteRow(space: .heldBack, key: #require(marks.first)[1]))
      try server.storage.write(
        PutRow(.heldBack, TableKey.slot(Slot(containing: server.now))) { $0 = [1] })
    },
    Breach("a revision of no table", .tableIndex) {
      try $0.storage.write(PutRow(.revisions, TableKey.revision(99)) { $0 = [0] })
    },
    Breach("a place in the ranking of no asset", .leaderboard) {
      try $0.storage.write(PutRow(.leaderboard, [0, 0, 0, 9]) { $0 = [] })
    },
    Breach("another tag than the table has", .assetTag) { server in
      let row = AssetTableRow(tag: .zero, count: 1).row
      try server.storage.write(PutRow(.meta, AssetTableRow.key) { $0 = row })
    },
    Breach("an asset of another name than was hashed", .assetTag) { server in
      let key = TableKey.asset(
        AssetKey(type: AssetType(unchecked: "crypto"), id: AssetID(unchecked: "a")))
      let row = AssetRow.row(
        AssetInfo(
          asset: AssetKey(type: AssetType(unchecked: "crypto"), id: AssetID(unchecked: "a")),
          symbol: "A", name: "B", rank: 1))
      try server.storage.write(PutRow(.assets, key) { $0 = row })
    },
    Breach("a row that is none", .damaged) {
      try $0.storage.write(PutRow(.accounts, name) { $0 = [1, 2] })
    },
  ]

  /// Changes the entries of ann's log and makes anew all that follows from them, so that nothing but
  /// what was changed is wrong.
  private static func log(
    _ change: @escaping @Sendable (inout [LogEntry]) -> Void
  ) -> @Sendable (ServerFixture<MemoryServerStorage>) throws -> Void {
    { try $0.storage.write(RewriteLog(change: change)) }
  }

  private static func market(
    _ change: @escaping @Sendable (inout MarketRow) -> Void
  ) -> @Sendable (ServerFixture<MemoryServerStorage>) throws -> Void {
    { server in
      var market = try server.storage.read(MarketFacts()).market
      change(&market)
      let row = market.row
      try server.storage.write(PutRow(.meta, MarketRow.key) { $0 = row })
    }
  }

  private static func firstTable(
    _ change: @escaping @Sendable (inout TableRow) -> Void
  ) -> @Sendable (ServerFixture<MemoryServerStorage>) throws -> Void {
    { server in
      let rows = try server.storage.read(AllRows())
      let stored = try #require(rows.first { Space(rawValue: Int($0[0][0])) == .tables })
      let before = stored[2]
      var table = try TableRow(before.span.bytes)
      change(&table)
      let row = table.row
      try server.storage.write(PutRow(.tables, stored[1]) { $0 = row })
    }
  }
}

/// The rows of a log as the rules would have made them of other entries.
private struct RewriteLog: ServerChange {
  let change: @Sendable (inout [LogEntry]) -> Void

  func apply<T: ServerWriting & ~Copyable & ~Escapable>(_ transaction: inout T) throws {
    // A macro would capture the transaction.
    guard var account = try transaction.account(named: "ann") else { throw AccountError.unknown }
    var entries: [LogEntry] = []
    try transaction.scan(.entries, EntryRow.all(of: account.number), .ascending) { _, row in
      entries.append(try EntryRow.stored(row).entry)
      return .next
    }
    for space in [Space.entries, .ids, .sequences, .devices, .years] {
      var keys: [[UInt8]] = []
      try transaction.scan(space, EntryRow.all(of: account.number), .ascending) { key, _ in
        keys.append(key.copied)
        return .next
      }
      for key in keys { try transaction.delete(space, key) }
    }
    change(&entries)
    account.head = LogPosition(seq: 0, hash: startHash(of: account.id))
    for entry in entries { try put(entry, &account, &transaction) }
    try transaction.put(.accounts, AccountRow.key("ann"), account.row)
  }

  private func put<T: ServerWriting & ~Copyable & ~Escapable>(
    _ entry: LogEntry, _ account: inout AccountRow, _ transaction: inout T
  ) throws {
    let (number, envelope) = (account.number, entry.transaction)
    let before = account.head.hash
    let hash = nextHash(after: before, entry)
    account.head = LogPosition(seq: entry.seq, hash: hash)
    account.lastAcceptedAt = entry.acceptedAt
    try transaction.put(
      .entries, EntryRow.key(number, entry.seq),
      EntryRow.row(StoredEntry(entry: entry, hash: hash)))
    try transaction.put(
      .sequences, EntryRow.sequenceKey(number, envelope.device, envelope.deviceSequence),
      EntryRow.seqRow(entry.seq))
    if try transaction.seq(number, of: envelope.id) == nil {
      try transaction.put(.ids, EntryRow.idKey(number, envelope.id), EntryRow.seqRow(entry.seq))
    }
    try transaction.put(
      .devices, DeviceRow.key(number, envelope.device),
      DeviceRow(sequence: envelope.deviceSequence, id: envelope.id, seq: entry.seq).row)
    let key = YearRow.key(number, Int(clamping: entry.acceptedAt.year))
    var year =
      try transaction.row(.years, key).map { try YearRow($0.span.bytes) }
      ?? YearRow(first: entry.seq, last: entry.seq, hashBefore: before, hashAfter: hash)
    year.last = entry.seq
    year.hashAfter = hash
    try transaction.put(.years, key, year.row)
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
