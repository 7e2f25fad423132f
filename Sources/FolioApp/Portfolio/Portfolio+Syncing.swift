public import FolioDomain
public import FolioGateway
public import FolioStore

extension Portfolio {
  /// Syncs with a server, on a thread of its own.
  ///
  /// See `Client.sync`. Cancelling the task ends the sync as soon as what it has read is stored;
  /// what was stored stays, and the next sync goes on from there.
  /// - Parameters:
  ///   - server: The server's URL; nil for the one that the store knows.
  ///   - account: The account's name there; nil for the one that the store knows.
  ///   - answers: What a person has answered to what an earlier sync asked.
  ///   - progress: Called on that thread, often.
  @discardableResult
  public func sync(
    server: String? = nil, account: String? = nil, answers: SyncAnswers = SyncAnswers(),
    progress: @escaping @Sendable (SyncProgress) -> Void = { _ in }
  ) async throws -> SyncSummary {
    let (store, options) = (store, options)
    return try await Self.cancellable { cancellation in
      try Client.sync(
        store, server: server, account: account, answers: answers,
        options: options, cancellation: cancellation, progress: progress)
    }
  }

  /// Makes a new portfolio from what a server keeps, on a thread of its own.
  ///
  /// See `Client.restore`. Where the task is cancelled, a later restore goes on from there.
  public static func restore(
    at path: String, server: String, account: String, options: AppOptions = AppOptions(),
    progress: @escaping @Sendable (SyncProgress) -> Void = { _ in }
  ) async throws -> (portfolio: Portfolio, summary: RestoreSummary) {
    try await cancellable { cancellation in
      let summary = try Client.restore(
        at: path, server: server, account: account, options: options, cancellation: cancellation,
        progress: progress)
      return (try Portfolio.open(at: path, options: options), summary)
    }
  }

  /// Makes a new portfolio from a backup file, on a thread of its own.
  ///
  /// See `Client.restore`. Its first sync asks which side counts, the server's or the backup's:
  /// answer with `SyncAnswers(keep: .server)` or `SyncAnswers(keep: .backup)`.
  public static func restore(
    at path: String, fromBackup backup: String, options: AppOptions = AppOptions()
  ) async throws -> (portfolio: Portfolio, summary: RestoreSummary) {
    try await onOwnThread {
      let summary = try Client.restore(at: path, fromBackup: backup, options: options)
      return (try Portfolio.open(at: path, options: options), summary)
    }
  }

  /// Saves edits on a thread of its own, so that no task's thread waits for the disk.
  ///
  /// See `save`.
  @discardableResult
  public func saveAsync(_ edits: [Edit]) async throws -> SavedEdits {
    try await onOwnThread { try self.save(edits) }
  }

  private static func cancellable<R: Sendable>(
    _ work: @escaping @Sendable (SyncCancellation) throws -> R
  ) async throws -> R {
    let cancellation = SyncCancellation()
    return try await withTaskCancellationHandler {
      try await onOwnThread { try work(cancellation) }
    } onCancel: {
      cancellation.cancel()
    }
  }
}
