import FolioCrypto
import FolioDomain
import TestSupport
import Testing

@Suite("Digests of snapshots")
struct SnapshotDigestTests {
  /// Made with another program from the rule alone: Python's struct and hashlib.
  static let vectors: [(Snapshot, String)] = [
    (
      Snapshot(slot: at("2026-01-01T06Z"), assets: []),
      "72fcedfb23210bc6fc297fa9e5eac7a35e5a46022dd446037186aec03aa57600"
    ),
    (
      Snapshot(
        slot: at("2026-01-01T06Z"),
        assets: [
          SnapshotAsset(
            asset: key("crypto:bitcoin"), amount: units("0.5"), category: named("Étoiles"),
            quote: Quote(price: price("87500.25"), pricedAt: at("2026-01-01T00Z"))),
          SnapshotAsset(
            asset: key("crypto:nxt"), amount: units("-3"), category: named("Étoiles"), quote: nil),
          SnapshotAsset(
            asset: key("forex:TRL"), amount: units("1000000"), category: named("forex"),
            quote: Quote(
              price: price("0.0233"), pricedAt: at("2025-12-31T18Z"),
              factors: [price("0.000001")])),
          SnapshotAsset(
            asset: key("forex:USD"), amount: Int256(high: 1, low: 0), category: named("forex"),
            quote: Quote(price: price("1"), pricedAt: at("2026-01-01T06Z"))),
        ]), "9436e3ff02eb469367d73af8f93d46d6bc00d5293f72f185d8ad3c6d520f83d5"
    ),
    (
      Snapshot(
        slot: Slot(index: -1),
        assets: [
          SnapshotAsset(
            asset: key("stock:A"), amount: units("1"), category: named("stock"),
            quote: Quote(price: price("0"), pricedAt: Slot(index: -2)))
        ]), "81509a9a64be34c430beb9445b9ea38dfda45a8c6b3ae87b80fe95eba5d89e7c"
    ),
  ]

  @Test("The bytes are those of the rule", arguments: vectors)
  func vector(snapshot: Snapshot, expected: String) {
    #expect(SnapshotDigest.digest(of: snapshot, using: SHA256.self).text == expected)
  }

  @Test("The order in which assets, prices and changes are told makes no difference")
  func permuted() {
    var random = SeededRandom()
    for _ in 0..<20 {
      let slots = Slot(index: 0)...Slot(index: 20)
      let model = NaiveModel.random(&random, slots: slots)
      var permuted = model
      // Within a slot, and between assets: an asset's own changes keep their order.
      permuted.changes.shuffle(using: &random)
      permuted.changes.sort { $0.slot < $1.slot }
      for i in permuted.tables.indices { permuted.tables[i].prices.shuffle(using: &random) }
      var digests: [Hash256] = []
      _ = model.walk(from: slots.lowerBound, through: slots.upperBound) {
        digests.append($0.digest(using: SHA256.self))
      }
      var others: [Hash256] = []
      _ = permuted.walk(from: slots.lowerBound, through: slots.upperBound) {
        others.append($0.digest(using: SHA256.self))
      }
      #expect(digests == others)
    }
  }

  @Test("A spelling makes no difference; all else that is in it does")
  func sensitivity() {
    let asset = SnapshotAsset(
      asset: key("stock:KO"), amount: units("1"), category: named("Drinks"),
      quote: Quote(price: price("60"), pricedAt: Slot(index: 10)))
    let snapshot = Snapshot(slot: Slot(index: 10), assets: [asset])
    let digest = SnapshotDigest.digest(of: snapshot, using: SHA256.self)
    func changed(_ change: (inout Snapshot) -> Void) -> Bool {
      var other = snapshot
      change(&other)
      return SnapshotDigest.digest(of: other, using: SHA256.self) != digest
    }
    #expect(!changed { $0.assets[0].category = named("DRINKS") })
    #expect(!changed { $0.assets[0].value = nil })
    #expect(!changed { $0.assets[0].quote?.factors = [price("2")] })
    #expect(changed { $0.slot = Slot(index: 11) })
    #expect(changed { $0.assets[0].asset = key("stock:K") })
    #expect(changed { $0.assets[0].asset = key("stocks:KO") })
    #expect(changed { $0.assets[0].amount = units("1.000000000000000001") })
    #expect(changed { $0.assets[0].category = named("Food") })
    #expect(changed { $0.assets[0].quote?.price = price("60.1") })
    #expect(changed { $0.assets[0].quote?.pricedAt = Slot(index: 9) })
    #expect(changed { $0.assets[0].quote = nil })
    #expect(changed { $0.assets = [] })
  }

  @Test("Asking again, and asking for other things in between, gives the same digest")
  func asking() {
    var walker = SnapshotWalker(at: Slot(index: 5), rules: PricingRules(base: "USD"))
    walker.apply(change(Slot(index: 1), key("stock:KO"), "1"))
    let before = walker.digest(using: SHA256.self)
    _ = walker.totals()
    _ = walker.snapshot()
    #expect(walker.digest(using: SHA256.self) == before)
    walker.observe(
      PriceTable(
        slot: Slot(index: 5), prices: [PricedAsset(asset: key("stock:KO"), price: price("6"))]))
    #expect(walker.digest(using: SHA256.self) != before)
  }
}
