import CLMDB

extension StorageError {
  /// The named error of a code of the engine that stands for a limit or a state of an environment.
  init(engine code: Int32, _ operation: String, _ environment: borrowing EnvironmentLimits) {
    switch code {
    case MDB_MAP_FULL: self = .mapFull(limit: environment.mapByteCount)
    case MDB_TXN_FULL: self = .transactionTooLarge
    case MDB_READERS_FULL: self = .readersFull(max: environment.readerCountMax)
    case MDB_MAP_RESIZED: self = .mapOutgrown(limit: environment.mapByteCount)
    case MDB_BAD_TXN: self = .transactionFailed
    case MDB_PANIC: self = .reopenNeeded
    default: self = .engine(operation: operation, code: code)
    }
  }
}

/// The limits of an open environment, as its errors name them.
struct EnvironmentLimits: Sendable {
  var mapByteCount: Int
  var readerCountMax: Int
}
