public import FolioDomain
public import FolioGateway
import FolioStore

extension Client {
  /// Makes a new store, in an absent or empty folder, from what a server keeps.
  ///
  /// It is built beside its place: everything is read, the chain is checked entry by entry, state
  /// digests that other devices told are compared, snapshots are made. Then it takes its place, at
  /// once. A restore that was interrupted goes on from what it had read.
  /// - Throws: `StoreError.folderNotEmpty`, `SyncError`, `AppError`, and what is wrong with the URL.
  ///   The place is as it was then.
  public static func restore(
    at path: String, server: String, account: String, options: AppOptions = AppOptions(),
    cancellation: SyncCancellation = SyncCancellation(),
    progress: @escaping (SyncProgress) -> Void = { _ in }
  ) throws -> RestoreSummary {
    guard let binding = try Binding(server, account) else { throw AppError.serverIncomplete }
    let building = try BuildingFolder(for: path)
    var summary = RestoreSummary()
    try building.begin(options) { status in
      status.serverURL == server && status.accountName == account
    } keeps: { error, store in
      guard let error = error as? SyncError, error.kind == .unreachable || error == .cancelled
      else { return false }
      return (try? store.read { try $0.status().position }) != nil
    } _: { store in
      let sync = try run(
        store, binding, options, cancellation: cancellation, progress: progress)
      summary = try RestoreSummary(of: store, sync)
      try store.write {
        try $0.recordSync(skewMilliseconds: sync.skewMilliseconds, nextTablesAt: sync.nextTables)
      }
    }
    return summary
  }
}

extension Client {
  /// Makes a new store, in an absent or empty folder, from a backup file.
  ///
  /// The backup is checked against every rule of a store, copied, and never opened itself. The store
  /// is marked as restored: its first sync asks which side counts, the server's or the backup's.
  /// - Throws: `StoreError`, `AppError.buildingFolderTaken`, errors of the system. The place is as it
  ///   was then.
  public static func restore(
    at path: String, fromBackup backup: String, options: AppOptions = AppOptions()
  ) throws -> RestoreSummary {
    let building = try BuildingFolder(for: path)
    var summary = RestoreSummary()
    try building.install(backup, options) { store in
      summary = try RestoreSummary(of: store, SyncSummary())
    }
    return summary
  }
}

/// What a restore came to.
public struct RestoreSummary: Hashable, Sendable {
  /// Entries of the log, all of which were read and checked.
  public var transactions = 0
  /// Rows of history that they were added up to: one for each asset and slot.
  public var compressedTo = 0
  /// Price tables that are held.
  public var priceTables = 0
  /// Snapshots of closed slots.
  public var snapshots = 0
  /// Assets that are listed, hidden ones too.
  public var assets = 0
  /// Documents, deleted ones too.
  public var documents = 0
  /// The digest of the latest closed snapshot; nil where no slot has closed.
  public var digest: Hash256?
  /// How the state compares with what other devices told of theirs.
  public var witness = RestoreWitness.none

  /// A restore of nothing.
  public init() {}

  init(of store: Store, _ sync: SyncSummary) throws {
    self = try store.read { state in
      let status = try state.status()
      var summary = RestoreSummary()
      summary.transactions = Int(status.position?.seq ?? 0)
      summary.compressedTo = status.historyCount
      summary.priceTables = status.priceTableCount
      summary.assets = status.assetCount
      summary.documents = status.documentCount
      if let slots = try state.snapshotSlots() {
        summary.snapshots = slots.count
        summary.digest = try state.snapshotDigest(slots.upperBound)
      }
      return summary
    }
    if let found = sync.witness {
      witness = found.agrees ? .agrees(at: found.position) : .differs(at: found.position)
    }
  }
}

/// How a restored state compares with what other devices told of theirs.
public enum RestoreWitness: Hashable, Sendable {
  /// No device told anything that could be compared.
  case none
  /// A device had the same state at that place of the log, to the byte.
  case agrees(at: LogPosition)
  /// A device had another state at that place of the log.
  case differs(at: LogPosition)

  /// The comparison, in words.
  public var text: String {
    switch self {
    case .none: "there is no witness"
    case .agrees(let position): "a witness agrees at entry \(position.seq)"
    case .differs(let position): "a witness DIFFERS at entry \(position.seq)"
    }
  }
}
