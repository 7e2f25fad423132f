package import FolioDomain

/// What there is one of in a server's folder.
package struct ServerRow: Hashable, Sendable {
  /// The server's identity, which it tells everyone.
  package var id: UInt128
  /// When the folder was made.
  package var createdAt: Timestamp
  /// The last number given to an account.
  package var lastAccount: UInt32
  /// When the last backup was made, if ever.
  package var backedUpAt: Timestamp?

  static let key = Array("server".utf8)

  init(id: UInt128, createdAt: Timestamp) {
    self.id = id
    self.createdAt = createdAt
    lastAccount = 0
  }

  init(_ row: [UInt8]) throws {
    var reader = RowReader(row.span.bytes, of: .meta)
    id = try reader.integer()
    createdAt = try reader.moment()
    lastAccount = try reader.integer()
    backedUpAt = try reader.flag() ? try reader.moment() : nil
    try reader.end()
  }

  var row: [UInt8] {
    var writer = RowWriter(capacity: 40)
    writer.integer(id)
    writer.moment(createdAt)
    writer.integer(lastAccount)
    writer.flag(backedUpAt != nil)
    if let backedUpAt { writer.moment(backedUpAt) }
    return writer.bytes
  }
}

extension ServerReading where Self: ~Copyable & ~Escapable {
  func serverRow() throws -> ServerRow {
    guard let row = try row(.meta, ServerRow.key) else {
      throw ServerStorageError.damaged(space: .meta, what: "the server's row is missing")
    }
    return try ServerRow(row)
  }
}

/// What there is one of in a server's folder.
package struct ServerFacts: ServerQuery {
  /// The facts.
  package init() {}

  package func answer<T: ServerReading & ~Copyable & ~Escapable>(_ transaction: borrowing T) throws
    -> ServerRow
  {
    try transaction.serverRow()
  }
}
