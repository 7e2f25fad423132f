internal import LMDB

extension Store {
  /// Checks every rule that the store must obey, and names each problem.
  ///
  /// First each page and record is looked at without the engine, which damage could bring down. What
  /// records mean is checked where that finds nothing wrong. Other transactions go on meanwhile.
  /// - Throws: ``StoreError/storage(_:)`` where the store cannot be read at all.
  /// - Complexity: O(size of the store), and O(slots x assets) for the snapshots.
  public func verify() throws -> IntegrityReport {
    let found = try naming { try environment.verify() }
    var report = IntegrityReport()
    report.checkedCount = found.tables.reduce(0) { $0 + $1.recordCount }
    for damage in found.damages {
      report.add(.damagedRecord, damage.table ?? "", damage.what)
    }
    if !report.isSound { return report }
    try read { $0.verify(&report) }
    return report
  }

  /// Writes a copy of the store, as it is at one moment, into a file that must not be there.
  ///
  /// Other transactions go on meanwhile. The copy has mode 0600 and is on disk when this returns; it
  /// is left out where it fails.
  /// - Throws: ``StoreError/storage(_:)``.
  /// - Complexity: O(size of the store).
  public func backUp(to path: String) throws {
    try naming { try environment.copy(to: path) }
  }

  /// How much room the store takes.
  public func size() throws -> StoreSize {
    let statistics = try naming { try environment.statistics() }
    return StoreSize(
      fileByteCount: statistics.fileByteCount, usedByteCount: statistics.usedByteCount,
      quotaByteCount: statistics.quotaByteCount)
  }
}

/// How much room a store takes.
public struct StoreSize: Hashable, Sendable {
  /// The length of its file, which never shrinks.
  public var fileByteCount: Int
  /// What is in use of it.
  public var usedByteCount: Int
  /// How much may be in use before more is refused.
  public var quotaByteCount: Int

  /// Whether four fifths of the quota are used.
  public var isNearlyFull: Bool { usedByteCount >= quotaByteCount / 5 * 4 }
}
