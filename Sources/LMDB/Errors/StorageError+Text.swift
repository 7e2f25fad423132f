import CLMDB

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension StorageError {
  /// A word for the case that never changes.
  public var code: String {
    switch self {
    case .emptyKey: "storage.empty_key"
    case .keyTooLong: "storage.key_too_long"
    case .keyTextHasNUL: "storage.key_text_has_nul"
    case .keyUnreadable: "storage.key_unreadable"
    case .valueTooLong: "storage.value_too_long"
    case .mapFull: "storage.map_full"
    case .quotaExceeded: "storage.quota_exceeded"
    case .transactionTooLarge: "storage.transaction_too_large"
    case .readersFull: "storage.readers_full"
    case .mapOutgrown: "storage.map_outgrown"
    case .nestedWrite: "storage.nested_write"
    case .transactionFailed: "storage.transaction_failed"
    case .readOnly: "storage.read_only"
    case .closed: "storage.closed"
    case .commitFailed: "storage.commit_failed"
    case .reopenNeeded: "storage.reopen_needed"
    case .alreadyOpen: "storage.already_open"
    case .locked: "storage.locked"
    case .missing: "storage.missing"
    case .exists: "storage.exists"
    case .databaseMissing: "storage.database_missing"
    case .databaseUnknown: "storage.database_unknown"
    case .fileTruncated: "storage.file_truncated"
    case .notAnEnvironment: "storage.not_an_environment"
    case .metaPageDamaged: "storage.meta_page_damaged"
    case .formatUnsupported: "storage.format_unsupported"
    case .invalidOption: "storage.invalid_option"
    case .corrupt: "storage.corrupt"
    case .system: "storage.system"
    case .engine: "storage.engine"
    }
  }
}

extension StorageError: CustomStringConvertible {
  /// What happened, where, and which limit was met, in one line.
  public var description: String {
    switch self {
    case .emptyKey: "a key has 1 to \(Environment.keyByteCountMax) bytes; this one has none"
    case .keyTooLong(let count, let max): "a key has at most \(max) bytes; this one has \(count)"
    case .keyTextHasNUL: "text in a key cannot contain a NUL character"
    case .keyUnreadable(let offset): "a key cannot be read at byte \(offset)"
    case .valueTooLong(let count, let max):
      "a value has at most \(max) bytes; this one has \(count)"
    case .mapFull(let limit): "the map of \(limit) bytes is full"
    case .quotaExceeded(let limit): "the quota of \(limit) bytes is used up"
    case .transactionTooLarge: "one transaction changes too many pages"
    case .readersFull(let max): "all \(max) places of readers are taken"
    case .mapOutgrown(let limit):
      "another process made the map larger than the \(limit) bytes of this one; open it anew"
    case .nestedWrite: "a write was begun inside a write of the same thread"
    case .transactionFailed: "the transaction was ended by an earlier failure"
    case .readOnly: "opened for reading only"
    case .closed: "the environment is closed"
    case .commitFailed(let detail):
      "a commit failed (\(detail)); whether it was written is not known until it is opened anew"
    case .reopenNeeded: "a commit failed before; the environment has to be opened anew"
    case .alreadyOpen(let path): "\(path) is open in this process already"
    case .locked(let path, let holder): "\(path) is in use by \(holder)"
    case .missing(let path): "there is no data file \(path)"
    case .exists(let path): "\(path) exists already"
    case .databaseMissing(let name): "the database \(name) is missing"
    case .databaseUnknown(let missing):
      "the database \(missing) is missing and an unknown one is there: its name may be damaged"
    case .fileTruncated(let path, let count, let needed):
      "\(path) has \(count) bytes and should have \(needed) or more: it was cut off"
    case .notAnEnvironment(let path): "\(path) is not a data file of this engine"
    case .metaPageDamaged(let path, let page, let what):
      "page \(page) at the head of \(path) is damaged: \(what)"
    case .formatUnsupported(let path, let version):
      "\(path) has the engine's format \(version), which this program cannot read"
    case .invalidOption(let what): what
    case .corrupt(let database): "a record of \(database) is damaged: its checksum does not fit"
    case .system(let operation, let path, let number):
      "\(operation) \(path): \(Self.systemText(number))"
    case .engine(let operation, let code): "\(operation): \(Self.engineText(code))"
    }
  }

  static func systemText(_ number: Int32) -> String {
    guard let text = unsafe strerror(number) else { return "error \(number)" }
    return unsafe String(cString: text)
  }

  static func engineText(_ code: Int32) -> String {
    guard let text = unsafe mdb_strerror(code) else { return "error \(code)" }
    return unsafe String(cString: text)
  }
}
