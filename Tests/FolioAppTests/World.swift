import FolioApp
import FolioDomain
import FolioGateway
import FolioStore
import FolioSystem
import TestSupport
import Testing

/// A server and its clients, all in this process, on one clock.
final class World {
  let clock: ManualClock
  let server: TestServer
  let folder: TemporaryFolder
  private var seed: UInt64

  /// A world at 2026-01-05T01:00:00Z.
  init(seed: UInt64 = 1) throws {
    self.seed = seed &* 1_000
    clock = ManualClock(try Timestamp("2026-01-05T01:00:00Z"))
    server = try TestServer(clock: clock, seed: seed)
    folder = try TemporaryFolder()
  }

  /// Options with ids that follow from the world's seed, and connections to its server.
  func options() -> AppOptions {
    seed += 1
    var options = AppOptions(clock: clock, random: SeededSource(seed: seed))
    let server = self.server
    options.connect = { _ in server.connect() }
    return options
  }

  func path(_ name: String) -> String { folder.path + "/" + name }

  func device(_ name: String) throws -> Device {
    let options = options()
    return Device(store: try Client.create(at: path(name), options: options), options: options)
  }

  func restore(_ name: String) throws -> (Device, RestoreSummary) {
    let options = options()
    let summary = try Client.restore(
      at: path(name), server: "stdio:here", account: "me", options: options)
    return (Device(store: try Store.open(at: path(name), options.store), options: options), summary)
  }

  func advance(hours: Int) { clock.advance(milliseconds: Int64(hours) * 3_600_000) }

  /// Prices of everything that the tests hold, at the present time.
  func importPrices(_ factor: Int) throws {
    let now = clock.now()
    try server.importPrices([
      ("crypto:bitcoin", "\(60_000 + factor)", now), ("stock:ABC", "\(100 + factor).5", now),
      ("forex:EUR", "1.1\(factor % 10)", now),
    ])
  }
}

/// A client of a world.
struct Device {
  let store: Store
  var options: AppOptions

  @discardableResult
  func sync(_ answers: SyncAnswers = SyncAnswers()) throws -> SyncSummary {
    try Client.sync(
      store, server: "stdio:here", account: "me", answers: answers, options: options)
  }

  @discardableResult
  func edit(_ edits: Edit...) throws -> SavedEdits { try store.write { try $0.save(edits) } }

  @discardableResult
  func add(_ amount: String, _ asset: String, to category: String? = nil) throws -> SavedEdits {
    try edit(
      .add(
        try AssetKey(asset), try Amount(amount),
        category: try category.map { try Category(named: $0) }))
  }

  func amount(_ asset: String) throws -> String? {
    let key = try AssetKey(asset)
    return try store.read { try $0.holding(key)?.holding.amount.decimalText }
  }

  var basis: DigestBasis {
    get throws { try store.read { try $0.digestBasis() } }
  }

  /// The digests of all snapshots.
  func digests() throws -> [Hash256?] {
    var digests: [Hash256?] = []
    try store.read { try $0.snapshots { digests.append($0.digest) } }
    return digests
  }

  var pendingCount: Int {
    get throws { try store.read { try $0.status().outbox.count } }
  }
}

/// Expects that two devices hold the same, to the byte, and that each obeys every rule.
func expectSame(
  _ a: Device, _ b: Device, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  #expect(try a.basis == b.basis, sourceLocation: sourceLocation)
  let digests = try a.digests()
  #expect(try digests == b.digests(), sourceLocation: sourceLocation)
  #expect(!digests.contains(nil), sourceLocation: sourceLocation)
  for device in [a, b] {
    #expect(try device.pendingCount == 0, sourceLocation: sourceLocation)
    #expect(try device.store.verify().problems == [], sourceLocation: sourceLocation)
  }
}
