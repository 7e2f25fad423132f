internal import LMDB

extension Store {
  /// Checks every rule that the store must obey, and names each problem.
  ///
  /// Other transactions go on meanwhile. A page damaged beyond its records can end the process: check
  /// a store that may be damaged in a process of its own.
  /// - Throws: ``StoreError/storage(_:)`` where the store cannot be read at all.
  /// - Complexity: O(records), and O(slots x assets) for the snapshots.
  public func verify() throws -> IntegrityReport {
    try read { $0.verify() }
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
