internal import FolioDomain

/// A price table as it is stored: its revision is the server's, its assets stand by number.
///
/// Numbers ascend, each as its distance from the one before, so that an asset and its price take
/// five to ten bytes.
struct TableRecord {
  /// A row of a table.
  struct Row: Hashable {
    var number: UInt32
    var price: Price
  }

  static func record(_ rows: [Row]) -> [UInt8] {
    var writer = RecordWriter(reserving: 8 + 8 * rows.count)
    writer.append(varint: UInt64(rows.count))
    var last: UInt32 = 0
    for row in rows {
      writer.append(varint: UInt64(row.number - last))
      writer.append(row.price)
      last = row.number
    }
    return writer.bytes
  }

  /// Calls `body` with each row, in the order of the numbers.
  static func read(
    _ reader: inout RecordReader, _ body: (UInt32, Price) throws -> Void
  ) throws {
    var last: UInt64 = 0
    for _ in 0..<(try reader.readCount()) {
      last += try reader.readVarint()
      guard let number = UInt32(exactly: last) else { throw reader.unreadable }
      try body(number, try reader.readPrice())
    }
    try reader.finish()
  }

  /// The rows of a table.
  static func rows(_ reader: inout RecordReader) throws -> [Row] {
    var rows: [Row] = []
    try read(&reader) { rows.append(Row(number: $0, price: $1)) }
    return rows
  }
}

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
    writer.append(latest) {
      $0.append($1.slot)
      $0.append($1.price)
    }
    return writer.bytes
  }

  init(_ reader: inout RecordReader) throws(StoreError) {
    guard let number = UInt32(exactly: try reader.readVarint()) else { throw reader.unreadable }
    self.number = number
    first = try reader.readSlot()
    if try reader.readBool() {
      let slot = try reader.readSlot()
      latest = Latest(slot: slot, price: try reader.readPrice())
    }
    try reader.finish()
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
