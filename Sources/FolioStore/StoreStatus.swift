public import FolioDomain
internal import LMDB

/// What a store says of itself.
public struct StoreStatus: Hashable, Sendable {
  /// The device as which the store writes.
  public var device: DeviceID
  /// This opening of the store.
  public var instance: InstanceID
  /// When the store was made.
  public var createdAt: Timestamp

  /// The name under which the server knows the account.
  public var accountName: String?
  /// The account, once a server has told it.
  public var account: AccountID?
  /// Where the server is.
  public var serverURL: String?
  /// The server that was last spoken to.
  public var server: UInt128?

  /// The log that was last read.
  public var log: LogID?
  /// How far the log has been read; nil before the first entry.
  public var position: LogPosition?
  /// The digest of all accepted data there.
  public var stateDigest: Hash256
  /// When the first transaction of the log took effect.
  public var firstEffectiveAt: Timestamp?
  /// The server's stable mark.
  public var stable: UInt64
  /// The first entry from which on every one is kept whole; one past the cursor where none is.
  public var keptFrom: UInt64
  /// How far another log has been read that is to take the place of this one; nil where none is.
  public var rebuildPosition: LogPosition?

  /// How much waits to be sent, and what the limits are.
  public var outbox: OutboxStatus
  /// The sequence of the last transaction this store has made; 0 before the first.
  public var lastSequence: UInt64
  /// The last own transaction that the server said it had.
  public var acknowledged: AcknowledgedStatus?
  /// How many own transactions were not accepted.
  public var rejectedCount: Int
  /// How many entries wait for a newer version of the program to take effect.
  public var unknownCount: Int
  /// How many remarks on entries there are.
  public var remarkCount: Int

  /// When the last sync ended well, by this device's clock.
  public var lastSyncAt: Timestamp?
  /// The server's clock less this device's, in milliseconds, at the last sync.
  public var skewMilliseconds: Int64
  /// When the server makes its next price table, by its clock.
  public var nextTablesAt: Timestamp?
  /// When logs were found to have parted, by this device's clock; the last few.
  public var divergences: [Timestamp]
  /// Whether the store was made from a backup file, and nobody has said which side counts.
  public var isRestoredBackup: Bool
  /// Whether a restore has begun and not ended.
  public var isRestoring: Bool
  /// The question that the last sync could not go on without; nil where none waits.
  public var waitingDecision: WaitingDecision?

  /// How far price tables have been read; nil before the first page.
  public var market: MarketPosition?
  /// The code of the currency that prices are in; empty before the first page.
  public var baseCurrency: String
  /// The tag of the asset table that is held.
  public var assetsTag: Hash256?

  /// How many assets are listed, hidden ones too.
  public var assetCount: Int
  /// How many rows the history has: one for each asset and slot in which something happened.
  public var historyCount: Int
  /// How many documents there are, deleted ones too.
  public var documentCount: Int
  /// How many price tables are held.
  public var priceTableCount: Int
  /// How many devices have entries in the log.
  public var deviceCount: Int
}

/// How much waits to be sent, and what the limits are.
public struct OutboxStatus: Hashable, Sendable {
  /// How many transactions wait.
  public var count: Int
  /// How many can.
  public var countMax: Int
  /// How many bytes their bodies have.
  public var byteCount: Int
  /// How many they can have.
  public var byteCountMax: Int

  /// Whether four fifths of a limit are reached, so that it is time to sync.
  public var isNearlyFull: Bool {
    count >= countMax / 5 * 4 || byteCount >= byteCountMax / 5 * 4
  }
}

/// The last own transaction that a server said it had.
public struct AcknowledgedStatus: Hashable, Sendable {
  /// Its place among the device's transactions.
  public var sequence: UInt64
  /// Its identity.
  public var id: TransactionID
}

extension StoreReadTransaction {
  /// What the store says of itself.
  ///
  /// - Complexity: O(1).
  public func status() throws -> StoreStatus {
    let binding = try single(BindingRecord.self)
    let log = try single(LogRecord.self)
    let outbox = try single(OutboxRecord.self)
    let sync = try single(SyncRecord.self)
    let market = try single(MarketRecord.self)
    let limits = context.outboxLimits
    return StoreStatus(
      device: try single(IdentityRecord.self).device, instance: context.instance,
      createdAt: try FormatRecord.read(base, spaces.format)?.createdAt
        ?? Timestamp(milliseconds: 0),
      accountName: binding.accountName, account: binding.account,
      serverURL: binding.serverURL, server: binding.server, log: log.log,
      position: log.position, stateDigest: log.digest.value,
      firstEffectiveAt: log.firstEffectiveAt, stable: log.stable, keptFrom: log.keptFrom,
      rebuildPosition: try rebuildPosition(),
      outbox: OutboxStatus(
        count: Int(outbox.count), countMax: limits.countMax, byteCount: Int(outbox.byteCount),
        byteCountMax: limits.byteCountMax),
      lastSequence: outbox.lastSequence,
      acknowledged: sync.acknowledged.map { AcknowledgedStatus(sequence: $0, id: $1) },
      rejectedCount: try base.count(spaces.rejected), unknownCount: Int(log.unknownCount),
      remarkCount: try base.count(spaces.remarks), lastSyncAt: sync.lastSyncAt,
      skewMilliseconds: sync.skewMilliseconds, nextTablesAt: sync.nextTablesAt,
      divergences: sync.divergences, isRestoredBackup: sync.isRestoredBackup,
      isRestoring: sync.isRestoring,
      waitingDecision: try single(DecisionRecord.self).waiting, market: try marketPosition(),
      baseCurrency: market.base, assetsTag: market.assetsTag,
      assetCount: try base.count(spaces.assets),
      historyCount: try base.count(spaces.history),
      documentCount: try base.count(spaces.documents),
      priceTableCount: try priceTableCount(),
      deviceCount: try base.count(spaces.devices))
  }
}
