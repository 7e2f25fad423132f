import FolioDomain
import FolioJSON

extension Hello {
  private enum Member: String, CaseIterable { case capabilities, client, id, nonce, type, versions }
  private static let table = JSONMemberTable<Member>()

  init(_ reader: inout JSONReader, _ id: inout RequestID?) throws(JSONError) {
    var capabilities: [String]?
    var client: Software?
    var nonce: UInt128?
    var versions: [Int]?
    var members = try reader.beginMembers()
    while let member = try reader.nextMember(&members, Self.table) {
      switch member {
      case .capabilities: capabilities = try reader.readCapabilities()
      case .client: client = try Software(&reader)
      case .id: id = try reader.readRequestID()
      case .nonce: nonce = try reader.readHex128()
      case .type: try reader.skipValue()
      case .versions: versions = try reader.readVersions()
      }
    }
    self.init(
      versions: try reader.required(versions), capabilities: try reader.required(capabilities),
      client: try reader.required(client), nonce: try reader.required(nonce))
  }

  func write(_ writer: inout JSONWriter, _ id: RequestID) {
    writer.capabilities(capabilities)
    writer.name("client")
    client.write(&writer)
    writer.member("id", id)
    writer.member("nonce", hex128: nonce)
    writer.type(.hello)
    writer.versions("versions", versions)
  }
}

extension JSONReader {
  fileprivate mutating func readCapabilities() throws(JSONError) -> [String] {
    try readList(limit: 64) { (reader) throws(JSONError) in try reader.readCode() }
  }

  /// Reads a list of 1 to 16 versions.
  mutating func readVersions() throws(JSONError) -> [Int] {
    _ = try peek()
    let start = offset
    let versions = try readList(limit: 16) { (reader) throws(JSONError) in
      try reader.readInt(1...Int(Wire.integerLimit))
    }
    guard !versions.isEmpty else { throw JSONError(.badValue, at: start) }
    return versions
  }
}

extension JSONWriter {
  fileprivate mutating func capabilities(_ capabilities: [String]) {
    name("capabilities")
    beginArray()
    for capability in capabilities { string(capability) }
    endArray()
  }

  mutating func versions(_ name: StaticString, _ versions: [Int]) {
    self.name(name)
    beginArray()
    for version in versions { integer(Int64(version)) }
    endArray()
  }
}

extension Software {
  private enum Member: String, CaseIterable { case name, version }
  private static let table = JSONMemberTable<Member>()

  init(_ reader: inout JSONReader) throws(JSONError) {
    var name: String?
    var version: String?
    var members = try reader.beginMembers()
    while let member = try reader.nextMember(&members, Self.table) {
      switch member {
      case .name: name = try reader.readName(limit: 64)
      case .version: version = try reader.readName(limit: 64)
      }
    }
    self.init(name: try reader.required(name), version: try reader.required(version))
  }

  func write(_ writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("name", name)
    writer.member("version", version)
    writer.endObject()
  }
}

extension Welcome {
  private enum Member: String, CaseIterable {
    case capabilities, limits, nonce, re, server, tables, time, type, version
  }
  private static let table = JSONMemberTable<Member>()

  init(_ reader: inout JSONReader, _ re: inout RequestID?) throws(JSONError) {
    var capabilities: [String]?
    var limits: Limits?
    var nonce: UInt128?
    var server: (UInt128, Software)?
    var schedule: TableSchedule?
    var time: Timestamp?
    var version: Int?
    var members = try reader.beginMembers()
    while let member = try reader.nextMember(&members, Self.table) {
      switch member {
      case .capabilities: capabilities = try reader.readCapabilities()
      case .limits: limits = try Limits(&reader)
      case .nonce: nonce = try reader.readHex128()
      case .re: re = try reader.readRequestID()
      case .server: server = try Self.readServer(&reader)
      case .tables: schedule = try TableSchedule(&reader)
      case .time: time = try reader.readTimestamp()
      case .type: try reader.skipValue()
      case .version: version = try reader.readInt(1...Int(Wire.integerLimit))
      }
    }
    let (serverID, software) = try reader.required(server)
    self.init(
      version: try reader.required(version), capabilities: try reader.required(capabilities),
      serverID: serverID, server: software, time: try reader.required(time),
      nonce: try reader.required(nonce), limits: try reader.required(limits),
      schedule: try reader.required(schedule))
  }

