import FolioDomain
import FolioJSON

/// A message that has nothing beside its number: `ping`, `pong`, `bye`.
enum BareMessage {
  private enum Member: String, CaseIterable { case id, re, type }
  private static let table = JSONMemberTable<Member>()

  static func read(
    _ reader: inout JSONReader
  ) throws(JSONError) -> (id: RequestID?, re: RequestID?) {
    var id: RequestID?
    var re: RequestID?
    var members = try reader.beginMembers()
    while let member = try reader.nextMember(&members, table) {
      switch member {
      case .id: id = try reader.readRequestID()
      case .re: re = try reader.readRequestID()
      case .type: try reader.skipValue()
      }
    }
    return (id, re)
  }
}

/// The request `verify`.
enum VerifyRequest {
  private enum Member: String, CaseIterable { case id, seq, type }
  private static let table = JSONMemberTable<Member>()

  static func read(
    _ reader: inout JSONReader, _ id: inout RequestID?
  ) throws(JSONError) -> UInt64 {
    var seq: UInt64?
    var members = try reader.beginMembers()
    while let member = try reader.nextMember(&members, table) {
      switch member {
      case .id: id = try reader.readRequestID()
      case .seq: seq = try reader.readUnsigned()
      case .type: try reader.skipValue()
      }
    }
    return try reader.required(seq)
  }
}

/// The reply `hash`.
enum HashReply {
  private enum Member: String, CaseIterable { case hash, re, seq, type }
  private static let table = JSONMemberTable<Member>()

  static func read(
    _ reader: inout JSONReader, _ re: inout RequestID?
  ) throws(JSONError) -> ChainHash {
    var hash: Hash256?
    var seq: UInt64?
    var members = try reader.beginMembers()
    while let member = try reader.nextMember(&members, table) {
      switch member {
      case .hash: hash = try reader.readHash()
      case .re: re = try reader.readRequestID()
      case .seq: seq = try reader.readUnsigned()
      case .type: try reader.skipValue()
      }
    }
    return ChainHash(seq: try reader.required(seq), hash: try reader.required(hash))
  }

  static func write(_ hash: ChainHash, _ writer: inout JSONWriter, _ re: RequestID) {
    writer.member("hash", hash.hash)
    writer.member("re", re)
    writer.member("seq", hash.seq)
    writer.type(.hash)
  }
}
