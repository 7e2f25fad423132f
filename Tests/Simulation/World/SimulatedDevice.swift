import FolioApp
import FolioDomain
import FolioGateway
import FolioStore
import FolioSystem
import LMDB
import Synchronization
import TestSupport

/// A device of a world: the real store on a disk in memory, and the real sync over it.
final class SimulatedDevice {
  let number: Int
  let clock: ManualClock
  /// How far the device's clock is from the true time, in milliseconds.
  var skew: Int64
  private(set) var disk: MemoryDisk
  private(set) var store: Store
  private let seeds: SeededSource
  private let faults = StepFaults()
  /// The disk as it was before the last commits, for a disk that lies.
  private var staleDisk: MemoryDisk?
  let flaw: Flaw?

  /// The sync under way; nil where none is.
  var sync: DeviceSync?

  /// A device with a new store, or with the one on a disk.
  init(
    _ number: Int, clock: ManualClock, skew: Int64, seed: UInt64, on disk: MemoryDisk? = nil,
    flaw: Flaw?
  ) throws {
    self.number = number
    self.clock = clock
    self.skew = skew
    self.flaw = flaw
    seeds = SeededSource(seed: seed)
    self.disk = disk ?? MemoryDisk()
    let options = Self.options(clock, seeds, faults)
    store =
      try disk.map { try Store.open(on: $0, options) } ?? Store.create(on: self.disk, options)
  }

  private static func options(_ clock: ManualClock, _ seeds: SeededSource, _ faults: StepFaults)
    -> StoreOptions
  {
    var options = StoreOptions(clock: clock, random: SeededSource(seed: seeds.next()))
    options.faults = faults
    return options
  }

  /// A source of random numbers for one sync.
  func newSource() -> SeededSource { SeededSource(seed: seeds.next()) }

  /// What the store says of itself; no fault is met by asking.
  func status() throws -> StoreStatus {
    try faults.whilePaused { try store.read { try $0.status() } }
  }

  /// Whether the device has read the log up to a place, which is the same there.
  func holds(_ position: LogPosition) throws -> Bool {
    try faults.whilePaused {
      try store.read { try $0.position(at: position.seq) } == position
    }
  }

  /// Makes one of the next steps of the storage fail.
  func failSoon(_ step: StorageStep, after count: Int) { faults.fail(step, after: count) }

  func stopFaults() { faults.clear() }

  /// Takes the process away and starts it again: what was committed is there, and nothing else.
  func kill() throws {
    faults.clear()
    sync = nil
    disk = (staleDisk ?? disk).copied()
    staleDisk = nil
    store = try Store.open(on: disk, Self.options(clock, seeds, faults))
  }

  // MARK: Backups

  /// The disk as it was at some time.
  private var olderDisk: MemoryDisk?

  var hasOlderDisk: Bool { olderDisk != nil }

  func rememberDisk() { olderDisk = disk.copied() }

  /// Puts the disk back that was remembered.
  func rollBack() throws {
    faults.clear()
    sync = nil
    guard let olderDisk else { return }
    disk = olderDisk.copied()
    store = try Store.open(on: disk, Self.options(clock, seeds, faults))
  }

  /// Closes the store and opens it again, as after a commit whose outcome is not known.
  func reopen() throws {
    faults.clear()
    sync = nil
    store.close()
    store = try Store.open(on: disk, Self.options(clock, seeds, faults))
  }

  /// Remembers the disk as it is before a commit, where it is to lose it.
  func willCommit() {
    if flaw == .diskLosesACommit { staleDisk = disk.copied() }
  }

  /// What the sync reads and writes.
  var storage: any SyncStorage {
    var storage = StoreSyncStorage(store: store, clock: clock)
    storage.server = ("stdio:simulated", SimulatedServer.account)
    guard let flaw else { return storage }
    return FlawedStorage(storage, store, flaw, salt: seeds.next())
  }
}

/// Makes a step of a device's storage fail when it is told to.
private final class StepFaults: StorageFaults {
  private let next = Mutex<(step: StorageStep, left: Int)?>(nil)

  func fail(_ step: StorageStep, after count: Int) { next.withLock { $0 = (step, count) } }

  func clear() { next.withLock { $0 = nil } }

  func whilePaused<R>(_ body: () throws -> R) rethrows -> R {
    let kept = next.withLock { next in
      defer { next = nil }
      return next
    }
    defer { next.withLock { $0 = kept } }
    return try body()
  }

  func willPerform(_ step: StorageStep) throws(StorageError) {
    let isDue = next.withLock { next in
      guard let plan = next, plan.step == step else { return false }
      next = plan.left == 0 ? nil : (step, plan.left - 1)
      return plan.left == 0
    }
    if isDue { throw .system(operation: "write", path: "a disk", number: 5) }
  }
}
