public import FolioDomain
public import LMDB

/// Why a store was not opened, or did not do what was asked.
///
/// What is wrong, where and which limit is in the message; what a person owns, and with what names
/// they call it, is not, but for what was given in that call.
@nonexhaustive
public enum StoreError: DomainError, Hashable {
  // MARK: Opening

  /// The folder that a store was to be made in holds something.
  case folderNotEmpty(path: String)
  /// There is no folder, or no store in it.
  case notAStore(path: String)
  /// The store was written by a newer version of the program.
  ///
  /// Nothing in it was changed.
  case newerFormat(path: String, found: UInt64, known: UInt64)
  /// The store was written by an older version of the program, and is opened for reading alone.
  case olderFormat(path: String, found: UInt64, known: UInt64)
  /// The store is of another application.
  case otherApplication(path: String, found: String)
  /// A backup file breaks rules of a store.
  case backupDamaged(path: String, problemCount: Int)
  /// A restore into this store has begun and not ended: what it holds is not whole.
  case restoreUnfinished

  // MARK: Storage

  /// The storage failed, or refused for a limit of its own.
  case storage(StorageError)
  /// A record that its checksum vouches for is not what its space holds.
  case unreadableRecord(space: String)
  /// A record that another one names is missing.
  case missingRecord(space: String)

  // MARK: Saving

  /// There is no room for another transaction before a sync.
  case outboxFull(count: Int, countMax: Int, byteCount: Int, byteCountMax: Int)
  /// The body of the transaction would be too large to be sent.
  case bodyTooLarge(byteCount: Int, max: Int)
  /// The transaction, as it would be sent, is too large.
  case transactionTooLarge(byteCount: Int, max: Int)

  // MARK: The log

  /// An entry does not follow what has been read.
  case entryOutOfOrder(expected: UInt64, found: UInt64)
  /// An entry's device sequence leaves a gap, or comes again.
  case deviceSequenceOutOfOrder(device: DeviceID, expected: UInt64, found: UInt64)
  /// An entry came without its body, which this store does not have.
  case bodyMissing(seq: UInt64)
  /// The account, once known, cannot become another.
  case otherAccount
  /// No such transaction is pending.
  case notPending(TransactionID)
  /// No other log is being read beside the state.
  case noRebuild
  /// The entries asked for are no longer kept.
  case entriesNotKept(from: UInt64, keptFrom: UInt64)

  // MARK: The market

  /// Price tables of a market came that is not the one known, without its beginning.
  case otherMarket
  /// A price table has two prices of one asset.
  case assetTwiceInTable(Slot)
  /// A page of the asset table came without the pages before it.
  case assetPageOutOfOrder

  // MARK: Snapshots

  /// There is no snapshot before anything happened.
  case noSnapshots
  /// The slot is before the first snapshot.
  case snapshotBeforeFirst(Slot, first: Slot)
  /// The slot has not closed.
  case snapshotNotClosed(Slot, through: Slot)
  /// What the snapshot rests on has changed, and it has not been made anew.
  case snapshotOutOfDate(Slot)

  // MARK: Documents

  /// There is no such document.
  case documentMissing(CollectionName, DocumentID)
  /// A list is to go on at a place that no list of this collection has.
  case badListCursor
  /// A limit of a list that cannot be.
  case badListLimit(Int, max: Int)
  /// A collection that has no list in that order.
  case badListOrder(CollectionName)
  /// An index that cannot be: its name, its parts, or what is asked of it.
  case badIndex(String)
  /// An index that was not declared so on this store.
  case indexNotDeclared(String)
  /// A collection cannot have another index.
  case tooManyIndexes(max: Int)
  /// A value was written by a later version of its collection's type.
  case newerShape(CollectionName, found: Int, known: Int)

  // MARK: Observing

  /// Nothing that is stored has that name.
  case unknownName(String)
}
