import FolioCrypto
import FolioDomain
import TestSupport
import Testing

@Suite("Accepted state")
struct AcceptedStateTests {
  private let bitcoin = AssetKey(type: .crypto, id: AssetID(unchecked: "bitcoin"))

  @Test("Sums of amounts are exact, and a merged sum cannot fail")
  func sums() throws {
    var log = LogBuilder()
    let most = try Amount("99999999999999999999.999999999999999999")
    for device in 1...3 { try log.append([.adjust(bitcoin, most)], by: UInt128(device)) }
    let asset = log.state.asset(bitcoin, through: nil)
    #expect(asset.amount.amount == nil)
    #expect(asset.amount.decimalText == "299999999999999999999.999999999999999997")
    #expect(Holding(bitcoin, accepted: asset).isOutOfRange)
  }

  @Test("F58: every transaction of a slot counts")
  func sameSlot() throws {
    var log = LogBuilder()
    try log.append([.adjust(bitcoin, try Amount("1"))])
    try log.append([.adjust(bitcoin, try Amount("2"))])
    #expect(log.state.history.count == 1)
    #expect(log.state.asset(bitcoin, through: nil).amount.decimalText == "3")
  }

  @Test("F59: two transactions of one moment both count")
  func sameMoment() throws {
    var log = LogBuilder()
    let time = try Timestamp("2026-03-01T07:00:00Z")
    for device in [UInt128(1), 2] {
      try log.append(
        [
          .adjust(bitcoin, try Amount("1")),
          .categorize(bitcoin, try Category(named: "of \(device)")),
        ], by: device, recordedAt: time, acceptedAt: time)
    }
    let asset = log.state.asset(bitcoin, through: nil)
    #expect(asset.amount.decimalText == "2")
    // Of equal times the greater device is the later writer.
    #expect(asset.category?.category.spelling.text == "of 2")
  }

  /// Holds [merge-4].
  @Test("Void entries only use up their device's sequence")
  func void() throws {
    var log = LogBuilder()
    try log.append([.adjust(bitcoin, try Amount("1"))], kind: .void)
    let state = log.state
    #expect(state.history.isEmpty)
    #expect(state.firstEffectiveAt == nil)
    #expect(state.devices[DeviceID(1)]?.sequence == 1)
    #expect(state.devices[DeviceID(1)]?.hash == log.head.hash)
  }

  @Test(
    "F12: an unreadable body makes its whole transaction inert; it is listed, and the log goes on")
  func unreadable() throws {
    var log = LogBuilder()
    let broken =
      #"{"operations":[{"amount":"1","asset":"stock:A","kind":"adjust"},{"kind":"adjust"}]}"#
    let entry = log.append(body: Array(broken.utf8))
    try log.append([.adjust(bitcoin, try Amount("1"))])
    let state = log.state
    #expect(state.history.count == 1)
    #expect(Array(state.unreadable.keys) == [entry.transaction.id])
    #expect(state.devices[DeviceID(1)]?.sequence == 2)
    #expect(state.needsNewerVersion == false)
  }

  @Test("Operations of an unknown kind wait for a newer version; the others count")
  func unknown() throws {
    var log = LogBuilder()
    let json = Array(#"{"kind":"split"}"#.utf8)
    try log.append([.unknown(kind: "split", json: json), .adjust(bitcoin, try Amount("1"))])
    #expect(log.state.needsNewerVersion)
    #expect(log.state.asset(bitcoin, through: nil).amount.decimalText == "1")
  }

  @Test("Entries of another version or form wait for a newer version")
  func otherForms() throws {
    for (form, version) in [(BodyForm.sealed, UInt8(1)), (.plain, 2)] {
      var log = LogBuilder()
      log.append(body: [1, 2, 3], form: form, version: version)
      #expect(log.state.needsNewerVersion)
      #expect(log.state.unreadable.isEmpty)
      #expect(log.state.devices[DeviceID(1)]?.sequence == 1)
    }
  }

  /// Holds [merge-5].
  @Test("The first effective time of all is that of the entries that count")
  func firstEffective() throws {
    var log = LogBuilder()
    let early = try Timestamp("2026-01-01T00:00:00Z")
    let late = try Timestamp("2026-02-01T00:00:00Z")
    try log.append([], by: 3, recordedAt: early, acceptedAt: early, kind: .void)
    try log.append([], by: 1, recordedAt: late, acceptedAt: late)
    try log.append([], by: 2, recordedAt: early, acceptedAt: late)
    #expect(log.state.firstEffectiveAt == early)
    #expect(log.state.greatestEffectiveAt == late)
  }

  @Test("F57: categories and documents are in the log, and come back with it")
  func restored() throws {
    var random = SeededRandom()
    let log = try random.log(entryCount: 60)
    let restored = log.state
    #expect(restored == log.state)
    let through = Slot(containing: try #require(restored.greatestEffectiveAt))
    let portfolio = Overlay(restored, through: through).portfolio
    for holding in portfolio.holdings {
      let named = log.entries.contains { entry, _ in
        EffectiveEntry(entry, previous: nil).operations.contains {
          if case .categorize(holding.asset, let category) = $0 {
            category == holding.category
          } else {
            false
          }
        }
      }
      #expect(named || holding.category == Category(defaultFor: holding.asset.type))
    }
  }

  @Test("An asset stays listed with amount 0 exactly where a closed slot began with it")
  func everHeld() throws {
    let one = try Amount("1")
    let bought = try Timestamp("2026-03-01T07:00:00Z")
    let later = try Timestamp("2026-03-01T12:00:00Z")
    for (sold, isListed) in [(bought.adding(milliseconds: 1), false), (later, true)] {
      var log = LogBuilder()
      try log.append([.adjust(bitcoin, one)], recordedAt: bought, acceptedAt: bought)
      try log.append([.adjust(bitcoin, -one)], recordedAt: sold, acceptedAt: sold)
      let through = Slot(containing: try Timestamp("2026-03-01T18:00:00Z"))
      let asset = log.state.asset(bitcoin, through: through)
      #expect(asset.wasInSnapshot == isListed)
      #expect(Holding(bitcoin, accepted: asset).isListed == isListed)
      #expect(Holding(bitcoin, accepted: asset).isHidden)
      #expect(log.state.asset(bitcoin, through: nil).wasInSnapshot == false)
      let before = Slot(containing: bought)
      #expect(log.state.asset(bitcoin, through: before).wasInSnapshot == false)
    }
  }
}
