import FolioCrypto
import FolioDomain
import TestSupport
import Testing

@Suite("Which snapshots a late table, transaction or successor concerns")
struct ConcernedSnapshotsTests {
  private let slots = Slot(index: 0)...Slot(index: 40)

  private func concerned(_ model: NaiveModel) -> ConcernedSnapshots {
    ConcernedSnapshots(rules: model.rules, through: slots.upperBound)
  }

  private func runs(_ asset: AssetKey, _ model: NaiveModel) -> [ClosedRange<Slot>] {
    concerned(model).heldRuns(of: model.changes.filter { $0.asset == asset })
  }

  private func snapshots(_ model: NaiveModel) -> [Snapshot] {
    var snapshots: [Snapshot] = []
    _ = model.walk(from: slots.lowerBound, through: slots.upperBound) {
      snapshots.append($0.snapshot())
    }
    return snapshots
  }

  private func differing(_ a: NaiveModel, _ b: NaiveModel) -> [Slot] {
    zip(snapshots(a), snapshots(b)).filter { $0 != $1 }.map { $0.0.slot }
  }

  private func listed(_ set: SlotSet) -> [Slot] { set.runs.flatMap { Array($0) } }

  @Test(
    "F53: a table that comes late re-prices its snapshot and those that carried, and only those")
  func lateTable() {
    let start = at("2026-01-01T06Z")
    let rules = PricingRules(base: "USD")
    let bought = [
      change(at("2026-01-01T00Z"), key("stock:KO"), "1"), change(start, key("stock:PG"), "1"),
    ]
    let early: [[String: String]] = [["stock:KO": "60"], [:], [:], [:], ["stock:KO": "62"]]
    var late = early
    late[1] = ["stock:KO": "61"]
    var model = NaiveModel(rules: rules, changes: bought, tables: priceTables(from: start, early))
    let through = at("2026-01-02T12Z")
    var before: [Value] = []
    _ = model.walk(from: start, through: through) { before.append($0.totals().value) }
    model.tables = priceTables(from: start, late)
    var after: [Value] = []
    _ = model.walk(from: start, through: through) { after.append($0.totals().value) }
    #expect(before == ["60", "60", "60", "60", "62", "62"].map(money))
    #expect(after == ["60", "61", "61", "61", "62", "62"].map(money))
    let set = ConcernedSnapshots(rules: rules, through: through).byTable(
      of: start.advanced(by: 1), changed: [key("stock:KO")],
      nextObservation: { _, _ in start.advanced(by: 4) },
      heldRuns: { _ in [start...through] })
    #expect(set.runs == [start.advanced(by: 1)...start.advanced(by: 3)])
  }

  /// Holds [carry-4].
  @Test("A corrected table concerns exactly the snapshots that come out differently")
  func correctedTable() {
    var random = SeededRandom()
    for _ in 0..<60 {
      let model = NaiveModel.random(&random, slots: slots)
      let place = random.int(0...(model.tables.count - 1))
      var corrected = model
      corrected.tables[place].prices = model.tables[place].prices
        .filter { _ in !random.one(in: 3) }
        .map { random.one(in: 2) ? $0 : PricedAsset(asset: $0.asset, price: random.price()) }
      if random.one(in: 2),
        !corrected.tables[place].prices.contains(where: { $0.asset == key("stock:A") })
      {
        corrected.tables[place].prices.append(PricedAsset(asset: key("stock:A"), price: price("7")))
      }
      let changed = Set(model.tables[place].prices)
        .symmetricDifference(corrected.tables[place].prices).map(\.asset)
      let set = concerned(model).byTable(
        of: model.tables[place].slot, changed: Set(changed),
        nextObservation: { asset, slot in
          model.tables.first { table in
            table.slot > slot && table.prices.contains { $0.asset == asset }
          }?.slot
        },
        heldRuns: { runs($0, model) })
      #expect(listed(set) == differing(model, corrected))
    }
  }

  @Test("A late transaction concerns every snapshot after its slot")
  func lateTransaction() {
    var random = SeededRandom()
    for _ in 0..<30 {
      let model = NaiveModel.random(&random, slots: slots)
      var late = model
      let slot = random.slot(slots)
      late.changes.append(HoldingChange(slot: slot, asset: key("stock:A"), sum: units("1")))
      late.changes.sort { $0.slot < $1.slot }
      let set = concerned(model).byTransaction(effectiveAt: slot.start)
      #expect(listed(set) == differing(model, late))
    }
    let last = concerned(NaiveModel.random(&random, slots: slots))
    #expect(last.byTransaction(effectiveAt: slots.upperBound.start).isEmpty)
    #expect(
      last.byTransaction(
        effectiveAt: Timestamp(milliseconds: slots.upperBound.start.milliseconds - 1)
      )
      .count == 1)
  }

  @Test("A new asset table concerns the snapshots of assets whose chain takes another course")
  func successions() {
    var random = SeededRandom()
    for _ in 0..<60 {
      let old = NaiveModel.random(&random, slots: slots)
      var new = old
      new.rules.successions = NaiveModel.random(&random, slots: slots).rules.successions
      let set = concerned(new).bySuccessions(
        from: old.rules.successions, heldRuns: { runs($0, old) })
      let expected = snapshots(old).filter { snapshot in
        snapshot.assets.contains {
          old.rules.successions.end(of: $0.asset, at: snapshot.slot, base: old.rules.base)
            != new.rules.successions.end(of: $0.asset, at: snapshot.slot, base: old.rules.base)
        }
      }
      #expect(listed(set) == expected.map(\.slot))
      #expect(Set(differing(old, new)).isSubset(of: listed(set)))
    }
  }

  @Test("Runs of slots join where they touch, and are counted and found")
  func slotSets() {
    var random = SeededRandom()
    for _ in 0..<50 {
      var set = SlotSet()
      var plain: Set<Slot> = []
      for _ in 0..<random.int(0...12) {
        let low = Slot(index: Int64(random.int(-20...20)))
        let run = low...low.advanced(by: random.int(0...4))
        set.insert(run)
        plain.formUnion(run)
      }
      #expect(listed(set) == plain.sorted())
      #expect(set.count == plain.count && set.isEmpty == plain.isEmpty)
      for slot in Slot(index: -22)...Slot(index: 26) {
        #expect(set.contains(slot) == plain.contains(slot))
      }
      for (a, b) in zip(set.runs, set.runs.dropFirst()) {
        #expect(a.upperBound.index + 1 < b.lowerBound.index)
      }
    }
  }
}
