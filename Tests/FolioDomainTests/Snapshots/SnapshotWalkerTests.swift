import FolioCrypto
import FolioDomain
import TestSupport
import Testing

@Suite("Snapshots, slot after slot")
struct SnapshotWalkerTests {
  let rules = PricingRules(base: "USD")

  @Test("A client that was away for 30 hours makes exactly 5 snapshots")
  func thirtyHours() {
    let last = Slot(containing: moment("2026-03-01T07:00:00Z"))
    let through = Slot(containing: moment("2026-03-02T13:00:00Z"))
    var walker = SnapshotWalker(at: last.advanced(by: 1), rules: rules)
    var made: [Slot] = []
    walker.walk(through: through, changes: [], tables: []) { made.append($0.slot) }
    #expect(
      made == [
        at("2026-03-01T12Z"), at("2026-03-01T18Z"), at("2026-03-02T00Z"), at("2026-03-02T06Z"),
        at("2026-03-02T12Z"),
      ])
  }

  @Test("There is a snapshot of each slot after the first transaction's, up to the one told last")
  func schedule() {
    let first = moment("2026-03-01T07:00:00Z")
    #expect(
      Slot.snapshots(firstEffectiveAt: first, through: at("2026-03-02T12Z"))
        == (at("2026-03-01T12Z") as Slot)...(at("2026-03-02T12Z") as Slot))
    #expect(Slot.snapshots(firstEffectiveAt: first, through: at("2026-03-01T12Z"))?.count == 1)
    #expect(Slot.snapshots(firstEffectiveAt: first, through: at("2026-03-01T06Z")) == nil)
  }

  @Test(
    "A transaction is first in the snapshot after its slot; one at exactly 06:00 in that of 12:00",
    arguments: [
      ("2026-03-01T05:59:59.999Z", at("2026-03-01T06Z")),
      ("2026-03-01T06:00:00Z", at("2026-03-01T12Z")),
      ("2026-03-01T11:59:59.999Z", at("2026-03-01T12Z")),
      ("2026-03-01T12:00:00Z", at("2026-03-01T18Z")),
    ])
  func firstSnapshot(time: String, expected: Slot) {
    let slot = Slot(containing: moment(time))
    var found: Slot?
    var walker = SnapshotWalker(at: at("2026-03-01T00Z"), rules: rules)
    walker.walk(
      through: at("2026-03-02T00Z"), changes: [change(slot, key("crypto:bitcoin"), "1")], tables: []
    ) { walker in
      if found == nil, walker.totals().assetCount > 0 { found = walker.slot }
    }
    #expect(found == expected)
  }

  @Test("What is told of the walker's own slot counts from the next one on, whenever it is told")
  func pending() {
    var walker = SnapshotWalker(at: at("2026-03-01T06Z"), rules: rules)
    walker.apply(change(at("2026-03-01T06Z"), key("crypto:bitcoin"), "1"))
    #expect(walker.snapshot().assets.isEmpty)
    walker.apply(change(at("2026-03-01T00Z"), key("crypto:bitcoin"), "2"))
    #expect(walker.snapshot().assets.map(\.amount) == [units("2")])
    walker.advance()
    #expect(walker.snapshot().assets.map(\.amount) == [units("3")])
  }

  @Test("An asset is in a snapshot while its amount is not 0, below 0 too, and keeps its category")
  func nonzero() {
    let model = NaiveModel(
      rules: rules,
      changes: [
        change(at("2026-03-01T00Z"), key("crypto:bitcoin"), "1", named("Coins")),
        change(at("2026-03-01T06Z"), key("crypto:bitcoin"), "-1"),
        change(at("2026-03-01T12Z"), key("crypto:bitcoin"), "-0.5"),
      ], tables: [])
    var seen: [[Int256]] = []
    let walker = model.walk(from: at("2026-03-01T00Z"), through: at("2026-03-01T18Z")) {
      seen.append($0.snapshot().assets.map(\.amount))
    }
    var last = walker
    #expect(seen == [[], [units("1")], [], [units("-0.5")]])
    #expect(last.snapshot().assets.map(\.category) == [named("Coins")])
  }

  @Test("For as long as nobody named a category, it is the one called after the type")
  func defaultCategory() {
    var walker = SnapshotWalker(at: at("2026-03-01T06Z"), rules: rules)
    walker.apply(change(at("2026-03-01T00Z"), key("metal:gold"), "1"))
    walker.apply(change(at("2026-03-01T06Z"), key("metal:gold"), "0", named("Safe")))
    #expect(
      walker.snapshot().assets[0].category == Category(defaultFor: AssetType(unchecked: "metal")))
    walker.advance()
    #expect(walker.snapshot().assets[0].category == named("Safe"))
  }

  @Test("An amount out of range is kept and shown, and never valued")
  func outOfRange() {
    let most = units("99999999999999999999.999999999999999999")
    var walker = SnapshotWalker(at: at("2026-03-01T06Z"), rules: rules)
    for _ in 0..<2 {
      walker.apply(HoldingChange(slot: at("2026-03-01T00Z"), asset: key("forex:USD"), sum: most))
    }
    let asset = walker.snapshot().assets[0]
    #expect(asset.amount == most + most && asset.isOutOfRange)
    #expect(asset.quote != nil && asset.value == nil)
    #expect(walker.totals().unpricedCount == 1 && walker.totals().value == .zero)
    walker.apply(HoldingChange(slot: at("2026-03-01T00Z"), asset: key("forex:USD"), sum: -most))
    #expect(walker.totals().unpricedCount == 0 && walker.totals().value == Value(units: most))
  }

  @Test("Walking on gives, at every slot, what is worked out from nothing")
  func model() {
    var random = SeededRandom()
    for _ in 0..<40 {
      let slots = Slot(index: 100)...Slot(index: 100 + Int64(random.int(1...60)))
      let model = NaiveModel.random(&random, slots: slots)
      _ = model.walk(from: slots.lowerBound, through: slots.upperBound) { walker in
        let expected = model.snapshot(at: walker.slot)
        #expect(walker.snapshot() == expected)
        #expect(walker.totals() == expected.totals)
        #expect(
          walker.digest(using: SHA256.self)
            == SnapshotDigest.digest(of: expected, using: SHA256.self))
      }
    }
  }

  @Test("Starting later, from what came before, gives the same snapshots")
  func startingLater() {
    var random = SeededRandom()
    for _ in 0..<20 {
      let slots = Slot(index: 0)...Slot(index: 40)
      let model = NaiveModel.random(&random, slots: slots)
      let start = random.slot(slots)
      _ = model.walk(from: start, through: slots.upperBound) { walker in
        #expect(walker.snapshot() == model.snapshot(at: walker.slot))
      }
    }
  }
}
