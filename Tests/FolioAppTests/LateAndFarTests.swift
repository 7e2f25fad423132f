import FolioApp
import FolioDomain
import FolioGateway
import FolioStore
import TestSupport
import Testing

/// What comes late, or from a clock that is far off: all devices end with the same digests, and only
/// the snapshots that it concerns are made anew.
@Suite("Late and far")
struct LateAndFarTests {
  /// A device of the world with a clock of its own.
  private func device(_ name: String, in world: World, at time: String) throws -> Device {
    var options = world.options()
    options.clock = ManualClock(try Timestamp(time))
    return Device(
      store: try Client.create(at: world.path(name), options: options), options: options)
  }

  private func closed(_ device: Device) throws -> ClosedRange<Slot> {
    try #require(try device.store.read { try $0.snapshotSlots() })
  }

  /// Slots from that of a moment to the last closed one, without the first.
  private func slots(after time: Timestamp, _ device: Device) throws -> Int {
    Int(try closed(device).upperBound.index - Slot(containing: time).index)
  }

  @Test("A device that was away for two years brings what it had, and the snapshots since are anew")
  func twoYears() throws {
    let world = try World()
    let phone = try world.device("phone")
    let tablet = try world.device("tablet")
    try world.importPrices(0)
    try phone.add("1", "crypto:bitcoin", to: "Coins")
    try phone.sync()
    try tablet.add("2", "stock:ABC", to: "Shares")
    try tablet.sync()
    let left = world.clock.now()
    try tablet.add("3", "crypto:bitcoin")
    for quarter in 1...8 {
      world.advance(hours: 24 * 91)
      try world.importPrices(quarter)
      try phone.add("\(quarter)", "forex:EUR")
      let summary = try phone.sync()
      #expect(summary.snapshots > 300)
      #expect(summary.remade == 0)
    }
    let back = try tablet.sync()
    #expect(back.pushed == 1)
    #expect(back.pulled == 8)
    #expect(try back.snapshots == slots(after: left, tablet))
    #expect(back.remade == 0, "each of its snapshots was made once, when all was there")
    let late = try phone.sync()
    #expect(late.pulled == 1)
    #expect(late.snapshots == 0)
    #expect(try late.remade == slots(after: left, phone))
    try expectSame(phone, tablet)
    #expect(try phone.amount("crypto:bitcoin") == "4")
  }

  @Test(
    "F27: a device whose clock was in 1970 counts at most 400 days back", arguments: [false, true])
  func from1970(hadSynced: Bool) throws {
    let world = try World()
    let phone = try world.device("phone")
    try phone.add("1", "crypto:bitcoin")
    try phone.sync()
    world.advance(hours: 24)
    try world.importPrices(1)
    try phone.sync()
    let lost = try device("lost", in: world, at: "1970-01-01T00:00:07Z")
    if hadSynced { try lost.sync() }
    try lost.add("2", "crypto:bitcoin", to: "Old")
    let summary = try lost.sync()
    #expect(summary.pushed == 1)
    #expect(summary.skewMilliseconds > 56 * 365 * Int64(86_400_000))
    world.advance(hours: 6)
    try phone.sync()
    try lost.sync()
    try expectSame(phone, lost)
    let count = try closed(phone).count
    // A store that has read the log records after what it read, whatever its clock says.
    #expect(hadSynced ? count == 5 : (1_600...1_606).contains(count), "\(count)")
    #expect(try phone.amount("crypto:bitcoin") == "3")
  }

