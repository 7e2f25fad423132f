internal import FolioDomain
internal import LMDB

/// How far price tables and the asset table have been read.
struct MarketRecord: SingleRecord {
  static let name = "market"
  static func space(_ spaces: Spaces) -> Database { spaces.marketCursor }

  /// The market and the last change read of it; nil before the first page.
  var cursor: (epoch: UInt64, revision: UInt64)?
  /// The slot that the server's clock was in when all tables up to it had been read; nil before.
  var through: Slot?
  /// The code of the currency that prices are in.
  var base: String = ""
  /// The tag of the asset table that is held.
  var assetsTag: Hash256?
  /// The tag of the asset table whose first pages are held beside it.
  var stagedTag: Hash256?
  /// The number the next priced asset gets.
  var nextNumber: UInt32 = 0
  /// Whether another market is being read, and `through` is still that of the one before.
  var isReplacing = false

  init() {}

  init(_ reader: inout RecordReader) throws(StoreError) {
    if try reader.readBool() {
      let epoch = try reader.readVarint()
      cursor = (epoch, try reader.readVarint())
    }
    if try reader.readBool() { through = try reader.readSlot() }
    base = try reader.readText()
    if try reader.readBool() { assetsTag = try reader.readHash() }
    if try reader.readBool() { stagedTag = try reader.readHash() }
    guard let number = UInt32(exactly: try reader.readVarint()) else { throw reader.unreadable }
    nextNumber = number
    isReplacing = try reader.readBool()
  }

  func encode(_ writer: inout RecordWriter) {
    writer.append(cursor) {
      $0.append(varint: $1.epoch)
      $0.append(varint: $1.revision)
    }
    writer.append(through) { $0.append($1) }
    writer.append(text: base)
    writer.append(assetsTag) { $0.append($1) }
    writer.append(stagedTag) { $0.append($1) }
    writer.append(varint: UInt64(nextNumber))
    writer.append(isReplacing)
  }
}

/// How many price tables are held: blocks have more than one.
struct TableCountRecord: SingleRecord {
  static let name = "tables"
  static func space(_ spaces: Spaces) -> Database { spaces.marketCursor }

  var count = 0

  init() {}

  init(count: Int) { self.count = count }

  init(_ reader: inout RecordReader) throws(StoreError) {
    count = try reader.readCount()
  }

  func encode(_ writer: inout RecordWriter) {
    writer.append(varint: UInt64(count))
  }
}

/// What the asset table says of succession, apart from its rows so that it is read at once.
struct SuccessionsRecord: SingleRecord {
  static let name = "successions"
  static func space(_ spaces: Spaces) -> Database { spaces.marketCursor }

  var successions = Successions()

  init() {}

  init(_ successions: Successions) { self.successions = successions }

  init(_ reader: inout RecordReader) throws(StoreError) {
    for _ in 0..<(try reader.readCount()) {
      let asset = try reader.readAssetKey()
      successions[asset] = try reader.readSuccessor()
    }
  }

  func encode(_ writer: inout RecordWriter) {
    let assets = successions.assets
    writer.append(varint: UInt64(assets.count))
    for asset in assets {
      guard let successor = successions[asset] else { continue }
      writer.append(asset)
      writer.append(successor)
    }
  }
}

extension RecordWriter {
  mutating func append(_ successor: Successor) {
    append(text: successor.id.text)
    append(successor.factor)
    append(successor.fromSlot)
  }
}

extension RecordReader {
  mutating func readSuccessor() throws(StoreError) -> Successor {
    let id = AssetID(unchecked: try readText())
    let factor = try readPrice()
    return Successor(id: id, factor: factor, fromSlot: try readSlot())
  }
}
