import CLMDB
import Synchronization

/// An open folder of databases: one data file, any number of readers, one writer at a time.
///
/// A read sees one state and never waits for the writer. A write is one closure, from its begin to
/// its commit on one thread; when it returns, the change is on disk. Other processes may use the
/// folder at the same time.
@safe public final class Environment: Sendable {
  /// The longest key there is, in bytes.
  public static let keyByteCountMax = 511

  /// The longest value there is, in bytes.
  public static let valueByteCountMax = Int(UInt32.max) - Checksum.byteCount

  /// What a put is counted with against the quota, over its key and value: its node on the page and
  /// a share of the pages above.
  static let putByteCount = 64

  /// The folder as it was given.
  public let path: String

  /// How it was opened.
  public let options: Options

  let identity: UInt64
  let limits: EnvironmentLimits
  let quotaByteCount: Int
  let pageByteCount: Int
  let databaseCount: Int
  let faults: (any StorageFaults)?
  let databases: [String: Database]
  let state = Atomic<Int>(0)
  let needsReopen = Atomic<Bool>(false)
  let writer = Atomic<UInt>(0)
  /// Read transactions to be begun again.
  let idleReaders = IdleReaders()
  /// The hold on the folder; nil in memory.
  let tenancy: Tenancy?
  /// What stands in the engine's place in memory; nil on a folder.
  let memory: MemoryEngine?
  /// Where the file is in memory.
  let map: FileMap
  /// Where pages are that are not in it yet.
  let writtenPages = WrittenPages()
  /// The engine's; nil in memory.
  nonisolated(unsafe) let handle: OpaquePointer?

  init(
    _ opened: consuming OpenedEngine, _ map: consuming FileMap, path: String, options: Options,
    tenancy: Tenancy
  ) {
    self.path = path
    self.options = options
    self.tenancy = tenancy
    memory = nil
    identity = opened.identity
    limits = opened.limits
    pageByteCount = opened.pageByteCount
    quotaByteCount = options.quotaByteCount ?? opened.limits.mapByteCount / 8 * 7
    databases = opened.databases
    databaseCount = opened.databases.count
    faults = options.faults
    self.map = map
    unsafe handle = opened.engine.release()
  }

  init(_ memory: MemoryEngine, options: Options) {
    path = memory.disk.name
    self.options = options
    self.memory = memory
    tenancy = nil
    identity = OpenedEngine.nextIdentity()
    limits = EnvironmentLimits(
      mapByteCount: options.mapByteCount, readerCountMax: options.readerCountMax)
    pageByteCount = MemoryDisk.pageByteCount
    quotaByteCount = options.quotaByteCount ?? options.mapByteCount / 8 * 7
    databases = memory.databases(options.databases, owner: identity)
    databaseCount = databases.count
    faults = options.faults
    map = FileMap()
    unsafe handle = nil
  }

  deinit {
    close()
  }

  /// The database of that name, one of those named when the environment was opened.
  ///
  /// - Complexity: O(1).
  public func database(_ name: String) -> Database {
    guard let found = databases[name] else {
      preconditionFailure("the database \(name) was not named when the environment was opened")
    }
    return found
  }

  /// Refuses new transactions, and gives the folder up when the last one running has ended.
  ///
  /// Called from outside every transaction it has ended by then. Closing twice does nothing.
  public func close() {
    let before = state.bitwiseOr(Self.closedBit, ordering: .acquiringAndReleasing).oldValue
    if before == 0 { tearDown() }
  }
}

extension Environment {
  // The state is the count of running transactions times two, plus one once it is closed: whoever
  // brings it to "closed and none" frees the engine, and nobody else does.
  static let closedBit = 1
  static let oneTransaction = 2

  /// Counts a transaction in.
  @inline(__always)
  func enter() throws(StorageError) {
    let before = state.add(Self.oneTransaction, ordering: .acquiringAndReleasing).oldValue
    if before & Self.closedBit != 0 {
      leave()
      throw .closed
    }
    if needsReopen.load(ordering: .acquiring) {
      leave()
      throw .reopenNeeded
    }
  }

  /// Counts a transaction out.
  @inline(__always)
  func leave() {
    let after = state.subtract(Self.oneTransaction, ordering: .acquiringAndReleasing).newValue
    if after == Self.closedBit { tearDown() }
  }

  private func tearDown() {
    // A transaction that came too late counts itself in and out again: only the first one to arrive
    // here may free the engine.
    let (isFirst, _) = state.compareExchange(
      expected: Self.closedBit, desired: Self.closedBit | 1 << 62,
      ordering: .acquiringAndReleasing)
    guard isFirst else { return }
    memory?.close()
    idleReaders.close()
    if let handle = unsafe handle { unsafe mdb_env_close(handle) }
    tenancy?.end()
  }
}
