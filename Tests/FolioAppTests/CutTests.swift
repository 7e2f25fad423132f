import FolioApp
import FolioDomain
import FolioGateway
import FolioStore
import TestSupport
import Testing

/// Connections cut anywhere: retried, everything is there, and nothing twice.
@Suite("Connections that are cut")
struct CutTests {
  /// What two devices did before they sync, the same each time.
  private func prepared(seed: UInt64) throws -> (World, Device, Device) {
    let world = try World(seed: seed)
    try world.importPrices(1)
    let phone = try world.device("phone")
    let tablet = try world.device("tablet")
    try tablet.add("7", "crypto:bitcoin", to: "Coins")
    try tablet.add("3", "stock:ABC")
    try tablet.sync()
    for index in 1...6 { try phone.add("\(index)", "crypto:bitcoin") }
    try phone.add("5", "forex:EUR", to: "Cash")
    world.advance(hours: 12)
    try world.importPrices(2)
    return (world, phone, tablet)
  }

  @Test("F01 F22 A sync cut at any byte, then retried: exactly once in effect")
  func anywhere() throws {
    var random = SeededRandom()
    let (whole, phone, _) = try prepared(seed: 1)
    let before = whole.server.byteCount
    try phone.sync()
    let length = whole.server.byteCount - before
    #expect(length > 2_000)
    for _ in 0..<16 {
      let (world, phone, tablet) = try prepared(seed: UInt64(random.int(2...1_000_000)))
      // One cut, and sometimes a second one in the attempt after it.
      world.server.cuts = [random.int(0...length)]
      if random.one(in: 2) { world.server.cuts.append(random.int(0...length)) }
      let cuts = world.server.cuts
      let summary = try phone.sync()
      try tablet.sync()
      #expect(summary.pushed == 7, "cut at \(cuts)")
      #expect(try phone.amount("crypto:bitcoin") == "28", "cut at \(cuts)")
      try expectSame(phone, tablet)
    }
  }

  @Test("F22 A restore whose connections are cut goes on, and is equal in the end")
  func restore() throws {
    var random = SeededRandom()
    for _ in 0..<5 {
      let (world, phone, _) = try prepared(seed: UInt64(random.int(2...1_000_000)))
      try phone.sync()
      world.server.cuts = [random.int(500...4_000), random.int(500...6_000)]
      let (restored, summary) = try world.restore("restored")
      #expect(summary.transactions == 9)
      try expectSame(restored, phone)
    }
  }
}
