extension CollectionName {
  /// The most bytes of a collection's name.
  public static let byteLimit = 64

  /// The collection with rules of its own.
  public static let record = CollectionName(unchecked: "record")

  /// The collection of that name: `[a-z][a-z0-9-]{0,63}`.
  ///
  /// - Complexity: O(length).
  public init(validating text: String) throws(NameError) {
    let count = text.utf8.count
    guard (1...Self.byteLimit).contains(count) else {
      throw .collectionNameLength(byteCount: count, limit: Self.byteLimit)
    }
    for (offset, byte) in text.utf8.enumerated() {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"): continue
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
        if offset > 0 { continue }
        throw .collectionNameCharacter(offset: offset)
      default: throw .collectionNameCharacter(offset: offset)
      }
    }
    self.init(unchecked: text)
  }
}

extension FieldName {
  /// The most UTF-8 bytes of a field's name.
  public static let byteLimit = 200

  /// The field whose members merge one by one.
  public static let metadata = FieldName(unchecked: "metadata")

  /// The field of that name: 1 to 200 UTF-8 bytes without control characters.
  ///
  /// - Complexity: O(length).
  public init(validating text: String) throws(NameError) {
    let count = text.utf8.count
    guard (1...Self.byteLimit).contains(count) else {
      throw .fieldNameLength(byteCount: count, limit: Self.byteLimit)
    }
    if let offset = TextRule.controlCharacterOffset(in: text) {
      throw .fieldNameControlCharacter(offset: offset)
    }
    self.init(unchecked: text)
  }

  /// Whether the name is one of the four that every document has and none can set.
  public var isReserved: Bool {
    switch text.utf8.count {
    case 2: text == "id"
    case 9: text == "createdAt" || text == "updatedAt" || text == "isDeleted"
    default: false
    }
  }
}
