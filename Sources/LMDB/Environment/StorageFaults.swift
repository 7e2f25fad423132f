/// A step of the storage that a test can make fail.
public enum StorageStep: String, Sendable, Hashable, CaseIterable {
  /// Before a write transaction begins.
  case begin
  /// Before a record is put.
  case put
  /// Before a record or a range is deleted.
  case delete
  /// Before a transaction is committed.
  case commit
  /// After the engine committed and before the caller is told: the outcome looks unknown to him.
  case acknowledge
  /// Before a file or a folder is synced, while opening or copying.
  case sync
  /// Before a read transaction begins.
  case read
}

/// What a test passes in to make steps of the storage fail.
///
/// Called on the thread of the step. What it throws is handled like the engine's own failure of
/// that step: a failed `put` or `delete` ends the transaction, a failed `commit` or `acknowledge`
/// is an unknown outcome and closes the environment for use.
public protocol StorageFaults: Sendable {
  /// Throws where this step is to fail.
  func willPerform(_ step: StorageStep) throws(StorageError)
}
