import FolioDomain
import FolioJSON

extension AssetsRequest {
  private enum Member: String, CaseIterable { case after, id, tag, type }
  private static let table = JSONMemberTable<Member>()

  init(_ reader: inout JSONReader, _ id: inout RequestID?) throws(JSONError) {
    var after: AssetKey?
    var tag: Hash256?
    var members = try reader.beginMembers()
    while let member = try reader.nextMember(&members, Self.table) {
      switch member {
      case .after: after = try reader.readAssetKey()
      case .id: id = try reader.readRequestID()
      case .tag: tag = try reader.readHash()
      case .type: try reader.skipValue()
      }
    }
    self.init(tag: tag, after: after)
  }

  func write(_ writer: inout JSONWriter, _ id: RequestID) {
    if let after { writer.member("after", after.text) }
    writer.member("id", id)
    if let tag { writer.member("tag", tag) }
    writer.type(.assets)
  }
}

extension Catalog {
  private enum Member: String, CaseIterable { case assets, more, re, same, tag, type }
  private static let table = JSONMemberTable<Member>()

  init(_ reader: inout JSONReader, _ re: inout RequestID?) throws(JSONError) {
    var assets: [AssetInfo]?
    var more: Bool?
    var isSame = false
    var tag: Hash256?
    var members = try reader.beginMembers()
    while let member = try reader.nextMember(&members, Self.table) {
      switch member {
      case .assets:
        assets = try reader.readList(limit: Wire.entryLimit) { (reader) throws(JSONError) in
          try AssetInfo(&reader)
        }
      case .more: more = try reader.readBool()
      case .re: re = try reader.readRequestID()
      case .same: isSame = try reader.readTrue()
      case .tag: tag = try reader.readHash()
      case .type: try reader.skipValue()
      }
    }
    self.init(
      tag: try reader.required(tag), isSame: isSame, assets: try reader.required(assets),
      more: try reader.required(more))
  }

  func write(_ writer: inout JSONWriter, _ re: RequestID) {
    writer.name("assets")
    writer.beginArray()
    for asset in assets { asset.write(&writer) }
    writer.endArray()
    writer.member("more", more)
    writer.member("re", re)
    if isSame { writer.member("same", true) }
    writer.member("tag", tag)
    writer.type(.catalog)
  }
}

extension AssetInfo {
  private enum Member: String, CaseIterable { case id, name, rank, successor, symbol, type }
  private static let table = JSONMemberTable<Member>()

  init(_ reader: inout JSONReader) throws(JSONError) {
    var id: AssetID?
    var name: String?
    var rank: Int?
    var successor: Successor?
    var symbol: String?
    var type: AssetType?
    var members = try reader.beginMembers()
    while let member = try reader.nextMember(&members, Self.table) {
      switch member {
      case .id: id = try reader.readAssetID()
      case .name: name = try reader.readNote(limit: 1_000)
      case .rank: rank = try reader.readInt(1...Int(Wire.integerLimit))
      case .successor: successor = try Successor(&reader)
      case .symbol: symbol = try reader.readNote(limit: 200)
      case .type: type = try reader.readAssetType()
      }
    }
    self.init(
      asset: AssetKey(type: try reader.required(type), id: try reader.required(id)),
      symbol: try reader.required(symbol), name: try reader.required(name), rank: rank,
      successor: successor)
  }

  func write(_ writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("id", asset.id.text)
    writer.member("name", name)
    if let rank { writer.member("rank", rank) }
    if let successor {
      writer.name("successor")
      successor.write(&writer)
    }
    writer.member("symbol", symbol)
    writer.member("type", asset.type.text)
    writer.endObject()
  }
}

extension Successor {
  private enum Member: String, CaseIterable { case factor, fromSlot, id }
  private static let table = JSONMemberTable<Member>()

  init(_ reader: inout JSONReader) throws(JSONError) {
    var factor: Price?
    var fromSlot: Int64?
    var id: AssetID?
    var members = try reader.beginMembers()
    while let member = try reader.nextMember(&members, Self.table) {
      switch member {
      case .factor: factor = try reader.readPrice()
      case .fromSlot: fromSlot = try reader.readSlotIndex()
      case .id: id = try reader.readAssetID()
      }
    }
    self.init(
      id: try reader.required(id), factor: try reader.required(factor),
      fromSlot: Slot(index: try reader.required(fromSlot)))
  }

  func write(_ writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("factor", factor)
    writer.name("fromSlot")
    writer.integer(fromSlot.index)
    writer.member("id", id.text)
    writer.endObject()
  }
}
