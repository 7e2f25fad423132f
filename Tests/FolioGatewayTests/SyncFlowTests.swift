import FolioDomain
import FolioWire
import TestSupport
import Testing

@testable import FolioGateway

/// Syncs that meet no fault.
@Suite("Sync: the usual course")
struct SyncFlowTests {
  @Test("A first sync sends what was made offline and reads it back")
  func firstSync() throws {
    let server = FakeServer()
    let storage = MemoryStorage(device: 1)
    for index in 1...5 { storage.edit("{\"n\":\(index)}", id: UInt128(index)) }
    let summary = try sync(storage, server)
    #expect(summary.pushed == 5)
    #expect(summary.pulled == 0)
    #expect(summary.head == server.head)
    #expect(summary.skewMilliseconds == 100_000)
    #expect(storage.log == server.log)
    #expect(storage.pendingTransactions.isEmpty)
    #expect(storage.state.account == server.account)
    #expect(storage.state.acknowledged?.sequence == 5)
    #expect(summary.snapshots == 1)
  }

  @Test("F16 What others did is read before the first push")
  func pullsFirst() throws {
    let server = FakeServer()
    for sequence in 1...7 as ClosedRange<UInt64> {
      server.append(device: 9, sequence: sequence, id: UInt128(sequence))
    }
    let storage = MemoryStorage(device: 1)
    storage.edit("{}", id: 100)
    let summary = try sync(storage, server)
    #expect(summary.pulled == 7)
    #expect(summary.pushed == 1)
    let firstPush = server.requests.firstIndex { $0.type == .push } ?? 0
    let pulls = server.requests[..<firstPush].count { $0.type == .pull }
    #expect(pulls == 3, "three pages of three entries before the push")
    #expect(storage.log == server.log)
  }

  @Test("F16 Nothing is pushed where the first pull fails")
  func failedPull() throws {
    let server = FakeServer()
    server.append(device: 9, sequence: 1, id: 1)
    server.refusal = { request in
      guard case .pull = request else { return nil }
      return ErrorMessage(code: "busy", class: .retry, message: "later")
    }
    let storage = MemoryStorage(device: 1)
    storage.edit("{}", id: 100)
    #expect(throws: SyncError.self) { try sync(storage, server) }
    #expect(server.pushes.isEmpty)
    #expect(storage.pendingTransactions.count == 1)
  }

  @Test("An empty store and an empty server have nothing to say to each other")
  func empty() throws {
    let server = FakeServer()
    let storage = MemoryStorage(device: 1)
    let summary = try sync(storage, server)
    #expect(summary.pushed == 0)
    #expect(summary.head == server.start)
    #expect(server.pushes.isEmpty)
  }

  @Test("Two devices take turns and end with the same log")
  func twoDevices() throws {
    let server = FakeServer()
    let first = MemoryStorage(device: 1)
    let second = MemoryStorage(device: 2)
    for round in 0..<4 {
      first.edit("{}", id: UInt128(10 + round))
      second.edit("{}", id: UInt128(20 + round))
      try sync(first, server)
      try sync(second, server)
    }
    try sync(first, server)
    #expect(first.log == server.log)
    #expect(second.log == server.log)
    #expect(server.log.count == 8)
  }

  @Test("Own entries come back without their bodies, and have them all the same")
  func stubs() throws {
    let server = FakeServer()
    let storage = MemoryStorage(device: 1)
    storage.edit("{\"amount\":\"1\"}", id: 1)
    var stubs = 0
    server.lie = { _, reply in
      if case .page(let page) = reply { stubs += page.entries.count { $0.stubHash != nil } }
      return reply
    }
    try sync(storage, server)
    #expect(stubs == 1)
    #expect(storage.log[0].entry.transaction.body == Array("{\"amount\":\"1\"}".utf8))
    #expect(!storage.log[0].entry.isStub)
  }

  @Test("A body that is not held any more is asked for whole")
  func lostBody() throws {
    let server = FakeServer()
    let storage = MemoryStorage(device: 1)
    for id in 1...5 as ClosedRange<UInt128> { storage.edit("{}", id: id) }
    try sync(storage, server)
    // A void entry has a body that its device never made.
    storage.edit("{}", id: 3)
    let summary = try sync(storage, server)
    #expect(summary.head == server.head)
    #expect(storage.log == server.log)
    #expect(storage.log[5].entry.kind == .void)
  }

  @Test("An edit made while the sync runs is sent too")
  func editMeanwhile() throws {
    let server = FakeServer()
    let storage = MemoryStorage(device: 1)
    storage.edit("{}", id: 1)
    var once = true
    server.lie = { request, reply in
      if once, case .push = request {
        once = false
        storage.edit("{}", id: 2)
      }
      return reply
    }
    let summary = try sync(storage, server)
    #expect(summary.pushed == 2)
    #expect(storage.log == server.log)
    #expect(server.log.count == 2)
  }

  @Test("Price tables and the asset table come in pages, and again only what is new")
  func market() throws {
    let server = FakeServer()
    let bitcoin = AssetKey(
      type: AssetType(unchecked: "crypto"), id: AssetID(unchecked: "bitcoin"))
    for revision in 1...5 as ClosedRange<UInt64> {
      let row = PriceRow(id: bitcoin.id, price: Price(mantissa: Int64(revision), scale: 0))
      server.tables.append(
        WireTable(
          slot: Slot(index: Int64(revision)), revision: revision,
          isDelta: revision.isMultiple(of: 2),
          groups: revision == 4 ? [] : [PriceGroup(type: bitcoin.type, rows: [row])]))
    }
    server.assets = (1...5).map { index in
      AssetInfo(
        asset: AssetKey(type: bitcoin.type, id: AssetID(unchecked: "c\(index)")), symbol: "C",
        name: "Coin")
    }
    let storage = MemoryStorage(device: 1)
    let summary = try sync(storage, server)
    #expect(summary.priceTables == 5)
    #expect(storage.tables.count == 5)
    #expect(storage.tables[Slot(index: 4)]?.prices == storage.tables[Slot(index: 3)]?.prices)
    #expect(storage.tables[Slot(index: 4)]?.prices.count == 1)
    #expect(storage.state.market == server.market.position)
    #expect(storage.assets == server.assets)
    #expect(try sync(storage, server).priceTables == 0)
    let assetPages = server.requests.count { $0.type == .assets }
    #expect(assetPages == 4, "three pages, then one answer that nothing changed")
  }
}