  func write(_ writer: inout JSONWriter, _ re: RequestID) {
    writer.capabilities(capabilities)
    writer.name("limits")
    limits.write(&writer)
    writer.member("nonce", hex128: nonce)
    writer.member("re", re)
    writer.name("server")
    writer.beginObject()
    writer.member("id", hex128: serverID)
    writer.member("name", server.name)
    writer.member("version", server.version)
    writer.endObject()
    writer.name("tables")
    schedule.write(&writer)
    writer.member("time", time)
    writer.type(.welcome)
    writer.member("version", version)
  }

  private enum ServerMember: String, CaseIterable { case id, name, version }
  private static let serverTable = JSONMemberTable<ServerMember>()

  private static func readServer(
    _ reader: inout JSONReader
  ) throws(JSONError) -> (UInt128, Software) {
    var id: UInt128?
    var name: String?
    var version: String?
    var members = try reader.beginMembers()
    while let member = try reader.nextMember(&members, serverTable) {
      switch member {
      case .id: id = try reader.readHex128()
      case .name: name = try reader.readName(limit: 64)
      case .version: version = try reader.readName(limit: 64)
      }
    }
    let software = Software(
      name: try reader.required(name), version: try reader.required(version))
    return (try reader.required(id), software)
  }
}

extension Limits {
  private enum Member: String, CaseIterable {
    case body, entries, inFlight, line, pageBytes, transaction
  }
  private static let table = JSONMemberTable<Member>()

  init(_ reader: inout JSONReader) throws(JSONError) {
    var body: Int?
    var entries: Int?
    var inFlight: Int?
    var line: Int?
    var pageBytes: Int?
    var transaction: Int?
    let most = Int(Wire.integerLimit)
    var members = try reader.beginMembers()
    while let member = try reader.nextMember(&members, Self.table) {
      switch member {
      case .body: body = try reader.readInt(Wire.bodyByteLimit...most)
      case .entries: entries = try reader.readInt(1...Wire.entryLimit)
      case .inFlight: inFlight = try reader.readInt(1...Wire.inFlightLimit)
      case .line: line = try reader.readInt(Wire.lineByteLimit...most)
      case .pageBytes: pageBytes = try reader.readInt(1...Wire.lineByteLimit)
      case .transaction: transaction = try reader.readInt(Wire.transactionByteLimit...most)
      }
    }
    self.init(
      lineBytes: try reader.required(line), bodyBytes: try reader.required(body),
      transactionBytes: try reader.required(transaction), inFlight: try reader.required(inFlight),
      entries: try reader.required(entries), pageBytes: try reader.required(pageBytes))
  }

  func write(_ writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("body", bodyBytes)
    writer.member("entries", entries)
    writer.member("inFlight", inFlight)
    writer.member("line", lineBytes)
    writer.member("pageBytes", pageBytes)
    writer.member("transaction", transactionBytes)
    writer.endObject()
  }
}

extension TableSchedule {
  private enum Member: String, CaseIterable { case every, next }
  private static let table = JSONMemberTable<Member>()

  init(_ reader: inout JSONReader) throws(JSONError) {
    var every: Int64?
    var next: Timestamp?
    var members = try reader.beginMembers()
    while let member = try reader.nextMember(&members, Self.table) {
      switch member {
      case .every: every = Int64(try reader.readUnsigned(from: 1))
      case .next: next = try reader.readTimestamp()
      }
    }
    self.init(everyMilliseconds: try reader.required(every), next: try reader.required(next))
  }

  func write(_ writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("every")
    writer.integer(everyMilliseconds)
    writer.member("next", next)
    writer.endObject()
  }
}
