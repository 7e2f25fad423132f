import FolioApp
import FolioDomain
import FolioGateway
import FolioStore
import FolioSystem
import TestSupport
import Testing

/// The main job with a real server: edit offline, sync, lose the device, restore it, prove it.
@Suite("The main job")
struct JourneyTests {
  @Test("Edited offline, synced, edited on a second device, lost and restored: digests are equal")
  func mainJob() throws {
    let world = try World()
    try world.server.importAssets([("crypto:bitcoin", "BTC"), ("stock:ABC", "ABC")])
    try world.importPrices(1)
    let phone = try world.device("phone")
    try phone.add("0.5", "crypto:bitcoin", to: "Savings")
    try phone.add("10", "stock:ABC", to: "Shares")
    try phone.add("250.25", "forex:EUR")
    let first = try phone.sync()
    #expect(first.pushed == 3)
    #expect(first.pulled == 0)

    world.advance(hours: 30)
    try world.importPrices(2)
    let away = try phone.sync()
    #expect(away.snapshots == 5, "thirty hours make five snapshots")

    let tablet = try world.device("tablet")
    let joined = try tablet.sync()
    #expect(joined.pulled == 3)
    #expect(joined.snapshots == 5)
    try tablet.add("0.25", "crypto:bitcoin")
    try phone.add("-4", "stock:ABC")
    try phone.edit(
      .renameCategory(try Category(named: "Savings").key, to: try Category(named: "Coins")))
    try tablet.sync()
    let both = try phone.sync()
    #expect(both.pulled == 1)
    try tablet.sync()
    #expect(try phone.amount("crypto:bitcoin") == "0.75")
    try expectSame(phone, tablet)

    world.advance(hours: 12)
    try world.importPrices(3)
    try phone.sync()
    try tablet.sync()
    let digests = try phone.digests()
    // The phone is lost.
    phone.store.close()
    let (restored, summary) = try world.restore("new phone")
    #expect(summary.transactions == 6)
    #expect(summary.snapshots == 7)
    #expect(summary.digest == digests.last)
    #expect(summary.assets == 3)
    try expectSame(restored, tablet)
    #expect(try restored.digests() == digests)
    guard case .agrees = summary.witness else {
      Issue.record("the witness says \(summary.witness)")
      return
    }
  }

  @Test("F06 An emptied server is filled again, and a third device restored from it is equal")
  func emptied() throws {
    let world = try World()
    let phone = try world.device("phone")
    let tablet = try world.device("tablet")
    try phone.add("1", "crypto:bitcoin")
    try phone.sync()
    try tablet.sync()
    try tablet.add("2", "crypto:bitcoin", to: "Coins")
    try tablet.sync()
    try phone.sync()
    let head = try world.server.head()
    try world.server.empty()
    try phone.add("4", "stock:ABC")
    let refilled = try phone.sync()
    #expect(refilled.refilled == 2)
    #expect(refilled.pushed == 1)
    #expect(try world.server.head().seq == head.seq + 1)
    try tablet.sync()
    world.advance(hours: 6)
    try world.importPrices(1)
    try phone.sync()
    try tablet.sync()
    let (third, _) = try world.restore("third")
    try expectSame(third, phone)
    try expectSame(third, tablet)
  }

  @Test("F05 A server restored from a backup gets again what it lacks")
  func rolledBack() throws {
    let world = try World()
    let phone = try world.device("phone")
    let tablet = try world.device("tablet")
    try phone.add("1", "crypto:bitcoin")
    try phone.sync()
    let backup = world.server.snapshot()
    try phone.add("2", "crypto:bitcoin")
    try phone.sync()
    try tablet.sync()
    try world.server.restore(backup)
    let summary = try tablet.sync()
    #expect(summary.refilled == 1)
    #expect(try phone.sync().refilled == 0)
    try expectSame(phone, tablet)
    #expect(try phone.amount("crypto:bitcoin") == "3")
  }

