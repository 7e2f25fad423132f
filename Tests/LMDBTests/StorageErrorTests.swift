import Testing

@testable import LMDB

@Suite struct StorageErrorTests {
  static let all: [(StorageError, code: String, says: String)] = [
    (.emptyKey, "empty_key", "511"),
    (.keyTooLong(byteCount: 600, max: 511), "key_too_long", "600"),
    (.keyTextHasNUL, "key_text_has_nul", "NUL"),
    (.keyUnreadable(byteOffset: 7), "key_unreadable", "7"),
    (.valueTooLong(byteCount: 9, max: 8), "value_too_long", "8"),
    (.mapFull(limit: 4096), "map_full", "4096"),
    (.quotaExceeded(limit: 4096), "quota_exceeded", "4096"),
    (.transactionTooLarge, "transaction_too_large", "pages"),
    (.readersFull(max: 126), "readers_full", "126"),
    (.mapOutgrown(limit: 4096), "map_outgrown", "4096"),
    (.nestedWrite, "nested_write", "inside a write"),
    (.transactionFailed, "transaction_failed", "earlier failure"),
    (.readOnly, "read_only", "reading"),
    (.closed, "closed", "closed"),
    (.commitFailed(detail: "disk"), "commit_failed", "disk"),
    (.reopenNeeded, "reopen_needed", "opened anew"),
    (.alreadyOpen(path: "/p"), "already_open", "/p"),
    (.locked(path: "/p", holder: "folio (process 5)"), "locked", "folio (process 5)"),
    (.missing(path: "/p"), "missing", "/p"),
    (.exists(path: "/p"), "exists", "/p"),
    (.databaseMissing(name: "table"), "database_missing", "table"),
    (.databaseUnknown(missing: "table"), "database_unknown", "table"),
    (.fileTruncated(path: "/p", byteCount: 5, needed: 8192), "file_truncated", "8192"),
    (.notAnEnvironment(path: "/p"), "not_an_environment", "/p"),
    (.metaPageDamaged(path: "/p", page: 1, what: "its mark"), "meta_page_damaged", "its mark"),
    (.formatUnsupported(path: "/p", version: 2), "format_unsupported", "2"),
    (.invalidOption("too small"), "invalid_option", "too small"),
    (.corrupt(database: "table"), "corrupt", "table"),
    (.system(operation: "sync", path: "/p", number: 28), "system", "No space left"),
    (.engine(operation: "put", code: -30780), "engine", "MDB_BAD_DBI"),
  ]

  @Test func everyErrorHasAStableCodeAndSaysWhatMatters() {
    for (error, code, says) in Self.all {
      #expect(error.code == "storage." + code)
      #expect(error.description.contains(says), "\(error)")
      #expect(!error.description.contains("\n"))
    }
    #expect(Set(Self.all.map(\.code)).count == Self.all.count)
  }

  /// The numbers are those of the engine's interface.
  @Test func limitsOfTheEngineHaveNames() {
    let limits = EnvironmentLimits(mapByteCount: 4096, readerCountMax: 9)
    let named: [Int32: StorageError] = [
      -30792: .mapFull(limit: 4096), -30788: .transactionTooLarge,
      -30790: .readersFull(max: 9), -30785: .mapOutgrown(limit: 4096),
      -30782: .transactionFailed, -30795: .reopenNeeded,
      -30796: .engine(operation: "get", code: -30796),
    ]
    for (code, error) in named { #expect(StorageError(engine: code, "get", limits) == error) }
  }
}
