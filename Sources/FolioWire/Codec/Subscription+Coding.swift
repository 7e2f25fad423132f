import FolioDomain
import FolioJSON

extension Subscription {
  private enum Member: String, CaseIterable { case id, type, what }
  private static let table = JSONMemberTable<Member>()

  init(_ reader: inout JSONReader, _ id: inout RequestID?) throws(JSONError) {
    var topics: [Topic]?
    var members = try reader.beginMembers()
    while let member = try reader.nextMember(&members, Self.table) {
      switch member {
      case .id: id = try reader.readRequestID()
      case .type: try reader.skipValue()
      case .what:
        topics = try reader.readList(limit: 64) { (reader) throws(JSONError) in
          Topic(rawValue: try reader.readCode())
        }.compactMap { $0 }
      }
    }
    self.init(topics: try reader.required(topics))
  }

  func write(_ writer: inout JSONWriter, _ id: RequestID) {
    writer.member("id", id)
    writer.type(.subscribe)
    writer.name("what")
    writer.beginArray()
    for topic in topics { writer.string(topic.rawValue) }
    writer.endArray()
  }
}

extension Heads {
  private enum Member: String, CaseIterable { case assets, head, market, re, type }
  private static let table = JSONMemberTable<Member>()

  init(_ reader: inout JSONReader, _ re: inout RequestID?) throws(JSONError) {
    var assets: Hash256?
    var head: LogPosition?
    var market: MarketState?
    var members = try reader.beginMembers()
    while let member = try reader.nextMember(&members, Self.table) {
      switch member {
      case .assets: assets = try reader.readHash()
      case .head: head = try LogPosition(&reader)
      case .market: market = try MarketState(&reader)
      case .re: re = try reader.readRequestID()
      case .type: try reader.skipValue()
      }
    }
    self.init(head: head, market: market, assetsTag: assets)
  }

  func write(_ writer: inout JSONWriter, _ re: RequestID) {
    if let assetsTag { writer.member("assets", assetsTag) }
    if let head { writer.member("head", head) }
    if let market { writer.member("market", market) }
    writer.member("re", re)
    writer.type(.heads)
  }
}

extension Note {
  private enum Member: String, CaseIterable { case head, market, tag, type, what }
  private static let table = JSONMemberTable<Member>()

  init(_ reader: inout JSONReader) throws(JSONError) {
    var head: LogPosition?
    var market: MarketState?
    var tag: Hash256?
    var what: String?
    var members = try reader.beginMembers()
    while let member = try reader.nextMember(&members, Self.table) {
      switch member {
      case .head: head = try LogPosition(&reader)
      case .market: market = try MarketState(&reader)
      case .tag: tag = try reader.readHash()
      case .type: try reader.skipValue()
      case .what: what = try reader.readCode()
      }
    }
    let name = try reader.required(what)
    switch Topic(rawValue: name) {
    case .log: self = .log(try reader.required(head))
    case .prices: self = .prices(try reader.required(market))
    case .assets: self = .assets(try reader.required(tag))
    case nil: self = .other(name)
    }
  }

  func write(_ writer: inout JSONWriter) {
    let what: String
    switch self {
    case .log(let head):
      what = Topic.log.rawValue
      writer.member("head", head)
    case .prices(let market):
      what = Topic.prices.rawValue
      writer.member("market", market)
    case .assets(let tag):
      what = Topic.assets.rawValue
      writer.member("tag", tag)
    case .other(let name): what = name
    }
    writer.type(.note)
    writer.member("what", what)
  }
}