  @Test("Logs that parted after a server went back: all of both is in the end on every device")
  func parted() throws {
    let world = try World()
    let phone = try world.device("phone")
    let tablet = try world.device("tablet")
    try phone.add("1", "crypto:bitcoin")
    try phone.sync()
    try tablet.sync()
    let backup = world.server.snapshot()
    try phone.add("2", "crypto:bitcoin")
    try phone.add("3", "stock:ABC", to: "Shares")
    try phone.sync()
    try world.server.restore(backup)
    try tablet.add("10", "crypto:bitcoin")
    try tablet.add("20", "forex:EUR")
    try tablet.add("30", "crypto:other")
    try tablet.sync()
    try phone.add("100", "crypto:bitcoin")
    let summary = try phone.sync()
    #expect(summary.rebuilt)
    // The server went back without a new log id, so that the phone's transactions speak of places of
    // this very log that the tablet never saw: it is told so, once, and has everything.
    let told = #expect(throws: SyncError.self) { try tablet.sync() }
    #expect(told?.code == "twoLogs")
    try tablet.sync()
    try expectSame(phone, tablet)
    #expect(try tablet.amount("crypto:bitcoin") == "113")
    #expect(try tablet.amount("stock:ABC") == "3")
    #expect(try phone.amount("forex:EUR") == "20")
  }

  @Test("F14 A store that was copied takes its own identity, and nothing of either is lost")
  func copied() throws {
    let world = try World()
    let phone = try world.device("phone")
    try phone.add("1", "crypto:bitcoin")
    try phone.sync()
    try phone.add("2", "crypto:bitcoin")
    try Files.makeFolder(world.path("copy"))
    try phone.store.backUp(to: world.path("copy/data.mdb"))
    let options = world.options()
    let copy = Device(
      store: try Store.open(at: world.path("copy"), options.store), options: options)
    try phone.add("4", "crypto:bitcoin")
    try phone.sync()
    try copy.add("8", "crypto:bitcoin")
    try copy.add("16", "crypto:bitcoin")
    try copy.add("32", "stock:ABC")
    let summary = try copy.sync()
    #expect(summary.newDevice != nil)
    try phone.sync()
    try expectSame(phone, copy)
    #expect(try phone.amount("crypto:bitcoin") == "31")
    #expect(try copy.amount("stock:ABC") == "32")
  }

  @Test("F14 A copy's transaction whose place another took, on a server that lost it, is not lost")
  func placeTaken() throws {
    let world = try World()
    let phone = try world.device("phone")
    let tablet = try world.device("tablet")
    try phone.add("1", "crypto:bitcoin")
    try phone.sync()
    try Files.makeFolder(world.path("copy"))
    try phone.store.backUp(to: world.path("copy/data.mdb"))
    let options = world.options()
    let copy = Device(
      store: try Store.open(at: world.path("copy"), options.store), options: options)
    // Nobody has noticed the copy: what it makes stands in the phone's second place.
    try copy.add("2", "stock:ABC", to: "Shares")
    try copy.sync()
    try tablet.sync()
    try world.server.empty()
    try phone.add("4", "forex:EUR")
    try phone.sync()
    let summary = try tablet.sync()
    #expect(summary.rebuilt)
    #expect(try tablet.amount("stock:ABC") == "2")
    try copy.sync()
    try phone.sync()
    try tablet.sync()
    try expectSame(phone, tablet)
    try expectSame(phone, copy)
    #expect(try phone.amount("stock:ABC") == "2")
    #expect(try copy.amount("forex:EUR") == "4")
    #expect(try copy.amount("crypto:bitcoin") == "1")
  }

  @Test("What two devices changed apart is named")
  func bothSides() throws {
    let world = try World()
    let phone = try world.device("phone")
    let tablet = try world.device("tablet")
    try phone.add("4", "crypto:bitcoin")
    try phone.sync()
    try tablet.sync()
    let bitcoin = try AssetKey("crypto:bitcoin")
    try phone.edit(.set(bitcoin, try Amount("10")))
    try tablet.edit(.set(bitcoin, try Amount("10")))
    try phone.sync()
    let summary = try tablet.sync()
    #expect(summary.changedOnBothSides == [bitcoin])
    try phone.sync()
    #expect(try phone.amount("crypto:bitcoin") == "16")
    try expectSame(phone, tablet)
  }
}
