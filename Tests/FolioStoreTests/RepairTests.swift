import FolioDomain
import FolioSystem
import LMDB
import StoreWorld
import TestSupport
import Testing

@testable import FolioStore

/// What is broken on purpose is made anew, or fetched again, and nothing that was saved here is
/// lost.
@Suite struct RepairTests {
  /// What a store shows, apart from snapshots.
  private func shown(_ store: Store) throws -> [String] {
    try store.read { state in
      try state.holdings(includesHidden: true).map { priced in
        let holding = priced.holding
        return "\(holding.asset) \(holding.amount.decimalText) \(holding.category.spelling)"
      } + [state.digestBasis().stateDigest.text, "\(state.status().outbox.count)"]
    }
  }

  @Test func aSoundStoreIsLeftAlone() throws {
    let fixture = try IntegrityTests().filled()
    #expect(try fixture.store.repair() == RepairReport())
  }

  @Test(arguments: [
    "domain.portfolio/categories", "domain.portfolio/assets", "domain.portfolio/history",
    "domain.portfolio/history.assets", "domain.documents", "domain.documents.order",
    "gate.sync/devices",
  ])
  func derivedDataIsMadeAnew(space: String) throws {
    let fixture = try IntegrityTests().filled()
    let before = try shown(fixture.store)
    try IntegrityTests().tamper(fixture, space) { transaction, database, record in
      _ = try transaction.delete(database, record.key)
    }
    #expect(try !fixture.store.verify().isSound)
    let report = try fixture.store.repair()
    #expect(report.problems.isEmpty, "\(report.problems)")
    #expect(report.fromServer.isEmpty && !report.rebuilt.isEmpty)
    #expect(try shown(fixture.store) == before)
  }

  /// As a system that takes away what can be made again would leave it.
  @Test("A store whose derived data is gone is filled again from the entries that it keeps")
  func offloaded() throws {
    let fixture = try IntegrityTests().filled()
    let before = try shown(fixture.store)
    try fixture.store.write { transaction in
      let spaces = transaction.spaces
      for space in [
        spaces.assets, spaces.categories, spaces.history, spaces.historyByAsset, spaces.documents,
        spaces.documentOrder, spaces.devices, spaces.own, spaces.snapshots, spaces.outboxByID,
        spaces.outboxByAsset, spaces.outboxByDocument,
      ] {
        try transaction.base.deleteAll(space)
      }
    }
    #expect(try !fixture.store.verify().isSound)
    let report = try fixture.store.repair()
    #expect(report.problems == [])
    #expect(report.fromServer == [] && report.lost == [])
    #expect(try shown(fixture.store) == before)
  }

  @Test func aLogThatIsNotSoundIsReadAgainFromTheServer() throws {
    let fixture = try IntegrityTests().filled()
    try IntegrityTests().tamper(fixture, "gate.sync/log") { transaction, database, record in
      _ = try transaction.delete(database, record.key)
    }
    let report = try fixture.store.repair()
    #expect(report.fromServer == ["the log after entry 3"])
    let status = try fixture.store.read { try $0.status() }
    #expect(status.position?.seq == 3 && status.outbox.count == 1)
    #expect(report.problems.isEmpty, "\(report.problems)")
  }

  @Test func pricesThatAreNotSoundAreReadAgainFromTheServer() throws {
    let fixture = try IntegrityTests().filled()
    let before = try shown(fixture.store)
    try IntegrityTests().tamper(fixture, "domain.market/prices") { transaction, database, record in
      _ = try transaction.delete(database, record.key)
    }
    let report = try fixture.store.repair()
    #expect(report.fromServer == ["price tables and assets"])
    #expect(try fixture.store.read { try $0.marketPosition() } == nil)
    #expect(report.problems.isEmpty, "\(report.problems)")
    #expect(try shown(fixture.store) == before)
  }

  /// The places of a file where a name stands are damaged two at a time: in what is held, in its
  /// indexes, in the log, in what waits.
  @Test func whateverTwoRecordsAreDamagedTheRestComesBack() throws {
    let text = Array("DAMAGED".utf8)
    let asset = AssetKey(type: AssetType(unchecked: "stock"), id: AssetID(unchecked: "DAMAGED"))
    let (fixture, filled) = try StoreFixture.joined()
    var log = filled
    try log.append(id: 1, .adjust(asset, try Amount("2")))
    try log.append(id: 2, .adjust(bitcoin, try Amount("3")), .categorize(asset, category))
    try fixture.pull(log)
    try fixture.save(.add(asset, try Amount("4"), category: nil))
    let before = try shown(fixture.store)
    fixture.store.close()
    let file = fixture.path + "/data.mdb"
    let whole = try Files.read(file)
    let places = whole.indices.dropLast(text.count).filter {
      whole[$0..<$0 + text.count].elementsEqual(text)
    }
    #expect(places.count >= 8)
    var spaces: Set<String> = []
    for (index, first) in places.enumerated() {
      for second in places[index...] {
        var bytes = whole
        for place in Set([first, second]) { bytes[place] ^= 1 }
        try fixture.folder.makeFolder("copy")
        try fixture.folder.write(bytes, to: "copy/data.mdb")
        let store = try Store.open(at: fixture.folder.path + "/copy", fixture.options)
        spaces.formUnion(try store.verify().problems.map(\.space))
        let report = try store.repair()
        #expect(report.problems == [], "\(first), \(second)")
        let seq = try store.read { try $0.status().position?.seq ?? 0 }
        try store.write { _ = try $0.apply(log.page(after: seq)) }
        #expect(try store.verify().problems == [])
        let after = try shown(store)
        if report.lost.isEmpty { #expect(after == before, "\(first), \(second)") }
        #expect(report.lost.count <= 1)
        store.close()
        try fixture.folder.remove("copy")
      }
    }
    #expect(
      spaces.isSuperset(of: [
        "domain.portfolio/assets", "domain.portfolio/categories", "domain.portfolio/history",
        "domain.portfolio/history.assets", "gate.sync/log", "gate.sync/outbox",
      ]), "\(spaces)")
  }

  private let bitcoin = TestWorld.assets[0]
  private let category = TestWorld.categories[0]
}
