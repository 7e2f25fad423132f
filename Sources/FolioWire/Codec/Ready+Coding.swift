import FolioDomain
import FolioJSON

extension Ready {
  private enum Member: String, CaseIterable {
    case account, acked, common, head, log, market, re, stable, time, type
  }
  private static let table = JSONMemberTable<Member>()

  init(_ reader: inout JSONReader, _ re: inout RequestID?) throws(JSONError) {
    var account: Hash256?
    var acked: AckedTransaction?
    var common: LogPosition?
    var head: LogPosition?
    var log: UInt128?
    var market: MarketState?
    var stable: UInt64?
    var time: Timestamp?
    var members = try reader.beginMembers()
    while let member = try reader.nextMember(&members, Self.table) {
      switch member {
      case .account: account = try reader.readHash()
      case .acked: acked = try AckedTransaction(&reader)
      case .common: common = try LogPosition(&reader)
      case .head: head = try LogPosition(&reader)
      case .log: log = try reader.readHex128()
      case .market: market = try MarketState(&reader)
      case .re: re = try reader.readRequestID()
      case .stable: stable = try reader.readUnsigned()
      case .time: time = try reader.readTimestamp()
      case .type: try reader.skipValue()
      }
    }
    self.init(
      account: AccountID(try reader.required(account)), head: try reader.required(head),
      common: common, acked: acked, stable: try reader.required(stable),
      log: LogID(try reader.required(log)), market: try reader.required(market),
      time: try reader.required(time))
  }

  func write(_ writer: inout JSONWriter, _ re: RequestID) {
    writer.member("account", account.value)
    if let acked { writer.member("acked", acked) }
    if let common { writer.member("common", common) }
    writer.member("head", head)
    writer.member("log", hex128: log.value)
    writer.member("market", market)
    writer.member("re", re)
    writer.member("stable", stable)
    writer.member("time", time)
    writer.type(.ready)
  }
}

extension AckedTransaction {
  private enum Member: String, CaseIterable { case id, sequence }
  private static let table = JSONMemberTable<Member>()

  init(_ reader: inout JSONReader) throws(JSONError) {
    var id: UInt128?
    var sequence: UInt64?
    var members = try reader.beginMembers()
    while let member = try reader.nextMember(&members, Self.table) {
      switch member {
      case .id: id = try reader.readHex128()
      case .sequence: sequence = try reader.readUnsigned(from: 1)
      }
    }
    self.init(
      sequence: try reader.required(sequence), id: TransactionID(try reader.required(id)))
  }
}

extension MarketState {
  private enum Member: String, CaseIterable { case base, epoch, revision, through }
  private static let table = JSONMemberTable<Member>()

  init(_ reader: inout JSONReader) throws(JSONError) {
    var base: AssetID?
    var epoch: UInt64?
    var revision: UInt64?
    var through: Int64?
    var members = try reader.beginMembers()
    while let member = try reader.nextMember(&members, Self.table) {
      switch member {
      case .base: base = try reader.readAssetID()
      case .epoch: epoch = try reader.readHex64()
      case .revision: revision = try reader.readUnsigned()
      case .through: through = try reader.readSlotIndex()
      }
    }
    let position = MarketPosition(
      epoch: try reader.required(epoch), revision: try reader.required(revision),
      through: Slot(index: try reader.required(through)))
    self.init(position: position, base: try reader.required(base))
  }
}

extension JSONReader {
  /// Reads the number of a slot, whose start is a moment that a line can name.
  mutating func readSlotIndex() throws(JSONError) -> Int64 {
    let limit = Int64(Wire.integerLimit) / Slot.milliseconds
    return try readInteger(in: -limit...limit)
  }
}

extension JSONWriter {
  mutating func member(_ name: StaticString, _ acked: AckedTransaction) {
    self.name(name)
    beginObject()
    member("id", hex128: acked.id.value)
    member("sequence", acked.sequence)
    endObject()
  }

  mutating func member(_ name: StaticString, _ market: MarketState) {
    self.name(name)
    beginObject()
    member("base", market.base.text)
    member("epoch", hex64: market.position.epoch)
    member("revision", market.position.revision)
    self.name("through")
    integer(market.position.through.index)
    endObject()
  }
}
