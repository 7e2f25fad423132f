import FolioCrypto
import FolioDomain
import FolioServer
import FolioWire
import Synchronization
import TestSupport

/// The server of a world: the real one but for its disk, its clock and its sockets.
final class SimulatedServer {
  static let account = "me"

  let clock: ManualClock
  let limits: Limits
  private let random: SeededSource
  private let flaw: Flaw?
  private(set) var storage = MemoryServerStorage()
  /// What runs; nil while it is down.
  private(set) var hub: ServerHub?
  /// How often it was started.
  private(set) var run = 0
  private let faultPlan = FaultPlan()
  private var backups: [(storage: MemoryServerStorage, seq: UInt64)] = []
  /// The greatest mark that any client can have been told.
  private(set) var greatestMark: UInt64 = 0

  init(clock: ManualClock, limits: Limits, seed: UInt64, flaw: Flaw?) throws {
    self.clock = clock
    self.limits = limits
    self.flaw = flaw
    random = SeededSource(seed: seed)
    try prepare()
    try start()
  }

  private func prepare() throws {
    _ = try storage.write(PrepareFolder(base: "USD", random: random, now: clock.now()))
    _ = try storage.write(CreateAccount(Self.account, random: random, now: clock.now()))
  }

  /// Starts the server on what its disk has.
  func start() throws {
    let plan = faultPlan
    storage.setFaults { plan.fault(at: $0) }
    let service = try ServerService(
      storage: storage, clock: clock, random: random, limits: limits)
    hub = ServerHub(service: service)
    run += 1
  }

  /// Takes the process away; what was committed stays.
  func kill() {
    hub = nil
    faultPlan.clear()
    storage = storage.copied()
  }

  var head: LogPosition {
    get throws { try facts.head }
  }

  private var facts: AccountRow {
    get throws {
      faultPlan.clear()
      return try storage.read(LogFacts(account: Self.account, device: DeviceID(0), points: []))
        .account
    }
  }

  /// Makes one of the next steps of the storage fail.
  func failSoon(_ fault: StorageFault, at moment: StorageMoment, after count: Int) {
    faultPlan.set(fault, at: moment, after: count)
  }

  func stopFaults() { faultPlan.clear() }

  // MARK: Backups

  /// Makes a backup, and tells clients by the mark that they need not keep what is in it.
  func backUp(marks: Bool) throws {
    let seq = try head.seq
    backups.append((storage.copied(), seq))
    guard marks else { return }
    greatestMark = max(greatestMark, seq)
    try storage.write(
      MarkBackup([BackedUpLog(account: Self.account, seq: seq)], now: clock.now()))
  }

  /// Says that there is a backup where there is none.
  func markWithoutABackup() throws {
    let seq = try head.seq
    try storage.write(
      MarkBackup([BackedUpLog(account: Self.account, seq: seq)], now: clock.now()))
  }

  /// The backups from which nothing is lost that clients were told to be safe.
  var soundBackupCount: Int { backups.count { $0.seq >= greatestMark } }

  /// Puts a sound backup in place of what there is; a virtual machine's comes back as it was, with
  /// the log's old id.
  func restore(_ index: Int, startsAnew: Bool) throws {
    kill()
    storage = backups.filter { $0.seq >= greatestMark }[index].storage.copied()
    if startsAnew {
      try storage.write(StartAnew(random: random, backup: [Self.account]))
    }
    try start()
  }

  /// Loses everything; the account is made again, with another id.
  func empty() throws {
    kill()
    storage = MemoryServerStorage()
    try prepare()
    try start()
  }

  // MARK: The market

  func importPrices(_ prices: PriceObservations) throws {
    _ = try storage.write(ImportPrices(prices, now: clock.now()))
  }

  func importAssets(_ assets: [AssetInfo]) throws {
    _ = try storage.write(ImportAssets(assets))
  }

  // MARK: The log

  /// All entries of the log.
  func entries() throws -> [WireEntry] {
    let start = LogPosition(
      seq: 0, hash: LogChain.start(account: try facts.id, using: SHA256.self))
    return try storage.read(
      LogPageQuery(
        account: Self.account, after: start, entryLimit: .max, byteLimit: .max)
    ).entries
  }
}

/// Which step of the server's storage is to fail next.
private final class FaultPlan: Sendable {
  private let next = Mutex<(fault: StorageFault, moment: StorageMoment, left: Int)?>(nil)

  func set(_ fault: StorageFault, at moment: StorageMoment, after count: Int) {
    next.withLock { $0 = (fault, moment, count) }
  }

  func clear() { next.withLock { $0 = nil } }

  func fault(at moment: StorageMoment) -> StorageFault? {
    next.withLock { next in
      guard let plan = next, plan.moment == moment else { return nil }
      next = plan.left == 0 ? nil : (plan.fault, moment, plan.left - 1)
      return plan.left == 0 ? plan.fault : nil
    }
  }
}
