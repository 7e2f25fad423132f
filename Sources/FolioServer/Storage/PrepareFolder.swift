package import FolioDomain

/// The format of a server's folder.
package enum ServerFormat {
  /// The version this program writes, and the newest that it reads.
  ///
  /// 2: rows may be in the journal and not in their tables. A folder of version 1 becomes one of
  /// version 2 with the first record of its journal.
  package static let version: UInt32 = 2
  static let application = "folio-server"
  static let key = Array("format".utf8)

  static var row: [UInt8] {
    var writer = RowWriter(capacity: 24)
    writer.integer(version)
    writer.text(application)
    return writer.bytes
  }

  static func check(_ row: [UInt8]) throws {
    var reader = RowReader(row.span.bytes, of: .meta)
    let found: UInt32 = try reader.integer()
    let application = try reader.text()
    guard application == self.application else {
      throw ServerStorageError.foreign(found: application)
    }
    guard found <= version else {
      throw ServerStorageError.newerFormat(found: found, supported: version)
    }
  }
}

/// Makes an empty storage a server's, or checks that it is one.
package struct PrepareFolder: ServerChange {
  private let server: ServerRow
  private let market: MarketRow

  /// Prices are in `base` where the folder is made now.
  package init(base: String, random: some RandomSource, now: Timestamp) {
    server = ServerRow(id: random.next128(), createdAt: now)
    market = MarketRow(epoch: random.next(), base: base)
  }

  /// Says whether the folder was made now.
  package func apply<T: ServerWriting & ~Copyable & ~Escapable>(_ transaction: inout T) throws
    -> Bool
  {
    if let row = try transaction.row(.meta, ServerFormat.key) {
      try ServerFormat.check(row)
      return false
    }
    try transaction.put(.meta, ServerFormat.key, ServerFormat.row)
    try transaction.put(.meta, ServerRow.key, server.row)
    try transaction.put(.meta, MarketRow.key, market.row)
    try transaction.put(
      .meta, AssetTableRow.key, try transaction.computedAssetTable().row)
    return true
  }
}

/// Checks that a storage is a server's, of a format that this program reads.
package struct CheckFormat: ServerQuery {
  /// The check.
  package init() {}

  package func answer<T: ServerReading & ~Copyable & ~Escapable>(_ transaction: borrowing T) throws
    -> Bool
  {
    guard let row = try transaction.row(.meta, ServerFormat.key) else { return false }
    try ServerFormat.check(row)
    return true
  }
}
