import FolioJSON

extension Operation {
  private enum KindMember: String, CaseIterable { case kind }
  private static let kindTable = JSONMemberTable<KindMember>()

  /// The operation of canonical JSON.
  init(reading bytes: RawSpan) throws {
    switch try Self.kind(of: bytes) {
    case "adjust": self = try Self.adjust(bytes)
    case "categorize": self = try Self.categorize(bytes)
    case "put": self = .put(try DocumentPut(reading: bytes))
    case "delete": self = try Self.delete(bytes)
    case let kind: self = .unknown(kind: kind, json: bytes.withUnsafeBytes { Array($0) })
    }
  }

  private static func kind(of bytes: RawSpan) throws -> String {
    var reader = JSONReader(bytes, TransactionBody.rules)
    var members = try reader.beginMembers()
    var kind: String?
    while try reader.nextMember(&members, kindTable) != nil { kind = try reader.readString() }
    guard let kind, !kind.isEmpty else { throw BodyError.member("kind") }
    return kind
  }

  private enum AssetMember: String, CaseIterable { case amount, asset, category, key, kind }
  private static let adjustTable = JSONMemberTable<AssetMember>([
    ("amount", .amount), ("asset", .asset), ("kind", .kind),
  ])
  private static let categorizeTable = JSONMemberTable<AssetMember>([
    ("asset", .asset), ("category", .category), ("key", .key), ("kind", .kind),
  ])

  private static func adjust(_ bytes: RawSpan) throws -> Operation {
    var reader = JSONReader(bytes, TransactionBody.rules)
    var members = try reader.beginMembers()
    var asset: AssetKey?
    var amount: Amount?
    while let member = try reader.nextMember(&members, adjustTable) {
      switch member {
      case .amount:
        let text = try reader.readText()
        amount = try reader.withText(text) { (bytes) throws(AmountError) in
          try Amount(utf8: UnsafeRawBufferPointer(bytes))
        }
      case .asset: asset = try AssetKey(try reader.readString())
      default: try reader.skipValue()
      }
    }
    guard let asset, let amount, !members.includesUnknown else { throw BodyError.member("adjust") }
    return .adjust(asset, amount)
  }

  private static func categorize(_ bytes: RawSpan) throws -> Operation {
    var reader = JSONReader(bytes, TransactionBody.rules)
    var members = try reader.beginMembers()
    var asset: AssetKey?
    var key: String?
    var spelling: String?
    while let member = try reader.nextMember(&members, categorizeTable) {
      switch member {
      case .asset: asset = try AssetKey(try reader.readString())
      case .category: spelling = try reader.readString()
      case .key: key = try reader.readString()
      default: try reader.skipValue()
      }
    }
    guard let asset, let key, let spelling, !members.includesUnknown else {
      throw BodyError.member("categorize")
    }
    return .categorize(asset, try Category(recordedKey: key, spelling: spelling))
  }

  private enum DeleteMember: String, CaseIterable { case collection, document, kind }
  private static let deleteTable = JSONMemberTable<DeleteMember>()

  private static func delete(_ bytes: RawSpan) throws -> Operation {
    var reader = JSONReader(bytes, TransactionBody.rules)
    var members = try reader.beginMembers()
    var collection: CollectionName?
    var document: DocumentID?
    while let member = try reader.nextMember(&members, deleteTable) {
      switch member {
      case .collection: collection = try CollectionName(validating: try reader.readString())
      case .document: document = try DocumentID(try reader.readString())
      case .kind: try reader.skipValue()
      }
    }
    guard let collection, let document, !members.includesUnknown else {
      throw BodyError.member("delete")
    }
    return .delete(collection, document)
  }
}

extension DocumentPut {
  private enum Member: String, CaseIterable {
    case collection, document, kind, set, undelete, unset
  }
  private static let table = JSONMemberTable<Member>()

  fileprivate init(reading bytes: RawSpan) throws {
    var reader = JSONReader(bytes, TransactionBody.rules)
    var members = try reader.beginMembers()
    var collection: CollectionName?
    var document: DocumentID?
    var set: [DocumentField] = []
    var unset: [FieldPath] = []
    var undelete = false
    while let member = try reader.nextMember(&members, Self.table) {
      switch member {
      case .collection: collection = try CollectionName(validating: try reader.readString())
      case .document: document = try DocumentID(try reader.readString())
      case .kind: try reader.skipValue()
      case .set: set = try Self.readFields(&reader)
      case .undelete:
        undelete = try reader.readBool()
        guard undelete else { throw BodyError.member("put.undelete") }
      case .unset: unset = try Self.readPaths(&reader)
      }
    }
    guard let collection, let document, !members.includesUnknown else {
      throw BodyError.member("put")
    }
    self.init(
      collection: collection, document: document, set: set, unset: unset, undelete: undelete)
    guard !setsAndUnsetsOneField else { throw BodyError.member("put.unset") }
  }

  /// The members of `set`, those of `metadata` each for itself.
  private static func readFields(_ reader: inout JSONReader) throws -> [DocumentField] {
    guard case .object(let members) = try reader.readValue() else {
      throw BodyError.member("put.set")
    }
    var fields: [DocumentField] = []
    for member in members {
      let name = try FieldName(validating: member.name)
      guard !name.isReserved else { throw BodyError.member("put.set") }
      guard name == .metadata else {
        fields.append(DocumentField(FieldPath(name), member.value))
        continue
      }
      guard case .object(let inner) = member.value else { throw BodyError.member("put.set") }
      for member in inner {
        let path = FieldPath(name, member: try FieldName(validating: member.name))
        fields.append(DocumentField(path, member.value))
      }
    }
    for field in fields where field.value.levelCount > DocumentPut.levelLimit {
      throw BodyError.member("put.set")
    }
    return fields
  }

  /// The elements of `unset`: names, and pairs of `metadata` and a member's name.
  private static func readPaths(_ reader: inout JSONReader) throws -> [FieldPath] {
    var paths: [FieldPath] = []
    try reader.beginArray()
    while try reader.nextElement() {
      let path: FieldPath
      if try reader.peek() == .array {
        var names: [FieldName] = []
        try reader.beginArray()
        while try reader.nextElement() {
          names.append(try FieldName(validating: try reader.readString()))
        }
        guard names.count == 2, names[0] == .metadata else { throw BodyError.member("put.unset") }
        path = FieldPath(names[0], member: names[1])
      } else {
        path = FieldPath(try FieldName(validating: try reader.readString()))
        guard path.name != .metadata, !path.name.isReserved else {
          throw BodyError.member("put.unset")
        }
      }
      // One order, so that one set of operations has one body.
      if let last = paths.last, !(last < path) { throw BodyError.member("put.unset") }
      paths.append(path)
    }
    return paths
  }
}
