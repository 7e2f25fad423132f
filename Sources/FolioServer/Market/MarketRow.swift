import FolioDomain

/// What there is one of in a server's market data.
package struct MarketRow: Hashable, Sendable {
  /// The history of revisions: random, and new where a backup was restored.
  package var epoch: UInt64
  /// The number of the last change of a table that has begun.
  package var revision: UInt64
  /// The currency that prices are in, an id of type `forex`; its own price is always 1.
  package var base: String
  /// The last number given to an asset for use in tables.
  var lastAssetNumber: UInt32

  static let key = Array("market".utf8)

  init(epoch: UInt64, base: String) {
    self.epoch = epoch
    self.base = base
    revision = 0
    lastAssetNumber = 0
  }

  init(_ row: [UInt8]) throws {
    var reader = RowReader(row.span.bytes, of: .meta)
    epoch = try reader.integer()
    revision = try reader.integer()
    base = try reader.text()
    lastAssetNumber = try reader.integer()
    try reader.end()
  }

  var row: [UInt8] {
    var writer = RowWriter(capacity: 40)
    writer.integer(epoch)
    writer.integer(revision)
    writer.text(base)
    writer.integer(lastAssetNumber)
    return writer.bytes
  }

  /// The base currency as an asset.
  var baseAsset: AssetKey {
    AssetKey(type: AssetType(unchecked: "forex"), id: AssetID(unchecked: base))
  }
}

/// Keys of price tables.
enum TableKey {
  /// The key of a slot: big-endian with the sign flipped, so that slots are in order.
  static func slot(_ slot: Slot) -> [UInt8] {
    var writer = RowWriter(capacity: 8)
    writer.integer(UInt64(bitPattern: slot.index) ^ 1 << 63)
    return writer.bytes
  }

  static func slot(ofKey key: RawSpan, in space: Space) throws -> Slot {
    var reader = RowReader(key, of: space)
    let bits: UInt64 = try reader.integer()
    try reader.end()
    return Slot(index: Int64(bitPattern: bits ^ 1 << 63))
  }

  static func revision(_ revision: UInt64) -> [UInt8] {
    var writer = RowWriter(capacity: 8)
    writer.integer(revision)
    return writer.bytes
  }

  static func asset(_ asset: AssetKey) -> [UInt8] {
    var writer = RowWriter(capacity: asset.type.text.utf8.count + asset.id.text.utf8.count + 2)
    writer.terminated(asset.type.text)
    writer.terminated(asset.id.text)
    return writer.bytes
  }

  static func asset(ofKey key: RawSpan, in space: Space) throws -> AssetKey {
    var reader = RowReader(key, of: space)
    let type = try reader.terminated()
    let id = try reader.terminated()
    try reader.end()
    return AssetKey(type: AssetType(unchecked: type), id: AssetID(unchecked: id))
  }
}

extension ServerReading where Self: ~Copyable & ~Escapable {
  func market() throws -> MarketRow {
    guard let row = try row(.meta, MarketRow.key) else {
      throw ServerStorageError.damaged(space: .meta, what: "the market's row is missing")
    }
    return try MarketRow(row)
  }
}
