import FolioDomain
import TestSupport
import Testing

@testable import FolioServer

/// The check of everything stored finds what breaks a rule, wherever it is.
struct VerifyTests {
  /// Two logs, tables that have begun and that have not, and an asset table.
  func server() throws -> ServerFixture<MemoryServerStorage> {
    let server = try ServerFixture(at: "2026-12-31T23:00:00Z")
    for name in ["ann", "bob"] {
      try server.createAccount(name)
      for n in 1...6 {
        let pushed = transaction(
          UInt128(n), device: UInt128(n % 2), sequence: UInt64((n + 1) / 2), void: n == 5)
        try server.push(pushed, to: name)
        server.advance(milliseconds: 1_800_000)
      }
      try server.push(transaction(1, device: 7, sequence: 1), to: name)
    }
    var observations = PriceObservations()
    let asset = AssetKey(type: AssetType(unchecked: "crypto"), id: AssetID(unchecked: "a"))
    for hours in [-20, -10, -2, 30] {
      observations.add(asset, .one, at: server.now.adding(milliseconds: Int64(hours) * 3_600_000))
    }
    _ = try server.storage.write(ImportPrices(observations, now: server.now))
    _ = try server.storage.write(
      ImportAssets([AssetInfo(asset: asset, symbol: "A", name: "A", rank: 1)]))
    return server
  }

  @Test func whatTheRulesMadeIsSound() throws {
    let verification = try server().storage.read(VerifyStorage())
    #expect(verification.problems == [])
    #expect(verification.checked > 60)
  }

  @Test func everyMissingRowIsFound() throws {
    let server = try server()
    for row in try server.storage.read(AllRows()) {
      let space = try #require(Space(rawValue: Int(row[0][0])))
      let copy = server.storage.copied()
      try copy.write(DeleteRow(space: space, key: row[1]))
      #expect(try !copy.read(VerifyStorage()).isSound, "\(space) without a row")
    }
  }

  /// Each byte changed: either it is found, or it is one of those that no rule can know of.
  @Test func everyChangedByteOfALogIsFound() throws {
    let server = try server()
    var missed: Set<String> = []
    for row in try server.storage.read(AllRows()) {
      let space = try #require(Space(rawValue: Int(row[0][0])))
      guard [.entries, .ids, .sequences, .devices, .years].contains(space) else { continue }
      for index in row[2].indices {
        let copy = server.storage.copied()
        try copy.write(PutRow(space, row[1]) { $0[index] ^= 0x10 })
        if try copy.read(VerifyStorage()).isSound { missed.insert("\(space), byte \(index)") }
      }
    }
    #expect(missed == [])
  }

  @Test func aRowTooManyIsFound() throws {
    let server = try server()
    let number = try server.account().number
    let extras: [(Space, [UInt8])] = [
      (.ids, EntryRow.idKey(number, TransactionID(999))),
      (.sequences, EntryRow.sequenceKey(number, DeviceID(1), 99)),
      (.devices, DeviceRow.key(number, DeviceID(99))), (.years, YearRow.key(number, 1999)),
      (.entries, EntryRow.key(AccountNumber(value: 99), 1)),
      (.revisions, TableKey.revision(99)), (.heldBack, TableKey.slot(Slot(index: 5))),
      (.leaderboard, [0, 0, 0, 9]),
    ]
    for (space, key) in extras {
      let copy = server.storage.copied()
      try copy.write(PutRow(space, key) { $0 = EntryRow.seqRow(1) })
      #expect(try !copy.read(VerifyStorage()).isSound, "\(space) with a row too many")
    }
  }
}
