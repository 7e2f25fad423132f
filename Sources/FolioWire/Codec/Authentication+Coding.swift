import FolioDomain
import FolioJSON

extension Authentication {
  private enum Member: String, CaseIterable {
    case account, accountId, device, enrol, id, points, proof, type
  }
  private static let table = JSONMemberTable<Member>()

  init(_ reader: inout JSONReader, _ id: inout RequestID?) throws(JSONError) {
    var account: String?
    var accountID: AccountID?
    var device: DeviceIdentity?
    var enrol: String?
    var points: [LogPosition]?
    var proof: Proof?
    var members = try reader.beginMembers()
    while let member = try reader.nextMember(&members, Self.table) {
      switch member {
      case .account: account = try reader.readName(limit: 100)
      case .accountId: accountID = AccountID(try reader.readHash())
      case .device: device = try DeviceIdentity(&reader)
      case .enrol: enrol = try reader.readName(limit: 256)
      case .id: id = try reader.readRequestID()
      case .points:
        points = try reader.readList(limit: Wire.pointLimit) { (reader) throws(JSONError) in
          try LogPosition(&reader)
        }
      case .proof: proof = try Proof(&reader)
      case .type: try reader.skipValue()
      }
    }
    self.init(
      account: try reader.required(account), accountID: accountID,
      device: try reader.required(device), proof: proof, enrol: enrol,
      points: try reader.required(points))
  }

  func write(_ writer: inout JSONWriter, _ id: RequestID) {
    writer.member("account", account)
    if let accountID { writer.member("accountId", accountID.value) }
    writer.name("device")
    device.write(&writer)
    if let enrol { writer.member("enrol", enrol) }
    writer.member("id", id)
    writer.name("points")
    writer.beginArray()
    for point in points { writer.position(point) }
    writer.endArray()
    if let proof {
      writer.name("proof")
      proof.write(&writer)
    }
    writer.type(.auth)
  }
}

extension DeviceIdentity {
  private enum Member: String, CaseIterable { case certificate, id, instance, key }
  private static let table = JSONMemberTable<Member>()

  init(_ reader: inout JSONReader) throws(JSONError) {
    var certificate: [UInt8]?
    var id: UInt128?
    var instance: UInt128?
    var key: [UInt8]?
    var members = try reader.beginMembers()
    while let member = try reader.nextMember(&members, Self.table) {
      switch member {
      case .certificate: certificate = try reader.readBase64(limit: 1_024)
      case .id: id = try reader.readHex128()
      case .instance: instance = try reader.readHex128()
      case .key: key = try reader.readBase64(limit: 1_024)
      }
    }
    self.init(
      id: DeviceID(try reader.required(id)), instance: InstanceID(try reader.required(instance)),
      key: key, certificate: certificate)
  }

  func write(_ writer: inout JSONWriter) {
    writer.beginObject()
    if let certificate { writer.member("certificate", base64: certificate) }
    writer.member("id", hex128: id.value)
    writer.member("instance", hex128: instance.value)
    if let key { writer.member("key", base64: key) }
    writer.endObject()
  }
}

extension Proof {
  private enum Member: String, CaseIterable { case algorithm, key, signature }
  private static let table = JSONMemberTable<Member>()

  init(_ reader: inout JSONReader) throws(JSONError) {
    var algorithm: String?
    var key: [UInt8]?
    var signature: [UInt8]?
    var members = try reader.beginMembers()
    while let member = try reader.nextMember(&members, Self.table) {
      switch member {
      case .algorithm: algorithm = try reader.readCode()
      case .key: key = try reader.readBase64(limit: 1_024)
      case .signature: signature = try reader.readBase64(limit: 1_024)
      }
    }
    self.init(
      algorithm: try reader.required(algorithm), key: try reader.required(key),
      signature: try reader.required(signature))
  }

  func write(_ writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("algorithm", algorithm)
    writer.member("key", base64: key)
    writer.member("signature", base64: signature)
    writer.endObject()
  }
}

extension LogPosition {
  private enum Member: String, CaseIterable { case hash, seq }
  private static let table = JSONMemberTable<Member>()

  init(_ reader: inout JSONReader) throws(JSONError) {
    var hash: Hash256?
    var seq: UInt64?
    var members = try reader.beginMembers()
    while let member = try reader.nextMember(&members, Self.table) {
      switch member {
      case .hash: hash = try reader.readHash()
      case .seq: seq = try reader.readUnsigned()
      }
    }
    self.init(seq: try reader.required(seq), hash: try reader.required(hash))
  }
}

extension JSONWriter {
  mutating func position(_ position: LogPosition) {
    beginObject()
    member("hash", position.hash)
    member("seq", position.seq)
    endObject()
  }

  mutating func member(_ name: StaticString, _ position: LogPosition) {
    self.name(name)
    self.position(position)
  }
}
