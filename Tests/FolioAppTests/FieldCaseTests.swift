import FolioApp
import FolioDomain
import FolioGateway
import FolioSystem
import FolioWire
import Synchronization
import TestSupport
import Testing

@testable import FolioStore

/// Faults seen in the field that go through the whole client.
@Suite("Cases of the field")
struct FieldCaseTests {
  @Test("F21: a first sync comes in pages of a bounded size, and each one counts")
  func firstSync() throws {
    let world = try World()
    world.server.limits.pageBytes = 16_384
    let phone = try world.device("phone")
    for number in 1...300 { try phone.add("1", "stock:S\(number % 50)") }
    try phone.sync()
    let largest = Mutex(0)
    let pages = Mutex(0)
    var options = world.options()
    let server = world.server
    options.connect = { _ in
      LyingConnection(server.connect()) { message in
        let line = message.line
        if case .reply(_, .page) = message {
          pages.withLock { $0 += 1 }
          largest.withLock { $0 = max($0, line.count) }
        }
        return line
      }
    }
    let tablet = Device(
      store: try Client.create(at: world.path("tablet"), options: options), options: options)
    #expect(try tablet.sync().pulled == 300)
    #expect(pages.withLock { $0 } > 4)
    #expect(largest.withLock { $0 } < 32_768)
    try expectSame(phone, tablet)
  }

  @Test("F11: a note carries nothing that could be taken for data; pulling is the only way")
  func notes() throws {
    let world = try World()
    let phone = try world.device("phone")
    let tablet = try world.device("tablet")
    try phone.add("1", "crypto:bitcoin")
    try phone.sync()
    try tablet.sync()
    try phone.add("2", "crypto:bitcoin")
    try phone.sync()
    // Notes of heads that are not, before every answer: what is read is the log all the same.
    var options = tablet.options
    let server = world.server
    options.connect = { _ in
      LyingConnection(server.connect()) { message in
        guard case .reply(_, let reply) = message else { return message.line }
        switch reply {
        case .welcome, .ready: return message.line
        default:
          let head = LogPosition(seq: 99, hash: .zero)
          return Message.note(.log(head)).line + message.line
        }
      }
    }
    let noted = Device(store: tablet.store, options: options)
    #expect(try noted.sync().pulled == 1)
    try expectSame(phone, tablet)
  }

  @Test("F65: a backup made while edits go on is one state, with every edit acknowledged before it")
  func backupUnderLoad() async throws {
    let world = try World()
    let phone = try world.device("phone")
    let done = Mutex(0)
    let isOver = Mutex(false)
    let failure = Mutex<(any Error)?>(nil)
    // However long a busy machine keeps the backups waiting, the outbox takes all of it.
    let saveCountMax = 9_000
    let store = phone.store
    let asset = try AssetKey("crypto:bitcoin")
    let one = try Amount("1")
    let writer = SystemThread {
      for _ in 0..<saveCountMax where !isOver.withLock({ $0 }) {
        // Two assets change together: a copy between them would show it.
        do {
          _ = try store.write {
            try $0.save([
              .add(asset, one, category: nil),
              .add(AssetKey(type: asset.type, id: AssetID(unchecked: "twin")), one, category: nil),
            ])
          }
        } catch {
          return failure.withLock { $0 = error }
        }
        done.withLock { $0 += 1 }
      }
    }
    for round in 0..<5 {
      while done.withLock({ $0 }) < 5 * (round + 1), failure.withLock({ $0 }) == nil {
        await Task.yield()
      }
      let before = done.withLock { $0 }
      let path = world.path("\(round).backup")
      try store.backUp(to: path)
      let options = world.options()
      _ = try Client.restore(
        at: world.path("copy \(round)"), fromBackup: path, options: options)
      let copy = Device(
        store: try Store.open(at: world.path("copy \(round)"), options.store), options: options)
      let amount = try #require(try Int(copy.amount("crypto:bitcoin") ?? ""))
      #expect(amount >= before, "what was saved before the backup is in it")
      #expect(try copy.amount("crypto:twin") == "\(amount)")
      #expect(try copy.store.verify().problems == [])
      copy.store.close()
    }
    isOver.withLock { $0 = true }
    writer.join()
    #expect(failure.withLock { $0 } == nil)
    // A backup replaces nothing that is there, and neither does restoring it.
    #expect(throws: StoreError.self) { try store.backUp(to: world.path("0.backup")) }
    #expect(throws: StoreError.folderNotEmpty(path: world.path("phone"))) {
      try Client.restore(
        at: world.path("phone"), fromBackup: world.path("0.backup"), options: world.options())
    }
  }

  @Test("A store that kept little more than what waits is filled again from the server")
  func offloaded() throws {
    let world = try World()
    try world.importPrices(1)
    let phone = try world.device("phone")
    let tablet = try world.device("tablet")
    try phone.add("1", "crypto:bitcoin", to: "Coins")
    try phone.add("2", "stock:ABC")
    try phone.sync()
    world.advance(hours: 24)
    try phone.sync()
    try tablet.sync()
    try phone.add("4", "crypto:bitcoin")
    let before = try phone.digests()
    try phone.store.write { transaction in
      try transaction.forgetMarket()
      try transaction.forgetLog()
    }
    #expect(try phone.store.verify().problems == [])
    #expect(try phone.amount("crypto:bitcoin") == "4", "what was not sent is there")
    let summary = try phone.sync()
    #expect(summary.pushed == 1)
    #expect(summary.newDevice == nil)
    try tablet.sync()
    #expect(try phone.digests().prefix(before.count) == before[...])
    #expect(try phone.amount("crypto:bitcoin") == "5")
    try expectSame(phone, tablet)
  }
}
