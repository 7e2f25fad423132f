import FolioDomain
import FolioJSON

extension PricesRequest {
  private enum Member: String, CaseIterable { case after, id, maxBytes, type, types }
  private static let table = JSONMemberTable<Member>()

  init(_ reader: inout JSONReader, _ id: inout RequestID?) throws(JSONError) {
    var after: TableCursor?
    var types: [AssetType]?
    var maxBytes: Int?
    var members = try reader.beginMembers()
    while let member = try reader.nextMember(&members, Self.table) {
      switch member {
      case .after: after = try TableCursor(&reader)
      case .id: id = try reader.readRequestID()
      case .maxBytes: maxBytes = try reader.readInt(1...Int(Wire.integerLimit))
      case .type: try reader.skipValue()
      case .types:
        types = try reader.readList(limit: Wire.assetTypeLimit) { (reader) throws(JSONError) in
          try reader.readAssetType()
        }
      }
    }
    self.init(after: after, types: types, maxBytes: maxBytes)
  }

  func write(_ writer: inout JSONWriter, _ id: RequestID) {
    if let after {
      writer.name("after")
      writer.beginObject()
      writer.member("epoch", hex64: after.epoch)
      writer.member("revision", after.revision)
      writer.endObject()
    }
    writer.member("id", id)
    if let maxBytes { writer.member("maxBytes", maxBytes) }
    writer.type(.prices)
    if let types {
      writer.name("types")
      writer.beginArray()
      for type in types { writer.string(type.text) }
      writer.endArray()
    }
  }
}

extension TableCursor {
  private enum Member: String, CaseIterable { case epoch, revision }
  private static let table = JSONMemberTable<Member>()

  init(_ reader: inout JSONReader) throws(JSONError) {
    var epoch: UInt64?
    var revision: UInt64?
    var members = try reader.beginMembers()
    while let member = try reader.nextMember(&members, Self.table) {
      switch member {
      case .epoch: epoch = try reader.readHex64()
      case .revision: revision = try reader.readUnsigned()
      }
    }
    self.init(epoch: try reader.required(epoch), revision: try reader.required(revision))
  }
}

extension TablesPage {
  private enum Member: String, CaseIterable { case last, market, more, re, tables, type }
  private static let table = JSONMemberTable<Member>()

  init(_ reader: inout JSONReader, _ re: inout RequestID?) throws(JSONError) {
    var last: UInt64?
    var market: MarketState?
    var more: Bool?
    var tables: [WireTable]?
    var members = try reader.beginMembers()
    while let member = try reader.nextMember(&members, Self.table) {
      switch member {
      case .last: last = try reader.readUnsigned()
      case .market: market = try MarketState(&reader)
      case .more: more = try reader.readBool()
      case .re: re = try reader.readRequestID()
      case .tables: tables = try Self.readTables(&reader)
      case .type: try reader.skipValue()
      }
    }
    self.init(
      market: try reader.required(market), last: try reader.required(last),
      tables: try reader.required(tables), more: try reader.required(more))
  }

  private static func readTables(_ reader: inout JSONReader) throws(JSONError) -> [WireTable] {
    var isFirst = true
    return try reader.readList(limit: Wire.entryLimit) { (reader) throws(JSONError) in
      _ = try reader.peek()
      let start = reader.offset
      let table = try WireTable(&reader)
      // There is no table before the first one that it could differ from.
      guard !(isFirst && table.isDelta) else { throw JSONError(.badValue, at: start) }
      isFirst = false
      return table
    }
  }

  func write(_ writer: inout JSONWriter, _ re: RequestID) {
    writer.member("last", last)
    writer.member("market", market)
    writer.member("more", more)
    writer.member("re", re)
    writer.name("tables")
    writer.beginArray()
    for table in tables { table.write(&writer) }
    writer.endArray()
    writer.type(.tables)
  }
}

extension WireTable {
  private enum Member: String, CaseIterable { case delta, prices, revision, slot }
  private static let table = JSONMemberTable<Member>()

