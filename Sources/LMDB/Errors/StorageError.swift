/// Why a storage operation did not happen, or why its outcome is not known.
///
/// Messages name files, databases, sizes and limits, and never what a record holds.
@nonexhaustive
public enum StorageError: Error, Sendable, Hashable {
  // MARK: Keys and values

  /// A key of no bytes.
  case emptyKey
  /// A key longer than the engine can hold.
  case keyTooLong(byteCount: Int, max: Int)
  /// Text with a NUL byte, which ends text inside a key.
  case keyTextHasNUL
  /// Bytes of a key that its reader cannot make sense of.
  case keyUnreadable(byteOffset: Int)
  /// A value longer than a record can hold.
  case valueTooLong(byteCount: Int, max: Int)

  // MARK: Limits

  /// The map is full: no page is left for this change. The transaction is lost.
  case mapFull(limit: Int)
  /// The put would take the live pages above the quota. The transaction is lost.
  case quotaExceeded(limit: Int)
  /// The transaction changed more pages than one transaction can. The transaction is lost.
  case transactionTooLarge
  /// Every reader's place is taken.
  case readersFull(max: Int)
  /// Another process made the map larger than this environment's.
  case mapOutgrown(limit: Int)

  // MARK: State

  /// A write was begun inside a write of the same thread.
  case nestedWrite
  /// The transaction was ended by an earlier failure of the engine, and is read from.
  case transactionFailed
  /// The environment is open for reading only.
  case readOnly
  /// The environment was closed.
  case closed
  /// A commit failed: whether it is on disk is not known. Reopen, then ask for what it wrote.
  case commitFailed(detail: String)
  /// A commit failed earlier; the environment serves nobody until it is opened anew.
  case reopenNeeded

  // MARK: Opening

  /// The folder is open in this process already.
  case alreadyOpen(path: String)
  /// Another holder has the folder, and did not leave in time.
  case locked(path: String, holder: String)
  /// There is no environment in that folder.
  case missing(path: String)
  /// A file stands where a new one is to be made.
  case exists(path: String)
  /// A database that the caller names is not there, and may not be made.
  case databaseMissing(name: String)
  /// The data file lacks a database that was named and has one that was not: a name was damaged, or
  /// another program's file is opened.
  case databaseUnknown(missing: String)
  /// The data file is shorter than its pages say.
  case fileTruncated(path: String, byteCount: Int, needed: Int)
  /// The data file is not one of this engine.
  case notAnEnvironment(path: String)
  /// A page at the head of the data file is damaged.
  case metaPageDamaged(path: String, page: Int, what: String)
  /// The data file was written by another version of the engine.
  case formatUnsupported(path: String, version: Int)
  /// An option that cannot be.
  case invalidOption(String)

  // MARK: Damage and the system

  /// A record whose checksum does not fit.
  case corrupt(database: String)
  /// A call of the system failed.
  case system(operation: String, path: String, number: Int32)
  /// The engine failed in a way that has no name of its own.
  case engine(operation: String, code: Int32)
}