  @Test("F25: a device whose clock is in 2090 moves nobody's time, and syncs")
  func from2090() throws {
    let world = try World()
    let phone = try world.device("phone")
    try phone.add("1", "crypto:bitcoin", to: "Coins")
    try phone.sync()
    let far = try device("far", in: world, at: "2090-06-01T12:00:00Z")
    try far.add("2", "crypto:bitcoin", to: "Future")
    try far.sync()
    world.advance(hours: 6)
    try world.importPrices(1)
    // Two hours on, the other device names a category, and it counts: nobody adopted that clock.
    try phone.sync()
    try phone.edit(.move(try AssetKey("crypto:bitcoin"), to: try Category(named: "Now")))
    try phone.sync()
    world.advance(hours: 6)
    try phone.sync()
    let summary = try far.sync()
    #expect(summary.skewMilliseconds < -64 * 365 * Int64(86_400_000))
    try expectSame(phone, far)
    let holding = try phone.store.read { try $0.holding(try AssetKey("crypto:bitcoin")) }
    #expect(try holding?.holding.category == Category(named: "Now"))
    #expect(try closed(phone).count == 2)
    let status = try phone.store.read { try $0.status() }
    #expect(status.market?.through == Slot(containing: world.clock.now()))
  }

  @Test(
    "A transaction that arrives after its slot's snapshot: those after it are made anew, no other")
  func lateTransaction() throws {
    let world = try World()
    let phone = try world.device("phone")
    let tablet = try world.device("tablet")
    try phone.add("1", "crypto:bitcoin")
    try phone.sync()
    try tablet.sync()
    world.advance(hours: 12)
    try world.importPrices(1)
    try phone.sync()
    try tablet.sync()
    let made = world.clock.now()
    try tablet.add("2", "crypto:bitcoin")
    for hours in 1...5 {
      world.advance(hours: 6)
      try world.importPrices(1 + hours)
      try phone.sync()
    }
    #expect(try closed(phone).count == 7)
    let before = try phone.digests()
    try tablet.sync()
    let summary = try phone.sync()
    #expect(summary.pulled == 1)
    #expect(summary.remade == 5)
    #expect(try summary.remade == slots(after: made, phone))
    #expect(summary.snapshots == 0)
    #expect(try phone.digests().prefix(2) == before.prefix(2))
    try expectSame(phone, tablet)
    #expect(try phone.sync().remade == 0)
  }

  @Test(
    "F53: a corrected or a late price table: its snapshot and those that carried from it are anew")
  func tables() throws {
    let world = try World()
    let phone = try world.device("phone")
    let tablet = try world.device("tablet")
    try phone.add("1", "crypto:bitcoin")
    try phone.add("1", "stock:ABC")
    try phone.sync()
    let start = world.clock.now()
    func time(_ slot: Int64) -> Timestamp { start.adding(milliseconds: slot * 21_600_000) }
    // Bitcoin has a price in each second slot, the stock in the first alone.
    try world.server.importPrices([("stock:ABC", "50", time(0))])
    for slot in [0, 2, 4, 6] as [Int64] {
      try world.server.importPrices([("crypto:bitcoin", "\(100 + slot)", time(slot))])
    }
    world.advance(hours: 48)
    try phone.sync()
    try tablet.sync()
    #expect(try closed(phone).count == 8)
    let before = try phone.digests()

    // Corrected: bitcoin in the third, which the fourth carried.
    try world.server.importPrices([("crypto:bitcoin", "77", time(2))])
    for device in [phone, tablet] {
      let summary = try device.sync()
      #expect(summary.priceTables == 1)
      #expect((summary.remade, summary.snapshots) == (2, 0))
    }
    let corrected = try phone.digests()
    #expect(changed(before, corrected) == [2, 3])

    // Late: the stock in the sixth, which all after it carry.
    try world.server.importPrices([("stock:ABC", "51", time(5))])
    for device in [phone, tablet] { #expect(try device.sync().remade == 3) }
    #expect(try changed(corrected, phone.digests()) == [5, 6, 7])

    // One of an asset that nobody holds concerns nobody.
    try world.server.importPrices([("crypto:other", "5", time(3))])
    for device in [phone, tablet] { #expect(try device.sync().remade == 0) }
    try expectSame(phone, tablet)
    let (restored, _) = try world.restore("restored")
    try expectSame(restored, phone)
  }

  private func changed(_ a: [Hash256?], _ b: [Hash256?]) -> [Int] {
    zip(a, b).enumerated().filter { $0.element.0 != $0.element.1 }.map(\.offset)
  }
}
