import FolioDomain
import FolioJSON

extension Push {
  private enum Member: String, CaseIterable { case id, transactions, type }
  private static let table = JSONMemberTable<Member>()

  init(_ reader: inout JSONReader, _ id: inout RequestID?) throws(JSONError) {
    var transactions: [PushedTransaction]?
    var members = try reader.beginMembers()
    while let member = try reader.nextMember(&members, Self.table) {
      switch member {
      case .id: id = try reader.readRequestID()
      case .transactions:
        transactions = try reader.readItems { (reader) throws(JSONError) in
          try PushedTransaction(&reader)
        }
      case .type: try reader.skipValue()
      }
    }
    self.init(transactions: try reader.required(transactions))
  }

  func write(_ writer: inout JSONWriter, _ id: RequestID) {
    writer.member("id", id)
    writer.name("transactions")
    writer.beginArray()
    for transaction in transactions { transaction.write(&writer) }
    writer.endArray()
    writer.type(.push)
  }
}

extension JSONReader {
  /// Reads a list of at least one item, and at most as many as a line may hold.
  mutating func readItems<Item>(
    _ read: (inout JSONReader) throws(JSONError) -> Item
  ) throws(JSONError) -> [Item] {
    _ = try peek()
    let start = offset
    let items = try readList(limit: Wire.entryLimit, read)
    guard !items.isEmpty else { throw JSONError(.badValue, at: start) }
    return items
  }
}

extension PushedTransaction {
  private enum Member: String, CaseIterable {
    case body, device, form, id, keyId, recordedAt, sequence, version, void
  }
  private static let table = JSONMemberTable<Member>()

  init(_ reader: inout JSONReader) throws(JSONError) {
    var fields = EnvelopeFields()
    var isVoid = false
    var members = try reader.beginMembers()
    while let member = try reader.nextMember(&members, Self.table) {
      switch member {
      case .body: try fields.readBody(&reader)
      case .device: fields.device = try reader.readHex128()
      case .form: try fields.readForm(&reader)
      case .id: fields.id = try reader.readHex128()
      case .keyId: try fields.readKeyID(&reader)
      case .recordedAt: fields.recordedAt = try reader.readTimestamp()
      case .sequence: fields.sequence = try reader.readUnsigned(from: 1)
      case .version: fields.version = try reader.readEntryVersion()
      case .void: isVoid = try reader.readTrue()
      }
    }
    self.init(
      try fields.envelope(reader, start: members.start, isStub: false), isVoid: isVoid)
  }

  func write(_ writer: inout JSONWriter) {
    writer.beginObject()
    writer.body(transaction)
    writer.member("device", hex128: transaction.device.value)
    writer.form(transaction.form)
    writer.member("id", hex128: transaction.id.value)
    if transaction.form == .sealed { writer.member("keyId", transaction.keyID) }
    writer.member("recordedAt", transaction.recordedAt)
    writer.member("sequence", transaction.deviceSequence)
    if transaction.version != 1 { writer.member("version", Int(transaction.version)) }
    if isVoid { writer.member("void", true) }
    writer.endObject()
  }
}

extension Ack {
  private enum Member: String, CaseIterable { case acked, head, re, results, type }
  private static let table = JSONMemberTable<Member>()

  init(_ reader: inout JSONReader, _ re: inout RequestID?) throws(JSONError) {
    var acked: AckedTransaction?
    var head: LogPosition?
    var results: [PushResult]?
    var members = try reader.beginMembers()
    while let member = try reader.nextMember(&members, Self.table) {
      switch member {
      case .acked: acked = try AckedTransaction(&reader)
      case .head: head = try LogPosition(&reader)
      case .re: re = try reader.readRequestID()
      case .results:
        results = try reader.readList(limit: Wire.entryLimit) { (reader) throws(JSONError) in
          try PushResult(&reader)
        }
      case .type: try reader.skipValue()
      }
    }
    self.init(
      results: try reader.required(results), acked: acked, head: try reader.required(head))
  }

  func write(_ writer: inout JSONWriter, _ re: RequestID) {
    if let acked { writer.member("acked", acked) }
    writer.member("head", head)
    writer.member("re", re)
    writer.name("results")
    writer.beginArray()
    for result in results { result.write(&writer) }
    writer.endArray()
    writer.type(.ack)
  }
}

extension PushResult {
  private enum Member: String, CaseIterable { case acceptedAt, reason, seq, status }
  private static let table = JSONMemberTable<Member>()
  private enum Status: String, CaseIterable {
    case ok, duplicate, void, gap, forked, retry, rejected
  }
  private static let statuses = JSONMemberTable<Status>()

  init(_ reader: inout JSONReader) throws(JSONError) {
    var acceptedAt: Timestamp?
    var reason: String?
    var seq: UInt64?
    var status: Status?
    var members = try reader.beginMembers()
    while let member = try reader.nextMember(&members, Self.table) {
      switch member {
      case .acceptedAt: acceptedAt = try reader.readTimestamp()
      case .reason: reason = try reader.readCode()
      case .seq: seq = try reader.readUnsigned(from: 1)
      case .status:
        _ = try reader.peek()
        let start = reader.offset
        status = try reader.readWord(Self.statuses)
        if status == nil { throw JSONError(.badValue, at: start) }
      }
    }
    switch try reader.required(status) {
    case .ok: self = .ok(try Self.place(reader, seq, acceptedAt))
    case .duplicate: self = .duplicate(try Self.place(reader, seq, acceptedAt))
    case .void:
      self = .void(
        try Self.place(reader, seq, acceptedAt), reason: try reader.required(reason))
    case .gap: self = .gap
    case .forked: self = .forked
    case .retry: self = .retry
    case .rejected: self = .rejected(reason: try reader.required(reason))
    }
  }

  private static func place(
    _ reader: borrowing JSONReader, _ seq: UInt64?, _ acceptedAt: Timestamp?
  ) throws(JSONError) -> EntryPlace {
    EntryPlace(seq: try reader.required(seq), acceptedAt: try reader.required(acceptedAt))
  }

  func write(_ writer: inout JSONWriter) {
    var place: EntryPlace?
    var reason: String?
    let status: Status
    switch self {
    case .ok(let at): (status, place) = (.ok, at)
    case .duplicate(let at): (status, place) = (.duplicate, at)
    case .void(let at, let why): (status, place, reason) = (.void, at, why)
    case .gap: status = .gap
    case .forked: status = .forked
    case .retry: status = .retry
    case .rejected(let why): (status, reason) = (.rejected, why)
    }
    writer.beginObject()
    if let place { writer.member("acceptedAt", place.acceptedAt) }
    if let reason { writer.member("reason", reason) }
    if let place { writer.member("seq", place.seq) }
    writer.member("status", status.rawValue)
    writer.endObject()
  }
}
