internal import FolioDomain
internal import LMDB

extension StoreError {
  /// A stable name of the error, in camel case.
  public var code: String {
    switch self {
    case .folderNotEmpty: "folderNotEmpty"
    case .notAStore: "notAStore"
    case .newerFormat: "newerFormat"
    case .olderFormat: "olderFormat"
    case .otherApplication: "otherApplication"
    case .backupDamaged: "backupDamaged"
    case .restoreUnfinished: "restoreUnfinished"
    case .storage(let error): Self.codeOfStorage(error)
    case .unreadableRecord: "unreadableRecord"
    case .missingRecord: "missingRecord"
    case .outboxFull: "outboxFull"
    case .bodyTooLarge: "bodyTooLarge"
    case .transactionTooLarge: "transactionTooLarge"
    case .entryOutOfOrder: "entryOutOfOrder"
    case .deviceSequenceOutOfOrder: "deviceSequenceOutOfOrder"
    case .bodyMissing: "bodyMissing"
    case .otherAccount: "otherAccount"
    case .notPending: "notPending"
    case .noRebuild: "noRebuild"
    case .entriesNotKept: "entriesNotKept"
    case .otherMarket: "otherMarket"
    case .assetTwiceInTable: "assetTwiceInTable"
    case .assetPageOutOfOrder: "assetPageOutOfOrder"
    case .noSnapshots: "noSnapshots"
    case .snapshotBeforeFirst: "snapshotBeforeFirst"
    case .snapshotNotClosed: "snapshotNotClosed"
    case .snapshotOutOfDate: "snapshotOutOfDate"
    case .documentMissing: "documentMissing"
    case .badListCursor: "badListCursor"
    case .badListLimit: "badListLimit"
    case .badListOrder: "badListOrder"
    case .badIndex: "badIndex"
    case .indexNotDeclared: "indexNotDeclared"
    case .tooManyIndexes: "tooManyIndexes"
    case .newerShape: "newerShape"
    case .unknownName: "unknownName"
    }
  }

  /// What is wrong, where, and which limit is passed.
  public var message: String {
    switch self {
    case .folderNotEmpty(let path): "\(path) is not empty"
    case .notAStore(let path): "there is no store in \(path)"
    case .newerFormat(let path, let found, let known):
      "the store in \(path) has format \(found); this program knows formats up to \(known)"
    case .olderFormat(let path, let found, let known):
      "the store in \(path) has format \(found); this program writes format \(known)"
    case .otherApplication(let path, let found):
      "the store in \(path) is one of \(found)"
    case .backupDamaged(let path, let problemCount):
      "\(problemCount) rules of a store are broken in the backup \(path)"
    case .restoreUnfinished: "a restore into this store has begun and not ended"
    case .storage(let error): error.description
    case .unreadableRecord(let space): "a record of \(space) cannot be read"
    case .missingRecord(let space): "a record of \(space) is missing"
    case .outboxFull(let count, let countMax, let byteCount, let byteCountMax):
      """
      \(count) of at most \(countMax) transactions and \(byteCount) of at most \(byteCountMax) \
      bytes wait to be sent: there is no room for this one
      """
    case .bodyTooLarge(let byteCount, let max):
      "a transaction's body has at most \(max) bytes; this one has \(byteCount)"
    case .transactionTooLarge(let byteCount, let max):
      "a transaction has at most \(max) bytes when it is sent; this one has \(byteCount)"
    case .entryOutOfOrder, .deviceSequenceOutOfOrder, .bodyMissing,
      .otherAccount, .notPending, .noRebuild, .entriesNotKept:
      logMessage
    case .otherMarket: "these price tables do not follow those that are held"
    case .assetTwiceInTable(let slot): "the price table of \(slot.text) has an asset twice"
    case .assetPageOutOfOrder: "this page of the asset table does not follow the one before"
    case .noSnapshots: "there is no snapshot before the first transaction is in the log"
    case .snapshotBeforeFirst(let slot, let first):
      "there is no snapshot of \(slot.text); the first is that of \(first.text)"
    case .snapshotNotClosed(let slot, let through):
      "there is no snapshot of \(slot.text) yet; slots have closed up to \(through.text)"
    case .snapshotOutOfDate(let slot): "the snapshot of \(slot.text) is out of date"
    case .documentMissing, .badListCursor, .badListLimit, .badListOrder, .badIndex,
      .indexNotDeclared, .tooManyIndexes, .newerShape:
      documentMessage
    case .unknownName(let name): "nothing that is stored is called '\(name)'"
    }
  }

