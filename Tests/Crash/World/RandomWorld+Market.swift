import FolioDomain
import FolioStore
import TestSupport

extension RandomWorld {
  package mutating func readPrices() throws {
    let current = Slot(containing: now)
    var changed: [Slot: [AssetKey: Price]] = [:]
    for _ in 0..<random.int(0...3) {
      let slot = Slot(index: current.index - Int64(random.int(0...40)))
      var prices: [AssetKey: Price] = [:]
      for asset in TestWorld.assets where random.one(in: 2) {
        prices[asset] = Price(mantissa: Int64(random.int(0...50)), scale: random.int(0...2))
      }
      changed[slot] = prices
    }
    revision += UInt64(changed.count)
    let page = PriceTablesPage(
      position: MarketPosition(epoch: epoch, revision: revision, through: current), base: "USD",
      tables: changed.map { slot, prices in
        PriceTable(
          slot: slot,
          prices: prices.sorted { $0.key < $1.key }.map {
            PricedAsset(asset: $0.key, price: $0.value)
          })
      }, isLast: true)
    try store.write { _ = try $0.apply(page) }
    model.tables.merge(changed) { $1 }
    model.through = max(model.through ?? current, current)
  }

  /// The server's market begins anew, with tables of its own, and an earlier clock.
  package mutating func readAnotherMarket() throws {
    epoch += 1
    revision = 0
    model.tables = [:]
    model.through = nil
    try readPrices()
  }

  /// The asset table says anew what follows what, circles too.
  package mutating func readAssetTable() throws {
    var successions = Successions()
    var rows: [AssetInfo] = []
    for asset in TestWorld.assets {
      var info = AssetInfo(asset: asset, symbol: "S", name: "N")
      if random.one(in: 3) {
        let others = TestWorld.assets.filter { $0.type == asset.type }
        info.successor = Successor(
          id: random.pick(others).id,
          factor: Price(mantissa: Int64(random.int(1...9)), scale: 1) ?? .one,
          fromSlot: Slot(index: Slot(containing: now).index - Int64(random.int(0...30))))
      }
      successions[asset] = info.successor
      rows.append(info)
    }
    let tag = Hash256(words: (UInt64(random.int(0...9)), 0, 0, 0))
    let cut = random.int(0...rows.count)
    let pages = [
      AssetsPage(tag: tag, assets: Array(rows[..<cut]), isFirst: true, isLast: false),
      AssetsPage(tag: tag, assets: Array(rows[cut...]), isFirst: false, isLast: true),
    ]
    for page in pages { try store.write { try $0.apply(page) } }
    model.successions = successions
  }

  package mutating func makeSnapshots() throws {
    _ = try store.makeDueSnapshots()
    let expected = model.snapshotDigests()
    var found: [Slot: Hash256] = [:]
    try store.read { try $0.snapshots { found[$0.slot] = $0.digest } }
    try expectEqual(found, expected, "the snapshots")
    try expectEqual(try store.makeDueSnapshots(), SnapshotsMade(), "snapshots made twice")
  }
}
