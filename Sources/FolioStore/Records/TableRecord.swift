internal import FolioDomain

/// An asset of price tables: its number, and where its prices begin and end.
struct PricedRecord: Hashable {
  var number: UInt32
  /// The first slot whose table ever had a price of the asset.
  var first: Slot
  /// The latest table that has one, and what it says; nil where a correction left none.
  var latest: Latest?

  struct Latest: Hashable {
    var slot: Slot
    var price: Price
  }

  init(number: UInt32, first: Slot, latest: Latest?) {
    self.number = number
    self.first = first
    self.latest = latest
  }

  var record: [UInt8] {
    var writer = RecordWriter(reserving: 24)
    writer.append(varint: UInt64(number))
    writer.append(first)
    writer.append(latest) { $0.append($1) }
    return writer.bytes
  }

  init(_ reader: inout RecordReader) throws(StoreError) {
    guard let number = UInt32(exactly: try reader.readVarint()) else { throw reader.unreadable }
    self.number = number
    first = try reader.readSlot()
    if try reader.readBool() { latest = try reader.readLatest() }
    try reader.finish()
  }
}

extension RecordWriter {
  mutating func append(_ latest: PricedRecord.Latest) {
    append(latest.slot)
    append(latest.price)
  }
}

extension RecordReader {
  @inline(__always)
  mutating func readLatest() throws(StoreError) -> PricedRecord.Latest {
    let slot = try readSlot()
    return PricedRecord.Latest(slot: slot, price: try readPrice())
  }
}

extension AssetInfo {
  /// A row of the asset table.
  ///
  /// Its asset is the key.
  var record: [UInt8] {
    var writer = RecordWriter(reserving: 64)
    writer.append(text: symbol)
    writer.append(text: name)
    writer.append(rank) { $0.append(signed: Int64($1)) }
    writer.append(successor) { $0.append($1) }
    return writer.bytes
  }

  init(_ asset: AssetKey, _ reader: inout RecordReader) throws(StoreError) {
    let symbol = try reader.readText()
    let name = try reader.readText()
    let rank = try reader.readBool() ? Int(try reader.readSigned()) : nil
    let successor = try reader.readBool() ? try reader.readSuccessor() : nil
    try reader.finish()
    self.init(asset: asset, symbol: symbol, name: name, rank: rank, successor: successor)
  }
}
