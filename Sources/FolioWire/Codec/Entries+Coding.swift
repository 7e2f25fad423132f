import FolioDomain
import FolioJSON

extension WireEntry {
  private enum Member: String, CaseIterable {
    case acceptedAt, body, bodyHash, device, form, id, keyId, kind, recordedAt, seq, sequence
    case version
  }
  private static let table = JSONMemberTable<Member>()
  private enum Kind: String, CaseIterable { case accepted, void }
  private static let kinds = JSONMemberTable<Kind>()

  init(_ reader: inout JSONReader) throws(JSONError) {
    if let plain = PlainEntry.read(&reader) {
      self = plain
    } else {
      try self.init(reading: &reader)
    }
  }

  /// Reads an entry of any shape.
  init(reading reader: inout JSONReader) throws(JSONError) {
    var fields = EnvelopeFields()
    var acceptedAt: Timestamp?
    var kind: EntryKind?
    var seq: UInt64?
    var stubHash: Hash256?
    var members = try reader.beginMembers()
    while let member = try reader.nextMember(&members, Self.table) {
      switch member {
      case .acceptedAt: acceptedAt = try reader.readTimestamp()
      case .body: try fields.readBody(&reader)
      case .bodyHash: stubHash = try reader.readHash()
      case .device: fields.device = try reader.readHex128()
      case .form: try fields.readForm(&reader)
      case .id: fields.id = try reader.readHex128()
      case .keyId: try fields.readKeyID(&reader)
      case .kind: kind = try Self.readKind(&reader)
      case .recordedAt: fields.recordedAt = try reader.readTimestamp()
      case .seq: seq = try reader.readUnsigned(from: 1)
      case .sequence: fields.sequence = try reader.readUnsigned(from: 1)
      case .version: fields.version = try reader.readEntryVersion()
      }
    }
    self.init(
      seq: try reader.required(seq), acceptedAt: try reader.required(acceptedAt),
      kind: try reader.required(kind),
      transaction: try fields.envelope(reader, start: members.start, isStub: stubHash != nil),
      stubHash: stubHash)
  }

  private static func readKind(_ reader: inout JSONReader) throws(JSONError) -> EntryKind {
    _ = try reader.peek()
    let start = reader.offset
    switch try reader.readWord(kinds) {
    case .accepted: return .accepted
    case .void: return .void
    case nil: throw JSONError(.badValue, at: start)
    }
  }

  func write(_ writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("acceptedAt", acceptedAt)
    if let stubHash {
      writer.member("bodyHash", stubHash)
    } else {
      writer.body(transaction)
    }
    writer.member("device", hex128: transaction.device.value)
    writer.form(transaction.form)
    writer.member("id", hex128: transaction.id.value)
    if transaction.form == .sealed { writer.member("keyId", transaction.keyID) }
    writer.member("kind", kind == .accepted ? "accepted" : "void")
    writer.member("recordedAt", transaction.recordedAt)
    writer.member("seq", seq)
    writer.member("sequence", transaction.deviceSequence)
    if transaction.version != 1 { writer.member("version", Int(transaction.version)) }
    writer.endObject()
  }
}

extension JSONWriter {
  fileprivate mutating func entries(_ entries: [WireEntry]) {
    name("entries")
    beginArray()
    for entry in entries { entry.write(&self) }
    endArray()
  }
}

extension Refill {
  private enum Member: String, CaseIterable { case account, after, entries, id, type }
  private static let table = JSONMemberTable<Member>()

  init(_ reader: inout JSONReader, _ id: inout RequestID?) throws(JSONError) {
    var account: Hash256?
    var after: LogPosition?
    var entries: [WireEntry]?
    var members = try reader.beginMembers()
    while let member = try reader.nextMember(&members, Self.table) {
      switch member {
      case .account: account = try reader.readHash()
      case .after: after = try LogPosition(&reader)
      case .entries:
        entries = try reader.readItems { (reader) throws(JSONError) in
          _ = try reader.peek()
          let start = reader.offset
          let entry = try WireEntry(&reader)
          // A server that lost an entry needs the whole of it.
          guard entry.stubHash == nil else { throw JSONError(.badValue, at: start) }
          return entry
        }
      case .id: id = try reader.readRequestID()
      case .type: try reader.skipValue()
      }
    }
    self.init(
      account: AccountID(try reader.required(account)), after: try reader.required(after),
      entries: try reader.required(entries))
  }