  init(_ reader: inout JSONReader) throws(JSONError) {
    var isDelta = false
    var groups: [PriceGroup]?
    var revision: UInt64?
    var slot: Int64?
    var firstNull: Int?
    var members = try reader.beginMembers()
    while let member = try reader.nextMember(&members, Self.table) {
      switch member {
      case .delta: isDelta = try reader.readTrue()
      case .prices:
        groups = try Self.readGroups(&reader, &firstNull)
      case .revision: revision = try reader.readUnsigned(from: 1)
      case .slot: slot = try reader.readSlotIndex()
      }
    }
    // A whole table says that a price is absent by not naming it.
    if !isDelta, let firstNull { throw JSONError(.badValue, at: firstNull) }
    self.init(
      slot: Slot(index: try reader.required(slot)), revision: try reader.required(revision),
      isDelta: isDelta, groups: try reader.required(groups))
  }

  /// Groups in ascending order of their types, each once, so that the rows of a table ascend too.
  private static func readGroups(
    _ reader: inout JSONReader, _ firstNull: inout Int?
  ) throws(JSONError) -> [PriceGroup] {
    var last: AssetType?
    return try reader.readList(limit: Wire.assetTypeLimit) { (reader) throws(JSONError) in
      _ = try reader.peek()
      let start = reader.offset
      let group = try PriceGroup(&reader, &firstNull)
      if let last, !(last < group.type) { throw JSONError(.badValue, at: start) }
      last = group.type
      return group
    }
  }

  func write(_ writer: inout JSONWriter) {
    writer.beginObject()
    if isDelta { writer.member("delta", true) }
    writer.name("prices")
    writer.beginArray()
    for group in groups { group.write(&writer) }
    writer.endArray()
    writer.member("revision", revision)
    writer.name("slot")
    writer.integer(slot.index)
    writer.endObject()
  }
}

extension PriceGroup {
  private enum Member: String, CaseIterable { case rows, type }
  private static let table = JSONMemberTable<Member>()

  init(_ reader: inout JSONReader, _ firstNull: inout Int?) throws(JSONError) {
    var rows: [PriceRow]?
    var type: AssetType?
    var members = try reader.beginMembers()
    while let member = try reader.nextMember(&members, Self.table) {
      switch member {
      case .rows: rows = try Self.readRows(&reader, &firstNull)
      case .type: type = try reader.readAssetType()
      }
    }
    self.init(type: try reader.required(type), rows: try reader.required(rows))
  }

  private static func readRows(
    _ reader: inout JSONReader, _ firstNull: inout Int?
  ) throws(JSONError) -> [PriceRow] {
    var rows: [PriceRow] = []
    try reader.beginArray()
    while try reader.nextElement() {
      let start = reader.offset
      let row = try PriceRow(&reader, &firstNull)
      if let last = rows.last, !(last.id < row.id) { throw JSONError(.badValue, at: start) }
      rows.append(row)
    }
    return rows
  }

  func write(_ writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("rows")
    writer.beginArray()
    for row in rows {
      writer.beginArray()
      writer.string(row.id.text)
      if let price = row.price { writer.price(price) } else { writer.null() }
      writer.endArray()
    }
    writer.endArray()
    writer.member("type", type.text)
    writer.endObject()
  }
}

extension PriceRow {
  /// Reads `["id","price"]` or `["id",null]`.
  init(_ reader: inout JSONReader, _ firstNull: inout Int?) throws(JSONError) {
    try reader.beginArray()
    guard try reader.nextElement() else { throw JSONError(.badValue, at: reader.offset - 1) }
    let id = try reader.readAssetID()
    guard try reader.nextElement() else { throw JSONError(.badValue, at: reader.offset - 1) }
    let start = reader.offset
    var price: Price?
    if try reader.readNull() {
      if firstNull == nil { firstNull = start }
    } else {
      price = try reader.readPrice()
    }
    if try reader.nextElement() { throw JSONError(.badValue, at: reader.offset) }
    self.init(id: id, price: price)
  }
}
