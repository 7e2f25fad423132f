package import FolioDomain

/// What there is in a server's folder, and how it stands.
package struct ServerStatus: Sendable {
  /// The folder's own row.
  package var server: ServerRow
  /// The accounts.
  package var accounts: [AccountList.Element]
  /// The market.
  package var market: MarketRow
  /// How many price tables have been told.
  package var tableCount: Int
  /// How many are held back until their slots begin.
  package var heldBackCount: Int
  /// The latest slot that has a table.
  package var newestTable: Slot?
  /// The asset table.
  package var assets: AssetTableRow
  /// How much of the file is in use.
  package var usedByteCount = 0
  /// How much may be.
  package var byteLimit = 0

  /// Whether four fifths of the space are used.
  package var isNearLimit: Bool { usedByteCount >= byteLimit / 5 * 4 }

  /// How many entries all logs have.
  package var entryCount: UInt64 { accounts.reduce(0) { $0 + $1.account.head.seq } }
}

/// Reads what there is.
package struct StatusQuery: ServerQuery {
  /// The question.
  package init() {}

  package func answer<T: ServerReading & ~Copyable & ~Escapable>(_ transaction: borrowing T) throws
    -> ServerStatus
  {
    let newest = try transaction.first(.tables, .all, .descending)
    return ServerStatus(
      server: try transaction.serverRow(), accounts: try AccountList().answer(transaction),
      market: try transaction.market(), tableCount: try transaction.count(.revisions),
      heldBackCount: try transaction.count(.heldBack),
      newestTable: try newest.map { try TableKey.slot(ofKey: $0.key.span.bytes, in: .tables) },
      assets: try transaction.assetTable())
  }
}

extension ServerFolder {
  /// What there is in the folder, and how much room is left.
  package func status() throws -> ServerStatus {
    var status = try storage.read(StatusQuery())
    (status.usedByteCount, status.byteLimit) = try storage.space()
    return status
  }
}

extension ServerFolder {
  /// Checks every page and record of the file, and where they are sound, everything that is stored
  /// against its rules.
  package func verify(progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }) throws
    -> StorageVerification
  {
    let pages = StorageVerification(try storage.damages(progress))
    return pages.isSound ? try storage.read(VerifyStorage()) : pages
  }

  /// The same of a folder that is not open here.
  ///
  /// Pages and records are looked at before the engine sees any of them: to open a folder is to read
  /// some, and damage to those can end the process.
  package static func verify(
    at path: String, _ options: LMDBServerStorage.Options = .init(),
    progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) throws -> StorageVerification {
    let pages = StorageVerification(try LMDBServerStorage.damages(at: path, progress))
    guard pages.isSound else { return pages }
    let folder = try open(at: path, options)
    defer { folder.storage.close() }
    return try folder.storage.read(VerifyStorage())
  }
}
