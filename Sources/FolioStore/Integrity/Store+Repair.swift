internal import FolioDomain
internal import LMDB

/// What a repair did.
public struct RepairReport: Hashable, Sendable {
  /// What was made anew from what is held.
  public var rebuilt: [String] = []
  /// What was forgotten because it was not sound, and comes back with the next sync.
  public var fromServer: [String] = []
  /// What is wrong still: lost where the server does not have it.
  public var problems: [IntegrityProblem] = []

  /// A repair that did nothing.
  public init() {}
}

extension Store {
  /// Makes derived data anew from what is sound, and forgets what is not and a server has.
  ///
  /// Accepted data is made anew from the entries that are kept, where all of them are; otherwise it
  /// is forgotten, and the next sync reads the log from its start. Damaged market data is forgotten
  /// and read again likewise. What is pending is never dropped. Each part is one storage transaction.
  /// - Throws: ``StoreError/storage(_:)`` where the storage fails.
  /// - Complexity: that of ``verify()`` and of making everything anew.
  public func repair() throws -> RepairReport {
    var report = RepairReport()
    let broken = try verify().problems
    if broken.isEmpty { return report }
    if broken.contains(where: { Self.isOfMarket($0.space) }) {
      try write { try $0.forgetMarket() }
      report.fromServer.append("price tables and assets")
    }
    if try remakeFromKeptEntries() {
      report.rebuilt.append("holdings, history, documents, devices")
    } else {
      try write { try $0.forgetLog() }
      report.fromServer.append("the log")
    }
    let made = try makeDueSnapshots()
    if made.made + made.remade > 0 { report.rebuilt.append("snapshots") }
    report.problems = try verify().problems
    return report
  }

  private static func isOfMarket(_ space: String) -> Bool {
    space.hasPrefix("domain.market/") || space.hasPrefix("gate.market/")
  }

  /// Reads the kept entries as another log beside the state, and puts what they come to in its
  /// place; false where they are not all there, or not sound.
  private func remakeFromKeptEntries() throws -> Bool {
    do {
      return try write { transaction in
        let status = try transaction.reading.status()
        guard let log = status.log, let end = status.position, status.keptFrom <= 1 else {
          return false
        }
        try transaction.beginRebuild()
        var seq: UInt64 = 0
        while seq < end.seq {
          let entries = try transaction.reading.keptEntries(
            after: seq, maxCount: 1_000, maxByteCount: 4 << 20)
          guard let last = entries.last else {
            throw StoreError.entriesNotKept(from: seq + 1, keptFrom: end.seq)
          }
          try transaction.stage(entries)
          seq = last.entry.seq
        }
        _ = try transaction.finishRebuild(log: log, stable: status.stable)
        return true
      }
    } catch StoreError.storage(.corrupt), StoreError.entriesNotKept, StoreError.missingRecord,
      StoreError.unreadableRecord, StoreError.entryOutOfOrder,
      StoreError.deviceSequenceOutOfOrder
    {
      // One of the entries is not sound: the server's are.
      return false
    }
  }
}

extension StoreWriteTransaction {
  /// Forgets price tables and the asset table; the next sync reads them from their start.
  mutating func forgetMarket() throws {
    for space in [
      spaces.marketAssets, spaces.prices, spaces.pricedAssets, spaces.pricedNumbers,
      spaces.marketCursor, spaces.stagedAssets,
    ] {
      try base.deleteAll(space)
    }
    try markAllStale()
  }
}
