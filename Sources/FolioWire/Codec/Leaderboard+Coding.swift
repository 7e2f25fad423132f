import FolioDomain
import FolioJSON

extension LeaderboardRequest {
  private enum Member: String, CaseIterable { case after, id, limit, type }
  private static let table = JSONMemberTable<Member>()

  init(_ reader: inout JSONReader, _ id: inout RequestID?) throws(JSONError) {
    var after = 0
    var limit: Int?
    var members = try reader.beginMembers()
    while let member = try reader.nextMember(&members, Self.table) {
      switch member {
      case .after: after = try reader.readInt(0...Int(Wire.integerLimit))
      case .id: id = try reader.readRequestID()
      case .limit: limit = try reader.readInt(1...1_000)
      case .type: try reader.skipValue()
      }
    }
    self.init(after: after, limit: try reader.required(limit))
  }

  func write(_ writer: inout JSONWriter, _ id: RequestID) {
    if after > 0 { writer.member("after", after) }
    writer.member("id", id)
    writer.member("limit", limit)
    writer.type(.leaderboard)
  }
}

extension Ranking {
  private enum Member: String, CaseIterable { case more, re, rows, type }
  private static let table = JSONMemberTable<Member>()

  init(_ reader: inout JSONReader, _ re: inout RequestID?) throws(JSONError) {
    var more: Bool?
    var rows: [RankedAsset]?
    var members = try reader.beginMembers()
    while let member = try reader.nextMember(&members, Self.table) {
      switch member {
      case .more: more = try reader.readBool()
      case .re: re = try reader.readRequestID()
      case .rows:
        rows = try reader.readList(limit: 1_000) { (reader) throws(JSONError) in
          try RankedAsset(&reader)
        }
      case .type: try reader.skipValue()
      }
    }
    self.init(rows: try reader.required(rows), more: try reader.required(more))
  }

  func write(_ writer: inout JSONWriter, _ re: RequestID) {
    writer.member("more", more)
    writer.member("re", re)
    writer.name("rows")
    writer.beginArray()
    for row in rows { row.write(&writer) }
    writer.endArray()
    writer.type(.ranking)
  }
}

extension RankedAsset {
  private enum Member: String, CaseIterable { case id, name, price, rank, symbol, type }
  private static let table = JSONMemberTable<Member>()

  init(_ reader: inout JSONReader) throws(JSONError) {
    var id: AssetID?
    var name: String?
    var price: Price?
    var rank: Int?
    var symbol: String?
    var type: AssetType?
    var members = try reader.beginMembers()
    while let member = try reader.nextMember(&members, Self.table) {
      switch member {
      case .id: id = try reader.readAssetID()
      case .name: name = try reader.readNote(limit: 1_000)
      case .price: price = try reader.readPrice()
      case .rank: rank = try reader.readInt(1...Int(Wire.integerLimit))
      case .symbol: symbol = try reader.readNote(limit: 200)
      case .type: type = try reader.readAssetType()
      }
    }
    self.init(
      asset: AssetKey(type: try reader.required(type), id: try reader.required(id)),
      symbol: try reader.required(symbol), name: try reader.required(name),
      rank: try reader.required(rank), price: price)
  }

  func write(_ writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("id", asset.id.text)
    writer.member("name", name)
    if let price { writer.member("price", price) }
    writer.member("rank", rank)
    writer.member("symbol", symbol)
    writer.member("type", asset.type.text)
    writer.endObject()
  }
}