  func write(_ writer: inout JSONWriter, _ id: RequestID) {
    writer.member("account", account.value)
    writer.member("after", after)
    writer.entries(entries)
    writer.member("id", id)
    writer.type(.refill)
  }
}

extension Pull {
  private enum Member: String, CaseIterable { case after, id, maxBytes, maxEntries, own, type }
  private static let table = JSONMemberTable<Member>()

  init(_ reader: inout JSONReader, _ id: inout RequestID?) throws(JSONError) {
    var after: LogPosition?
    var maxBytes: Int?
    var maxEntries: Int?
    var own: OwnEntries?
    let most = Int(Wire.integerLimit)
    var members = try reader.beginMembers()
    while let member = try reader.nextMember(&members, Self.table) {
      switch member {
      case .after: after = try LogPosition(&reader)
      case .id: id = try reader.readRequestID()
      case .maxBytes: maxBytes = try reader.readInt(1...most)
      case .maxEntries: maxEntries = try reader.readInt(1...most)
      case .own: own = try OwnEntries(&reader)
      case .type: try reader.skipValue()
      }
    }
    self.init(
      after: try reader.required(after), maxEntries: try reader.required(maxEntries),
      maxBytes: try reader.required(maxBytes), own: own)
  }

  func write(_ writer: inout JSONWriter, _ id: RequestID) {
    writer.member("after", after)
    writer.member("id", id)
    writer.member("maxBytes", maxBytes)
    writer.member("maxEntries", maxEntries)
    if let own {
      writer.name("own")
      writer.beginObject()
      writer.member("device", hex128: own.device.value)
      writer.member("upTo", own.upTo)
      writer.endObject()
    }
    writer.type(.pull)
  }
}

extension OwnEntries {
  private enum Member: String, CaseIterable { case device, upTo }
  private static let table = JSONMemberTable<Member>()

  init(_ reader: inout JSONReader) throws(JSONError) {
    var device: UInt128?
    var upTo: UInt64?
    var members = try reader.beginMembers()
    while let member = try reader.nextMember(&members, Self.table) {
      switch member {
      case .device: device = try reader.readHex128()
      case .upTo: upTo = try reader.readUnsigned()
      }
    }
    self.init(device: DeviceID(try reader.required(device)), upTo: try reader.required(upTo))
  }
}

extension Page {
  private enum Member: String, CaseIterable { case entries, last, more, re, type }
  private static let table = JSONMemberTable<Member>()

  init(_ reader: inout JSONReader, _ re: inout RequestID?) throws(JSONError) {
    var entries: [WireEntry]?
    var last: LogPosition?
    var more: Bool?
    var members = try reader.beginMembers()
    while let member = try reader.nextMember(&members, Self.table) {
      switch member {
      case .entries:
        // No entry is shorter than that.
        let expected = (reader.bytes.byteCount - reader.offset) / 300
        entries = try reader.readList(limit: Wire.entryLimit, expecting: expected) {
          (reader) throws(JSONError) in
          try WireEntry(&reader)
        }
      case .last: last = try LogPosition(&reader)
      case .more: more = try reader.readBool()
      case .re: re = try reader.readRequestID()
      case .type: try reader.skipValue()
      }
    }
    self.init(
      entries: try reader.required(entries), last: try reader.required(last),
      more: try reader.required(more))
  }

  func write(_ writer: inout JSONWriter, _ re: RequestID) {
    writer.entries(entries)
    writer.member("last", last)
    writer.member("more", more)
    writer.member("re", re)
    writer.type(.page)
  }
}
