import FolioCrypto
package import FolioDomain

/// What there is one of in an asset table.
package struct AssetTableRow: Hashable, Sendable {
  /// A hash of all rows: equal tags mean equal tables.
  package var tag: Hash256
  /// How many assets there are.
  package var count: Int

  static let key = Array("assets".utf8)

  init(tag: Hash256, count: Int) {
    self.tag = tag
    self.count = count
  }

  init(_ row: [UInt8]) throws {
    var reader = RowReader(row.span.bytes, of: .meta)
    tag = try reader.hash()
    count = Int(try reader.integer(UInt32.self))
    try reader.end()
  }

  var row: [UInt8] {
    var writer = RowWriter(capacity: 36)
    writer.hash(tag)
    writer.integer(UInt32(clamping: count))
    return writer.bytes
  }
}

/// Assets of the asset table as rows.
enum AssetRow {
  static func row(_ info: AssetInfo) -> [UInt8] {
    var writer = RowWriter(capacity: 32 + info.symbol.utf8.count + info.name.utf8.count)
    writer.text(info.symbol)
    writer.text(info.name)
    writer.integer(UInt32(clamping: info.rank ?? 0))
    writer.flag(info.successor != nil)
    if let successor = info.successor {
      writer.text(successor.id.text)
      writer.integer(successor.factor.mantissa)
      writer.integer(successor.factor.scale)
      writer.integer(successor.fromSlot.index)
    }
    return writer.bytes
  }

  static func info(key: RawSpan, row: RawSpan) throws -> AssetInfo {
    try info(TableKey.asset(ofKey: key, in: .assets), row: row)
  }

  static func info(_ asset: AssetKey, row: RawSpan) throws -> AssetInfo {
    var reader = RowReader(row, of: .assets)
    var info = AssetInfo(asset: asset, symbol: try reader.text(), name: try reader.text())
    let rank: UInt32 = try reader.integer()
    info.rank = rank == 0 ? nil : Int(rank)
    if try reader.flag() {
      let id = AssetID(unchecked: try reader.text())
      let mantissa: Int64 = try reader.integer()
      let scale: UInt8 = try reader.integer()
      guard let factor = Price(mantissa: mantissa, scale: Int(scale)) else {
        throw ServerStorageError.damaged(space: .assets, what: "factor out of range")
      }
      info.successor = Successor(
        id: id, factor: factor, fromSlot: Slot(index: try reader.integer()))
    }
    try reader.end()
    return info
  }

  static func rankKey(_ rank: Int, _ asset: AssetKey) -> [UInt8] {
    var writer = RowWriter(capacity: 40)
    writer.integer(UInt32(clamping: rank))
    writer.terminated(asset.type.text)
    writer.terminated(asset.id.text)
    return writer.bytes
  }

  static func asset(ofRankKey key: RawSpan) throws -> AssetKey {
    var reader = RowReader(key, of: .leaderboard)
    _ = try reader.integer(UInt32.self)
    let type = try reader.terminated()
    let id = try reader.terminated()
    try reader.end()
    return AssetKey(type: AssetType(unchecked: type), id: AssetID(unchecked: id))
  }
}

extension ServerReading where Self: ~Copyable & ~Escapable {
  func assetTable() throws -> AssetTableRow {
    guard let row = try row(.meta, AssetTableRow.key) else {
      throw ServerStorageError.damaged(space: .meta, what: "the asset table's row is missing")
    }
    return try AssetTableRow(row)
  }

  /// The hash of all rows with their keys, each with its length before it.
  ///
  /// O(assets).
  func computedAssetTable() throws -> AssetTableRow {
    var hash = SHA256()
    Array("folio assets 1\n".utf8).withUnsafeBytes { hash.update($0) }
    var count = 0
    try scan(.assets, .all, .ascending) { key, row in
      count += 1
      var writer = RowWriter(capacity: 8 + key.byteCount + row.byteCount)
      writer.integer(UInt32(key.byteCount))
      writer.raw(key.copied)
      writer.integer(UInt32(row.byteCount))
      writer.raw(row.copied)
      writer.bytes.withUnsafeBytes { hash.update($0) }
      return .next
    }
    return AssetTableRow(tag: hash.finalize(), count: count)
  }
}