  private var documentMessage: String {
    switch self {
    case .documentMissing(let collection, let document):
      "there is no document \(document.text) in \(collection.text)"
    case .badListCursor: "that is no place in a list of this collection"
    case .badListLimit(let limit, let max): "a list has 1 to \(max) rows; \(limit) were asked for"
    case .badListOrder(let collection): "\(collection.text) has no list by title: records have"
    case .badIndex(let name):
      "the index \(name) cannot be: a name is [a-z][a-z0-9-]{0,63}, and it has 1 to "
        + "\(DocumentIndex.partCountMax) parts"
    case .indexNotDeclared(let name): "the index \(name) was not declared so on this store"
    case .tooManyIndexes(let max): "a collection has at most \(max) indexes"
    case .newerShape(let collection, let found, let known):
      "a value of \(collection.text) has version \(found); versions up to \(known) are known here"
    default: ""
    }
  }

  private var logMessage: String {
    switch self {
    case .entryOutOfOrder(let expected, let found):
      "the next entry of the log is \(expected); this one is \(found)"
    case .deviceSequenceOutOfOrder(let device, let expected, let found):
      "the next transaction of device \(device.text) is \(expected); the log has \(found)"
    case .bodyMissing(let seq): "entry \(seq) came without its body, which is not held here"
    case .otherAccount: "the store belongs to another account"
    case .notPending: "no such transaction waits to be sent"
    case .noRebuild: "no log is being read beside the state"
    case .entriesNotKept(let from, let keptFrom):
      "entries from \(from) on are asked for; they are kept from \(keptFrom) on"
    default: ""
    }
  }

  /// What to do about it.
  public var hint: String {
    switch self {
    case .folderNotEmpty: "name a folder that is empty or does not exist"
    case .notAStore: "make one with `folio init`, or name the folder of one"
    case .newerFormat: "use the newer program; the store was left as it is"
    case .olderFormat: "open it for writing once, which brings it up to date"
    case .otherApplication: "name the folder of a store of this program"
    case .backupDamaged: "use another backup, or restore from the server"
    case .restoreUnfinished: "restore again into an empty folder"
    case .storage(let error): Self.hintOfStorage(error)
    case .unreadableRecord, .missingRecord: "run `folio verify`; `folio restore` makes a new store"
    case .outboxFull: "run `folio sync`"
    case .bodyTooLarge, .transactionTooLarge: "save fewer edits at a time"
    case .entryOutOfOrder, .deviceSequenceOutOfOrder, .bodyMissing:
      "sync again; if it comes again, the server withholds something or is damaged"
    case .otherAccount: "name the account this store was made for, or make another store"
    case .notPending, .noRebuild, .otherMarket, .assetPageOutOfOrder: "sync again"
    case .assetTwiceInTable: "give each asset of a table one price"
    case .entriesNotKept: "use a device that has read the log since its beginning"
    case .noSnapshots, .snapshotNotClosed, .snapshotOutOfDate: "run `folio sync`"
    case .snapshotBeforeFirst: "name a later slot"
    case .documentMissing: "list the collection to see what there is"
    case .badListCursor: "use the cursor of a row of the same list"
    case .badListLimit: "ask for fewer rows, and go on from the last one's cursor"
    case .badListOrder: "order by creation or update, or declare an index"
    case .badIndex: "give it a name and parts that can be, and as many values as it has parts"
    case .indexNotDeclared: "declare it in a write first"
    case .tooManyIndexes: "remove one that is not used"
    case .newerShape: "use the newer version of the app"
    case .unknownName: "one of \(StoredName.all.map(\.text).joined(separator: ", "))"
    }
  }

  private static func codeOfStorage(_ error: StorageError) -> String {
    switch error {
    case .locked, .alreadyOpen: "locked"
    case .corrupt, .metaPageDamaged, .fileTruncated, .notAnEnvironment: "damaged"
    case .quotaExceeded, .mapFull: "storeFull"
    case .commitFailed, .reopenNeeded: "outcomeUnknown"
    case .exists: "fileExists"
    default: "storage"
    }
  }

  private static func hintOfStorage(_ error: StorageError) -> String {
    switch error {
    case .locked, .alreadyOpen: "wait until the other one has ended"
    case .corrupt, .metaPageDamaged, .fileTruncated, .notAnEnvironment:
      "keep a copy of the folder, then restore from the server or from a backup"
    case .quotaExceeded, .mapFull: "give the store a larger quota"
    case .commitFailed, .reopenNeeded: "open the store again and look whether it was saved"
    case .exists: "name a file that is not there yet"
    case .system: "see that the disk has room and the folder may be written"
    default: "open the store again"
    }
  }
}
