public import FolioGateway
public import FolioStore
import FolioSystem
import FolioTransport

/// The flows of a client that a server takes part in: joining, syncing, restoring.
///
/// Each blocks the calling thread until it is done; `Portfolio` has the same for tasks.
public enum Client {
  /// Makes a store in an absent or empty folder; with a server, it joins the account there first.
  ///
  /// Where the server is not reached, or does not know the account, no store is left.
  /// - Throws: `StoreError`, `SyncError`, `AppError.serverIncomplete`, and what is wrong with the URL.
  public static func create(
    at path: String, server: String? = nil, account: String? = nil,
    options: AppOptions = AppOptions()
  ) throws -> Store {
    guard let binding = try Binding(server, account) else {
      return try Store.create(at: path, options.store)
    }
    let building = try BuildingFolder(for: path)
    try building.begin(options) { store in
      var options = options
      options.attemptsMax = 1
      _ = try run(store, binding, options, extent: .account)
    }
    return try Store.open(at: path, options.store)
  }

  /// Sends what is pending, reads what others did and what the market did, and makes the snapshots
  /// that are due.
  ///
  /// Success means that the server's log and the store's are the same. Interrupted at any point, what
  /// was stored stays, and the next sync goes on from there. One process at a time syncs a store.
  /// - Parameters:
  ///   - store: The store.
  ///   - server: The server's URL; nil for the one that the store knows.
  ///   - account: The account's name there; nil for the one that the store knows.
  ///   - answers: What a person has answered to what an earlier sync asked.
  ///   - options: What the sync runs on.
  ///   - cancellation: With which another thread may end it.
  ///   - progress: Called on this thread, often.
  /// - Throws: `SyncError`, `AppError`, `StoreError`, and what is wrong with the URL. A question that
  ///   only a person can answer is a `SyncError.decisionNeeded`; until it is answered it waits, and is
  ///   told by the store's status. A `ProtocolViolation.twoLogs` is told once, at the end of a sync
  ///   that did everything else.
  public static func sync(
    _ store: Store, server: String? = nil, account: String? = nil,
    answers: SyncAnswers = SyncAnswers(), options: AppOptions = AppOptions(),
    cancellation: SyncCancellation = SyncCancellation(),
    progress: @escaping (SyncProgress) -> Void = { _ in }
  ) throws -> SyncSummary {
    let status = try store.read { try $0.status() }
    if status.isRestoring { throw StoreError.restoreUnfinished }
    let given = try Binding(server, account)
    guard let binding = try given ?? Binding(status.serverURL, status.accountName) else {
      throw AppError.notJoined
    }
    let lock = try takeLock(of: store)
    defer { withExtendedLifetime(lock) {} }
    let summary = try noting(store) {
      try run(
        store, binding, options, answers: answers, cancellation: cancellation, progress: progress)
    }
    try store.write {
      try $0.recordSync(
        skewMilliseconds: summary.skewMilliseconds, nextTablesAt: summary.nextTables)
    }
    // Where the logs have parted that is known already, and why.
    if let seq = summary.atOdds.first, !summary.rebuilt {
      throw SyncError.violation(.twoLogs(seq: seq))
    }
    return summary
  }

  /// A server and an account there.
  struct Binding {
    var url: ServerURL
    var text: String
    var account: String

    /// Nil where neither is given.
    init?(_ server: String?, _ account: String?) throws {
      if server == nil, account == nil { return nil }
      guard let server, let account else { throw AppError.serverIncomplete }
      url = try ServerURL(server)
      text = server
      self.account = account
    }
  }

  /// Runs a sync with a server.
  static func run(
    _ store: Store, _ binding: Binding, _ options: AppOptions, extent: SyncExtent = .all,
    answers: SyncAnswers = SyncAnswers(), cancellation: SyncCancellation = SyncCancellation(),
    progress: @escaping (SyncProgress) -> Void = { _ in }
  ) throws -> SyncSummary {
    var storage = StoreSyncStorage(store: store, clock: options.clock, storesBehind: true)
    storage.server = (binding.text, binding.account)
    var syncOptions = SyncOptions(account: binding.account, client: options.client)
    syncOptions.answers = answers
    syncOptions.attemptsMax = options.attemptsMax
    syncOptions.extent = extent
    var driver = SyncDriver(
      storage: storage, options: syncOptions, clock: options.clock, monotonic: options.monotonic,
      random: options.random, cancellation: cancellation, progress: progress
    ) { try options.connect(to: binding.url) }
    return try driver.run()
  }

  /// Runs a sync, and has the store remember the question that it could not go on without.
  private static func noting(_ store: Store, _ run: () throws -> SyncSummary) throws -> SyncSummary
  {
    do {
      return try run()
    } catch SyncError.decisionNeeded(let decision) {
      try store.write { try $0.setDecision(WaitingDecision(decision)) }
      throw SyncError.decisionNeeded(decision)
    }
  }

  private static func takeLock(of store: Store) throws -> FileLock {
    guard let lock = try FileLock.take(store.path + "/sync.lock") else {
      throw AppError.syncUnderWay(path: store.path)
    }
    return lock
  }
}
